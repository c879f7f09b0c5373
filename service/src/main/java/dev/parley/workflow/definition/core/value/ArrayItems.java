package dev.parley.workflow.definition.core.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type of an ARRAY's items.
 *
 * @param items required if {@code type} is ARRAY, else null
 * @param properties required if {@code type} is OBJECT, else empty
 */
public record ArrayItems(ValueType type, @Nullable ArrayItems items, List<ObjectProperty> properties) {
    public ArrayItems {
        properties = List.copyOf(properties);
    }
}
