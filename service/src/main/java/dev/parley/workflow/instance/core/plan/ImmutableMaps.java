package dev.parley.workflow.instance.core.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies maps that may hold null values, which {@link Map#copyOf} rejects. Keeps the order. */
public final class ImmutableMaps {
    private ImmutableMaps() {}

    public static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
