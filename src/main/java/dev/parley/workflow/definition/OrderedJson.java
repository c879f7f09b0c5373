package dev.parley.workflow.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds JSON objects whose members keep the order of the arguments. */
final class OrderedJson {
    private OrderedJson() {}

    /** Alternating names and values. */
    static Map<String, @Nullable Object> map(@Nullable Object... members) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            tree.put(String.valueOf(members[i]), members[i + 1]);
        }
        return tree;
    }
}
