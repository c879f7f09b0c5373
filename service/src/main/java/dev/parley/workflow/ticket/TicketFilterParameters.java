package dev.parley.workflow.ticket;

import dev.parley.http.RequestValidator;
import dev.parley.id.WorkflowId;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.mail.TicketText;
import dev.parley.workflow.ticket.store.TicketFilter;
import dev.parley.workflow.ticket.store.TicketFilter.Scope;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.Explode;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select tickets, shared by the list and the count. */
public final class TicketFilterParameters {
    private static final int MAX_SEARCH_LENGTH = 200;

    @Parameter(
            description = "One or more statuses, separated by commas",
            explode = Explode.FALSE,
            schema = @Schema(type = SchemaType.ARRAY, implementation = TicketStatus.class))
    @QueryParam("status")
    @Nullable
    String status;

    @Parameter(
            description = "`me`: assigned to or claimed by the user; `team`: assigned to the user's teams; `mine`:"
                    + " both; `all`: all visible tickets",
            schema = @Schema(enumeration = {"me", "team", "mine", "all"}))
    @QueryParam("assignee")
    @Nullable
    String assignee;

    @Parameter(description = "Only tickets assigned to this team", schema = @Schema(type = SchemaType.INTEGER))
    @QueryParam("team_id")
    @Nullable
    String teamId;

    @Parameter(description = "Only tickets of this workflow")
    @QueryParam("workflow_id")
    @Nullable
    String workflowId;

    @Parameter(
            description = "Words of the number, the title, the task, the agent, the exception or the inputs,"
                    + " case-insensitive; each must occur. Of long inputs only the start is searched. `#17` alone finds the ticket"
                    + " with this number only.",
            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH_LENGTH))
    @QueryParam("search")
    @Nullable
    String search;

    @Parameter(
            description = "`true`: only open tickets that nobody else has claimed",
            schema = @Schema(type = SchemaType.BOOLEAN))
    @QueryParam("available")
    @Nullable
    String available;

    @Parameter(
            description = "`true`: only tickets of test runs; `false`: only others",
            schema = @Schema(type = SchemaType.BOOLEAN))
    @QueryParam("test_run")
    @Nullable
    String testRun;

    @Parameter(
            description = "`true`: only open tickets after their due date",
            schema = @Schema(type = SchemaType.BOOLEAN))
    @QueryParam("overdue")
    @Nullable
    String overdue;

    /** The filter, with these defaults for the assignee and the statuses. */
    TicketFilter read(Scope scope, Set<TicketStatus> statuses, RequestValidator validator) {
        return new TicketFilter(
                validator.parameterEnum(assignee, "assignee", Scope.class).orElse(scope),
                status == null ? statuses : validator.parameterEnums(status, "status", TicketStatus.class),
                team(validator),
                validator.parameterId(workflowId, "workflow_id", WorkflowId::parse),
                validator.parameterFlag(available, "available"),
                testRun == null ? Optional.empty() : Optional.of(validator.parameterFlag(testRun, "test_run")),
                validator.parameterFlag(overdue, "overdue"),
                words(validator));
    }

    private Optional<Integer> team(RequestValidator validator) {
        try {
            return Optional.ofNullable(teamId).map(Integer::valueOf);
        } catch (NumberFormatException _) {
            validator.add(
                    Violation.parameter(ViolationCode.INVALID_FORMAT, "team_id", "'team_id' must be an integer."));
            return Optional.empty();
        }
    }

    private List<String> words(RequestValidator validator) {
        if (search == null) {
            return List.of();
        }
        boolean fits = search.length() <= MAX_SEARCH_LENGTH;
        validator.requireParameter(
                fits,
                ViolationCode.TOO_LONG,
                "search",
                "'search' must have at most " + MAX_SEARCH_LENGTH + " characters.",
                Map.of("max", MAX_SEARCH_LENGTH));
        return fits ? TicketText.words(search) : List.of();
    }
}
