package dev.parley.workflow.task;

import dev.parley.workflow.task.file.MadeFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an executor.
 *
 * @param outputs by output name; the engine validates them by the value rules
 * @param files file outputs given as bytes, by output name; the others are rendered from the outputs' text
 */
public record TaskResult(Map<String, @Nullable Object> outputs, Map<String, MadeFile> files) implements TaskOutcome {
    public TaskResult {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        files = Map.copyOf(files);
    }

    public TaskResult(Map<String, @Nullable Object> outputs) {
        this(outputs, Map.of());
    }
}
