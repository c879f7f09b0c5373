package dev.parley.workflow.definition.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Maps an enum's constants to their words in the agent document, in the enum's order. */
public final class EnumNames {
    private EnumNames() {}

    public static <E> Map<String, E> of(E[] constants, Function<E, String> text) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : constants) {
            words.put(text.apply(constant), constant);
        }
        return Collections.unmodifiableMap(words);
    }
}
