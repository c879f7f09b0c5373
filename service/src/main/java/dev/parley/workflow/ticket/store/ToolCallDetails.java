package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The tool call that a ticket is about; the arguments that the model requested are the ticket's inputs.
 *
 * @param sentArguments of an approved call; null before
 * @param edited whether the person changed the arguments; null before the approval
 */
@Schema(name = "TicketToolCall")
@JsonIgnoreProperties(ignoreUnknown = true)
public record ToolCallDetails(
        int toolId,
        @Schema(examples = "http.request") String toolName,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(
                description =
                        "The arguments that the tool got after the approval; absent before. JSON, as text, since it"
                                + " may be cut; values under names such as password are hidden.",
                examples = "{\"amount\":120}")
        @Nullable
        String sentArguments,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(
                description = "Whether the person who approved the call (`resolved_by`) changed the arguments; absent"
                        + " before.")
        @Nullable
        Boolean edited) {}
