package dev.parley.workflow.definition;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes JSON trees by pointer, for tests that break a valid document in one place. */
public final class JsonEdit {
    private JsonEdit() {}

    public static Object get(Object tree, String pointer) {
        Object node = tree;
        for (String segment :
                pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/")) {
            Object inner = node instanceof List<?> list
                    ? list.get(Integer.parseInt(segment))
                    : ((Map<?, ?>) node).get(segment);
            node = Objects.requireNonNull(inner, pointer);
        }
        return node;
    }

    /** Sets a member or an item; an index equal to the size appends. */
    @SuppressWarnings("unchecked")
    public static void set(Object tree, String pointer, @Nullable Object value) {
        int slash = pointer.lastIndexOf('/');
        Object parent = get(tree, pointer.substring(0, slash));
        String last = pointer.substring(slash + 1);
        if (parent instanceof List<?> list) {
            int index = Integer.parseInt(last);
            if (index == list.size()) {
                ((List<@Nullable Object>) list).add(value);
            } else {
                ((List<@Nullable Object>) list).set(index, value);
            }
        } else {
            ((Map<String, @Nullable Object>) parent).put(last, value);
        }
    }

    public static void remove(Object tree, String pointer) {
        int slash = pointer.lastIndexOf('/');
        Object parent = get(tree, pointer.substring(0, slash));
        if (parent instanceof List<?> list) {
            list.remove(Integer.parseInt(pointer.substring(slash + 1)));
        } else {
            ((Map<?, ?>) parent).remove(pointer.substring(slash + 1));
        }
    }
}
