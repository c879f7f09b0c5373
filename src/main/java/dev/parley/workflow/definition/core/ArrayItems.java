package dev.parley.workflow.definition.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an ARRAY holds.
 *
 * @param items required where {@code type} is ARRAY again, else null
 * @param properties required where {@code type} is OBJECT, else empty
 */
public record ArrayItems(ValueType type, @Nullable ArrayItems items, List<ObjectProperty> properties) {
    public ArrayItems {
        properties = List.copyOf(properties);
    }
}
