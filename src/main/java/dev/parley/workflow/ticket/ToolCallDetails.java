package dev.parley.workflow.ticket;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The tool call that a ticket is about; its arguments are the ticket's inputs. */
@Schema(name = "TicketToolCall")
@JsonIgnoreProperties(ignoreUnknown = true)
public record ToolCallDetails(
        int toolId, @Schema(examples = "http.request") String toolName) {}
