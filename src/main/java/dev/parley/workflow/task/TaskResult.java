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
 * @param promptTokens tokens that models read; 0 where none was called
 * @param completionTokens tokens that models wrote
 * @param costMicros what the models cost, in millionths of the currency of the price settings
 * @param files file outputs that are there as bytes, by output name; the others are made of the outputs' text
 */
public record TaskResult(
        Map<String, @Nullable Object> outputs,
        long promptTokens,
        long completionTokens,
        long costMicros,
        Map<String, MadeFile> files) {
    public TaskResult {
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        files = Map.copyOf(files);
    }

    public TaskResult(
            Map<String, @Nullable Object> outputs, long promptTokens, long completionTokens, long costMicros) {
        this(outputs, promptTokens, completionTokens, costMicros, Map.of());
    }
}
