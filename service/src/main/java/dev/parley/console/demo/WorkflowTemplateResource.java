package dev.parley.console.demo;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.access.Access;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Templates for new workflows. */
@Path("/dashboard/api/organizations/{orgId}/workflow-templates")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Workflows")
@Access(MEMBER)
public final class WorkflowTemplateResource {
    private final WorkflowTemplates templates;

    WorkflowTemplateResource(WorkflowTemplates templates) {
        this.templates = templates;
    }

    /** All templates. */
    @Schema(name = "WorkflowTemplateList")
    public record TemplateList(List<WorkflowTemplates.Template> items) {}

    @GET
    @Operation(summary = "List the templates for new workflows")
    public TemplateList list(@BeanParam MemberRequest member) {
        return new TemplateList(templates.all());
    }

    @GET
    @Path("/{templateId}")
    @Operation(
            summary = "Read a template",
            description = "Create its code, replace the ids of tools, code and data lakes, and create the workflow.")
    public WorkflowTemplates.TemplateDocument get(
            @BeanParam MemberRequest member, @PathParam("templateId") String templateId) {
        return templates.find(templateId, member.user().id()).orElseThrow(() -> ApiProblem.notFound("template"));
    }
}
