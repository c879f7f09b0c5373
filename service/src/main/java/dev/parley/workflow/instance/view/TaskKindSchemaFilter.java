package dev.parley.workflow.instance.view;

import dev.parley.workflow.definition.core.TaskKind;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.Arrays;
import java.util.Objects;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Lists the task kinds in the schema of a task instance. An annotation could only repeat their words. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class TaskKindSchemaFilter implements OASFilter {
    @Override
    public void filterOpenAPI(OpenAPI api) {
        Schema task = Objects.requireNonNull(api.getComponents().getSchemas().get("TaskInstance"));
        Schema kind = Objects.requireNonNull(task.getProperties().get("kind"));
        kind.setEnumeration(
                Arrays.stream(TaskKind.values()).<Object>map(TaskKind::text).toList());
    }
}
