package dev.parley.workflow.instance.core.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The change between two states of a task's items.
 *
 * @param values the value of each item if the items are new, else null
 * @param states the states of the items that changed, by index
 */
public record ItemsDelta(@Nullable List<@Nullable Object> values, Map<Integer, TaskState> states) {
    public ItemsDelta {
        values = values == null ? null : Collections.unmodifiableList(new ArrayList<>(values));
        states = Map.copyOf(states);
    }
}
