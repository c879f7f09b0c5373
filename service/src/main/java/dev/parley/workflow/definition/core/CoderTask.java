package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.part.TaskBasics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task that runs a code artifact in the sandbox. */
public record CoderTask(TaskBasics basics, int codeArtifactId) implements Task {
    static final DocumentProperty<Integer> CODE_ARTIFACT_ID =
            DocumentProperty.integer("code_artifact_id", 1, Integer.MAX_VALUE);

    @Override
    public TaskKind kind() {
        return TaskKind.CODER;
    }

    static @Nullable Function<TaskBasics, Task> read(
            ObjectReader fields, @Nullable KnownReferences known, List<ReadTask.ReadInput> inputs) {
        Integer id = fields.read(CODE_ARTIFACT_ID);
        Set<String> required =
                id == null || known == null ? null : known.codeArtifacts().get(id);
        if (required != null) {
            SuppliedInputs.check(required, inputs, fields, "The code");
        } else if (id != null && known != null) {
            fields.violations()
                    .missing(
                            ViolationCode.NOT_FOUND,
                            fields.at().to(CODE_ARTIFACT_ID.name()),
                            "There is no code artifact with the id " + id + " in the organization.",
                            Map.of("id", id));
        }
        return id == null ? null : basics -> new CoderTask(basics, id);
    }
}
