package dev.parley.workflow.task;

import dev.parley.workflow.task.file.MadeFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an executor made.
 *
 * @param outputs by output name; the engine checks them by the value rules
 * @param files file outputs that are there as bytes, by output name; the others are made of the outputs' text
 */
public record TaskResult(Map<String, @Nullable Object> outputs, Map<String, MadeFile> files) {
    public TaskResult {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        files = Map.copyOf(files);
    }

    public TaskResult(Map<String, @Nullable Object> outputs) {
        this(outputs, Map.of());
    }
}
