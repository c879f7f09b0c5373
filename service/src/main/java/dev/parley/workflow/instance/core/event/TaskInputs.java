package dev.parley.workflow.instance.core.event;

import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a task that is about to run.
 *
 * @param values by input name, coerced to the parameters' types; an optional input without a value is null
 * @param toFetch inputs that the engine has to read from a store before it starts the task, by name
 */
public record TaskInputs(Map<String, @Nullable Object> values, Map<String, Fetch> toFetch) {
    public TaskInputs {
        values = ImmutableMaps.copy(values);
        toFetch = Map.copyOf(toFetch);
    }

    /** A value that the core cannot compute. */
    public enum Fetch {
        /** The system value {@code conversation_history}. */
        CONVERSATION_HISTORY,
        /** The latest output with the input's name from an earlier instance of the conversation. */
        EARLIER_OUTPUT,
        /** The rows of the parameter's data lake. */
        DATA_LAKE_ROWS
    }
}
