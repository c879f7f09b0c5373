package dev.parley.workflow.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of a JSON tree, whose members keep the order in which they are written here. */
final class OrderedJson {
    private OrderedJson() {}

    /** Names and values in turn. */
    static Map<String, @Nullable Object> map(@Nullable Object... members) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            tree.put(String.valueOf(members[i]), members[i + 1]);
        }
        return tree;
    }
}
