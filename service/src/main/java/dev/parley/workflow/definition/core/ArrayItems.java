package dev.parley.workflow.definition.core;

import dev.parley.problem.Violation;
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

    /**
     * Reads the {@code items} of an ARRAY outside of a workflow document.
     *
     * @param owner the ARRAY's name in sentences, such as {@code "the input 'rows'"}
     * @return null after a violation
     */
    public static @Nullable ArrayItems read(
            @Nullable Object node, JsonPointer at, String owner, List<Violation> violations) {
        int before = violations.size();
        ArrayItems items = new InputReader(null, ViolationCollector.in(violations, false)).items(node, at, owner, 1);
        return violations.size() > before ? null : items;
    }
}
