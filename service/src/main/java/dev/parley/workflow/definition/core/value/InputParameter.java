package dev.parley.workflow.definition.core.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An input of a task.
 *
 * @param items the type of an ARRAY's items; null for other types
 * @param properties members of an OBJECT; empty for other types
 * @param value the definition's own value, coerced by the value rules; null for none
 */
public record InputParameter(
        String name,
        ValueType type,
        String description,
        boolean required,
        InputSource source,
        @Nullable ArrayItems items,
        List<ObjectProperty> properties,
        @Nullable Object value,
        DataSource dataSource) {
    public InputParameter {
        properties = List.copyOf(properties);
    }

    /** Whether people give the value, unless a connection supplies it. */
    public boolean asksPeople() {
        return source == InputSource.HUMAN_INPUT && dataSource.kind() == DataSource.DataSourceKind.MEMORY;
    }
}
