package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.part.TaskBasics;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task that outputs a fixed text. */
public record TextTask(TaskBasics basics, String text) implements Task {
    static final DocumentProperty<String> TEXT = DocumentProperty.text("text", DefinitionLimits.DESCRIPTION);

    @Override
    public TaskKind kind() {
        return TaskKind.TEXT;
    }

    static @Nullable Function<TaskBasics, Task> read(ObjectReader fields) {
        String text = fields.read(TEXT);
        return text == null ? null : basics -> new TextTask(basics, text);
    }
}
