package dev.parley.http.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.id.Id;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds every field of a body that does not match its record. Data binding stops at the first one. */
final class BodyShape {
    /** A body of 1 MiB may have far more unknown fields than a client would read. */
    private static final int MAX_VIOLATIONS = 100;

    private final ObjectMapper mapper;
    private final List<Violation> violations = new ArrayList<>();

    BodyShape(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Removes the members that do not match, so that the rest can be bound, and returns their violations. Throws an
     * {@link ApiProblem} with them if the body is not an object, or if there are 100.
     */
    List<Violation> removeMismatches(JsonNode body, Class<?> type) throws IOException {
        if (!matches(body, mapper.constructType(type), "")) {
            throw ApiProblem.invalid(violations.stream().sorted(Violation.ORDER).toList());
        }
        return violations;
    }

    private boolean matches(JsonNode value, JavaType type, String path) throws IOException {
        boolean isRecord = type.getRawClass().isRecord() && !type.isTypeOrSubTypeOf(Id.class); // An id is a string.
        if (value instanceof ObjectNode object && (isRecord || type.isMapLikeType())) {
            Map<String, JavaType> members = type.isMapLikeType() ? Map.of() : members(type);
            for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
                String name = member.getKey();
                String at = Violation.member(path, name);
                JavaType expected = type.isMapLikeType() ? type.getContentType() : members.get(name);
                if (expected == null) {
                    add(StrictJson.unknownField(at, name));
                    object.remove(name);
                } else if (!matches(member.getValue(), expected, at)) {
                    object.remove(name);
                }
            }
            return true;
        }
        if (value.isArray() && type.isCollectionLikeType()) {
            boolean matches = true;
            for (int i = 0; i < value.size(); i++) {
                matches &= matches(value.get(i), type.getContentType(), path + '/' + i);
            }
            return matches;
        }
        return canBeBound(value, type, path);
    }

    private Map<String, JavaType> members(JavaType record) {
        return mapper.getDeserializationConfig().introspect(record).findProperties().stream()
                .collect(Collectors.toMap(BeanPropertyDefinition::getName, BeanPropertyDefinition::getPrimaryType));
    }

    private boolean canBeBound(JsonNode value, JavaType type, String path) throws IOException {
        try {
            mapper.readerFor(type).readValue(mapper.treeAsTokens(value));
            return true;
        } catch (JsonMappingException e) {
            add(StrictJson.violation(e, path));
        } catch (JsonProcessingException _) {
            add(Violation.invalid(ViolationCode.OUT_OF_RANGE, path, "The value cannot be used."));
        }
        return false;
    }

    private void add(Violation violation) {
        violations.add(violation);
        if (violations.size() == MAX_VIOLATIONS) {
            throw ApiProblem.invalid(violations.stream().sorted(Violation.ORDER).toList());
        }
    }
}
