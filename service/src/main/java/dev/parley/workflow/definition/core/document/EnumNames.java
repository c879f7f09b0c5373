package dev.parley.workflow.definition.core.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Maps an enum's constants to their words in the agent document, in the enum's order. */
public final class EnumNames {
    private EnumNames() {}

    /** For constants whose words are their names in lower case. */
    public static <E extends Enum<E>> Map<String, E> lowerCase(E[] constants) {
        return of(constants, EnumNames::lowerCase);
    }

    public static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static <E> Map<String, E> of(E[] constants, Function<E, String> text) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : constants) {
            words.put(text.apply(constant), constant);
        }
        return Collections.unmodifiableMap(words);
    }
}
