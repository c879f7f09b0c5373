package dev.parley.console;

import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
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
public final class WorkflowTemplateResource {
    private final WorkflowTemplates templates;
    private final OrganizationAccess access;

    WorkflowTemplateResource(WorkflowTemplates templates, OrganizationAccess access) {
        this.templates = templates;
        this.access = access;
    }

    /** All templates. */
    @Schema(name = "WorkflowTemplateList")
    public record TemplateList(List<WorkflowTemplates.Template> items) {}

    @GET
    @Operation(summary = "List the templates for new workflows")
    public TemplateList list(@Context RoutingContext http, @PathParam("orgId") String orgId) {
        OrganizationId _ = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return new TemplateList(templates.all());
    }

    @GET
    @Path("/{templateId}")
    @Operation(
            summary = "Read a template",
            description = "Create its code, replace the ids of tools, code and data lakes, and create the workflow.")
    public WorkflowTemplates.TemplateDocument get(
            @Context RoutingContext http,
            @PathParam("orgId") String orgId,
            @PathParam("templateId") String templateId) {
        DashboardUser person = DashboardUser.of(http);
        OrganizationId _ = access.require(person, orgId, Role.MEMBER);
        return templates.find(templateId, person.id()).orElseThrow(() -> ApiProblem.notFound("template"));
    }
}
