package dev.parley.workflow.definition;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.access.Access;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The names of an organization's workflows, for pickers and for lists of what refers to them. */
@Path("/dashboard/api/organizations/{orgId}/workflow-names")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
@Access(MEMBER)
public final class WorkflowNamesResource {
    static final int MAX_NAMES = 10_000;

    private final WorkflowStore statements;

    WorkflowNamesResource(Database database) {
        this.statements = database.statements(WorkflowStore.class);
    }

    /** A workflow by its name. */
    @Schema(name = "WorkflowName")
    public record WorkflowName(
            @Schema(examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            WorkflowId id,

            @Schema(examples = "Invoice approval") String name,
            boolean published,
            boolean archived) {}

    /** The newest first. */
    @Schema(name = "WorkflowNames")
    public record WorkflowNames(List<WorkflowName> items) {}

    @GET
    @Operation(
            summary = "List the names of workflows",
            description = "The newest 10,000 with archived ones, newest first, in one response.")
    public WorkflowNames list(@BeanParam MemberRequest member) {
        return new WorkflowNames(statements.names(member.organization(), MAX_NAMES));
    }
}
