package dev.parley.tool.openapi;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.openapi.OpenApiOperation.Parameter;
import dev.parley.tool.source.PercentEncoding;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Serialises values in the styles of OpenAPI, which are those of RFC 6570. */
final class ParameterText {
    private ParameterText() {}

    /** The value of a parameter in a path or a header. */
    static String styled(Parameter parameter, Object value, Function<String, String> encode) {
        boolean explode = parameter.explode();
        return switch (parameter.style()) {
            case Parameter.JSON -> encode.apply(StrictJson.write(value));
            case "label" -> "." + joined(value, explode ? "." : ",", explode, encode);
            case "matrix" -> matrix(encode.apply(parameter.name()), value, explode, encode);
            default -> joined(value, ",", explode, encode);
        };
    }

    private static String matrix(String name, Object value, boolean explode, Function<String, String> encode) {
        return switch (value) {
            case List<?> items
            when explode ->
                items.stream()
                        .map(item -> ";" + name + "=" + encode.apply(text(item)))
                        .collect(Collectors.joining());
            case Map<?, ?> _ when explode -> ";" + joined(value, ";", true, encode);
            default -> ";" + name + "=" + joined(value, ",", false, encode);
        };
    }

    /** Items, or names and values of members, encoded and joined by a separator. */
    static String joined(Object value, String separator) {
        return joined(value, separator, false, PercentEncoding::encoded);
    }

    /** @param pairs whether a member is written {@code name=value} instead of as two items */
    private static String joined(Object value, String separator, boolean pairs, Function<String, String> encode) {
        Stream<String> parts =
                switch (value) {
                    case List<?> items -> items.stream().map(item -> encode.apply(text(item)));
                    case Map<?, ?> members ->
                        members.entrySet().stream()
                                .map(member -> encode.apply(String.valueOf(member.getKey()))
                                        + (pairs ? "=" : separator)
                                        + encode.apply(text(member.getValue())));
                    default -> Stream.of(encode.apply(text(value)));
                };
        return parts.collect(Collectors.joining(separator));
    }

    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case BigDecimal number -> number.toPlainString();
            case Map<?, ?> map -> StrictJson.write(map);
            case List<?> list -> StrictJson.write(list);
            default -> String.valueOf(value);
        };
    }
}
