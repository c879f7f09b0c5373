package dev.parley.openai.request;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object of a request. Clients send members that nobody reads, so these are ignored; a member of
 * another type than documented is a 400 that names it. A null counts as absent.
 */
public final class RequestFields {
    private final Map<String, @Nullable Object> members;
    private final String path;

    private RequestFields(Map<String, @Nullable Object> members, String path) {
        this.members = members;
        this.path = path;
    }

    public static RequestFields of(Map<String, @Nullable Object> body) {
        return new RequestFields(body, "");
    }

    /** A JSON object of names and values in turn, in this order; values may be null. */
    public static Map<String, @Nullable Object> json(@Nullable Object... members) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            object.put(String.valueOf(members[i]), members[i + 1]);
        }
        return object;
    }

    public Map<String, @Nullable Object> members() {
        return members;
    }

    /** The JSON Pointer of a member. */
    public String path(String name) {
        return Violation.member(path, name);
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    public Optional<String> text(String name) {
        return typed(name, String.class, "a string");
    }

    public String required(String name) {
        return text(name).orElseThrow(() -> ApiProblem.invalid(Violation.missing(path(name))));
    }

    public boolean flag(String name) {
        return typed(name, Boolean.class, "a boolean").orElse(false);
    }

    public Optional<RequestFields> object(String name) {
        return typed(name, Map.class, "an object").map(value -> child(value, path(name)));
    }

    /** The objects of a list; empty without one. */
    public List<RequestFields> objects(String name) {
        List<RequestFields> objects = new ArrayList<>();
        for (Object value : list(name)) {
            String at = path(name) + '/' + objects.size();
            objects.add(child(cast(value, Map.class, at, "an object"), at));
        }
        return objects;
    }

    /** The texts of a list; empty without one. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object value : list(name)) {
            texts.add(cast(value, String.class, path(name) + '/' + texts.size(), "a string"));
        }
        return texts;
    }

    public boolean isList(String name) {
        return members.get(name) instanceof List;
    }

    @Nullable
    public Double number(String name, double min, double max) {
        Optional<Number> number = typed(name, Number.class, "a number");
        number.ifPresent(value -> require(
                value.doubleValue() >= min && value.doubleValue() <= max,
                ViolationCode.OUT_OF_RANGE,
                name,
                "must be from " + min + " to " + max + "."));
        return number.map(Number::doubleValue).orElse(null);
    }

    @Nullable
    public Integer count(String name, int min) {
        Double number = number(name, min, Integer.MAX_VALUE);
        require(number == null || number == Math.rint(number), ViolationCode.WRONG_TYPE, name, "must be an integer.");
        return number == null ? null : number.intValue();
    }

    /** Refuses a member that would have an effect at OpenAI and has none here. */
    public void refuse(String name, boolean isRefused, String reason) {
        require(!isRefused, ViolationCode.NOT_ALLOWED, name, "is not supported: " + reason);
    }

    /** A text that must be one of some. */
    public ApiProblem notOneOf(String name, List<String> allowed) {
        return ApiProblem.invalid(Violation.invalid(
                        ViolationCode.NOT_ONE_OF,
                        path(name),
                        "'" + path(name) + "' must be one of " + String.join(", ", allowed) + ".")
                .with("allowed", allowed));
    }

    public void require(boolean holds, ViolationCode code, String name, String rule) {
        if (!holds) {
            throw ApiProblem.invalid(Violation.invalid(code, path(name), "'" + path(name) + "' " + rule));
        }
    }

    public ApiProblem wrongType(String name, String expected) {
        return wrong(path(name), expected);
    }

    @SuppressWarnings("unchecked")
    private static RequestFields child(Map<?, ?> value, String path) {
        return new RequestFields((Map<String, @Nullable Object>) value, path);
    }

    private List<?> list(String name) {
        return typed(name, List.class, "an array").orElse(List.of());
    }

    private <T> Optional<T> typed(String name, Class<T> type, String expected) {
        Object value = members.get(name);
        return value == null ? Optional.empty() : Optional.of(cast(value, type, path(name), expected));
    }

    private static <T> T cast(@Nullable Object value, Class<T> type, String at, String expected) {
        if (!type.isInstance(value)) {
            throw wrong(at, expected);
        }
        return type.cast(value);
    }

    private static ApiProblem wrong(String at, String expected) {
        return ApiProblem.invalid(new Violation(
                        Violation.INVALID_TYPE, ViolationCode.WRONG_TYPE, at, "'" + at + "' must be " + expected + ".")
                .with("expected", expected.substring(expected.indexOf(' ') + 1)));
    }
}
