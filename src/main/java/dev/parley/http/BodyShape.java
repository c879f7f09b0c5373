package dev.parley.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import dev.parley.problem.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds every field of a body that does not match its record. Data binding stops at the first one, so this runs only
 * after binding failed.
 */
final class BodyShape {
    /** A body of 1 MiB may have far more unknown fields than a client would read. */
    private static final int MAX_VIOLATIONS = 100;

    private final ObjectMapper mapper;
    private final List<Violation> violations = new ArrayList<>();

    BodyShape(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Sorted by path. The body must be well-formed JSON. */
    List<Violation> violations(String body, Class<?> type) {
        try {
            // Trailing text is reported by the caller.
            JsonNode tree = mapper.reader()
                    .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(body);
            check(tree, mapper.constructType(type), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return violations.stream().sorted(Violation.ORDER).toList();
    }

    private void check(JsonNode value, JavaType type, String path) throws IOException {
        if (violations.size() >= MAX_VIOLATIONS) {
            return;
        }
        if (value.isObject() && type.getRawClass().isRecord()) {
            checkRecord(value, type, path);
        } else if (value.isObject() && type.isMapLikeType()) {
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                check(member.getValue(), type.getContentType(), Violation.member(path, member.getKey()));
            }
        } else if (value.isArray() && type.isCollectionLikeType()) {
            for (int i = 0; i < value.size(); i++) {
                check(value.get(i), type.getContentType(), path + '/' + i);
            }
        } else {
            checkWhole(value, type, path);
        }
    }

    private void checkRecord(JsonNode value, JavaType type, String path) throws IOException {
        Map<String, BeanPropertyDefinition> properties =
                mapper.getDeserializationConfig().introspect(type).findProperties().stream()
                        .collect(Collectors.toMap(BeanPropertyDefinition::getName, Function.identity()));
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String at = Violation.member(path, member.getKey());
            BeanPropertyDefinition property = properties.get(member.getKey());
            if (property != null) {
                check(member.getValue(), property.getPrimaryType(), at);
            } else if (violations.size() < MAX_VIOLATIONS) {
                violations.add(StrictJson.unknownField(at, member.getKey()));
            }
        }
    }

    private void checkWhole(JsonNode value, JavaType type, String path) throws IOException {
        try {
            mapper.readerFor(type).readValue(mapper.treeAsTokens(value));
        } catch (JsonMappingException e) {
            violations.add(StrictJson.violation(e, path));
        } catch (JsonProcessingException _) {
            violations.add(Violation.invalid(path, "The value cannot be used.")); // An integer out of range.
        }
    }
}
