package dev.parley.workflow.instance.core;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a task about to run.
 *
 * @param values by input name, coerced to the parameters' types; an optional input without a value is null
 * @param toFetch inputs that the engine has to read from a store before it starts the task, by name
 */
public record TaskInputs(Map<String, @Nullable Object> values, Map<String, Fetch> toFetch) {
    public TaskInputs {
        values = ImmutableMaps.copy(values);
        toFetch = Map.copyOf(toFetch);
    }

    /** What the core cannot know. */
    public enum Fetch {
        /** The system value {@code conversation_history}. */
        CONVERSATION_HISTORY,
        /** The latest output of the input's name that an earlier instance of the conversation gave. */
        EARLIER_OUTPUT,
        /** The rows of the parameter's data lake. */
        DATA_LAKE_ROWS
    }
}
