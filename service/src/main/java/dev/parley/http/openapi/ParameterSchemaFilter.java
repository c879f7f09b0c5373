package dev.parley.http.openapi;

import dev.parley.http.IdSchema;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.Page;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Adds types and limits to the parameters of all operations, by their names: resource methods take strings, so that
 * malformed values get the API's own errors. A method's annotations take precedence.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class ParameterSchemaFilter implements OASFilter {
    private static final Set<String> INTEGERS = Set.of(
            "teamId",
            "artifactId",
            "toolId",
            "providerId",
            "modelProviderId",
            "modelId",
            "budgetId",
            "version",
            "team_id",
            "provider_id");

    private static final Set<String> IDS = Set.of("id", "conversation", "endpoint");

    private static final Set<String> OTHER_IDS = Set.of("taskId", "last_event_id");

    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "after",
            "The `next` of the previous page",
            "limit",
            "The maximum number of items in a page",
            IdempotencyKeys.HEADER,
            "Makes the request take effect once: a repeated request within 24 hours returns the stored response.",
            "conversation_id",
            "The `id` that `POST /conversations` returned",
            "workflow_id",
            "The workflow's id, which is in the address of the agent's page",
            "workflow_instance_id",
            "The `workflow_instance_id` from `POST /workflows/{workflow_id}/trigger/sync` or from a message's metadata");

    @Override
    public Parameter filterParameter(Parameter parameter) {
        return complete(parameter);
    }

    static Parameter complete(Parameter parameter) {
        if (parameter.getSchema() == null) {
            parameter.setSchema(OASFactory.createSchema().addType(Schema.SchemaType.STRING));
        }
        Schema schema = parameter.getSchema();
        if (schema.getType() == null && schema.getEnumeration() != null) {
            schema.addType(Schema.SchemaType.STRING);
        }
        if (schema.getRef() != null && isId(parameter.getName())) {
            schema.setRef(IdSchema.NAME); // A typed id, whose schema is that of responses.
        }
        boolean isPlain = List.of(Schema.SchemaType.STRING).equals(schema.getType())
                && schema.getPattern() == null
                && schema.getEnumeration() == null;
        String name = parameter.getName();
        if (isPlain && isId(name)) {
            parameter.setSchema(OASFactory.createSchema().ref(IdSchema.NAME));
        } else if (isPlain) {
            constrain(name, schema);
        } else if (INTEGERS.contains(name) && schema.getMinimum() == null) {
            schema.setMinimum(BigDecimal.ONE);
        }
        String description = DESCRIPTIONS.get(name);
        if (parameter.getDescription() == null && description != null) {
            parameter.setDescription(description);
        }
        return parameter;
    }

    private static void constrain(String name, Schema schema) {
        switch (name) {
            case IdempotencyKeys.HEADER -> schema.minLength(1).maxLength(255).pattern("^[!-~]+$");
            case "after" -> schema.minLength(1).maxLength(36).pattern("^[0-9a-fA-F-]+$");
            case "limit" ->
                schema.type(List.of(Schema.SchemaType.INTEGER))
                        .minimum(BigDecimal.ONE)
                        .maximum(BigDecimal.valueOf(Page.MAX_LIMIT))
                        .defaultValue(Page.DEFAULT_LIMIT);
            case "last_event_id" -> schema.setPattern(IdSchema.EVENT_ID);
            case "since", "until" -> schema.setFormat("date-time");
            case "taskId", "task" -> schema.setPattern("^[a-z0-9_-]{1,64}$");
            default -> {
                if (INTEGERS.contains(name)) {
                    schema.type(List.of(Schema.SchemaType.INTEGER)).minimum(BigDecimal.ONE);
                } else {
                    schema.setMinLength(1);
                    if ("".equals(schema.getDefaultValue())) {
                        schema.setDefaultValue(null); // How methods learn that the parameter is absent.
                    }
                }
            }
        }
    }

    private static boolean isId(String name) {
        boolean isNamedId = IDS.contains(name) || name.endsWith("Id") || name.endsWith("_id");
        return isNamedId && !INTEGERS.contains(name) && !OTHER_IDS.contains(name);
    }

    @Override
    public void filterOpenAPI(OpenAPI api) {
        api.getComponents().addSchema("Id", IdSchema.create());
    }
}
