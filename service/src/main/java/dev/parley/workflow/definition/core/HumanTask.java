package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.part.TaskBasics;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task that a person performs: it opens a ticket whose form is built from the outputs.
 *
 * @param dueInMinutes time from opening to the ticket's due date; null for none
 */
public record HumanTask(TaskBasics basics, @Nullable Integer dueInMinutes) implements Task {
    static final DocumentProperty<Integer> DUE_IN_MINUTES = DocumentProperty.integer(
                    "due_in_minutes", 1, DefinitionLimits.DUE_IN_MINUTES)
            .optional();

    @Override
    public @Nullable Duration due() {
        return dueInMinutes == null ? null : Duration.ofMinutes(dueInMinutes);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.HUMAN;
    }

    static Function<TaskBasics, Task> read(ObjectReader fields) {
        Integer due = fields.read(DUE_IN_MINUTES);
        return basics -> new HumanTask(basics, due);
    }
}
