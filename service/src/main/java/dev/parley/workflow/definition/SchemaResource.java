package dev.parley.workflow.definition;

import static dev.parley.http.access.Access.Caller.OPEN;

import dev.parley.http.access.Access;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.definition.core.check.DefinitionSchema;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Serves the JSON Schema of the agent document without authentication. */
@Access(OPEN)
@Path("/schemas/workflow-definition.json")
@Tag(name = "Workflows")
public final class SchemaResource {
    private static final String MEDIA_TYPE = "application/schema+json";
    static final String SCHEMA =
            StrictJson.mapper().valueToTree(DefinitionSchema.tree()).toPrettyString() + "\n";

    @GET
    @Produces(MEDIA_TYPE)
    @Operation(operationId = "getWorkflowSchema", summary = "Read the JSON Schema of the workflow definition")
    @APIResponse(
            responseCode = "200",
            description = "A JSON Schema, draft 2020-12",
            content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    public String schema() {
        return SCHEMA;
    }
}
