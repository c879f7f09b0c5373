package dev.parley.tool.openapi;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Media types in OpenAPI descriptions: in any case, with parameters such as a charset, or as a range. */
final class MediaTypes {
    static final String JSON = "application/json";
    static final String FORM = "application/x-www-form-urlencoded";
    static final String TEXT = "text/plain";

    /** The supported request body types, in order of preference. */
    private static final List<Predicate<String>> BODIES =
            List.of(JSON::equals, FORM::equals, TEXT::equals, MediaTypes::isJson, MediaTypes::isRangeOfJson);

    private MediaTypes() {}

    /** Type and subtype, in lower case. */
    static String plain(String type) {
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    }

    /** Whether values of this type are JSON. */
    static boolean isJson(String type) {
        String plain = plain(type);
        return plain.equals(JSON) || (plain.endsWith("+json") && !plain.contains("*"));
    }

    /** The preferred type among those offered for a request body. */
    static Optional<String> ofBody(Collection<String> offered) {
        return BODIES.stream()
                .flatMap(requested -> offered.stream().filter(type -> requested.test(plain(type))))
                .findFirst();
    }

    /** The first type offered for a response that is, or may be, JSON. */
    static Optional<String> jsonOf(Collection<String> offered) {
        return offered.stream().filter(MediaTypes::isJson).findFirst().or(() -> offered.stream()
                .filter(type -> isRangeOfJson(plain(type)))
                .findFirst());
    }

    /** The type for the header; a range is replaced by a concrete type. */
    static String sent(String offered) {
        return isRangeOfJson(plain(offered)) ? JSON : offered.strip();
    }

    private static boolean isRangeOfJson(String plain) {
        return plain.equals("*/*") || plain.equals("application/*") || plain.equals("application/*+json");
    }
}
