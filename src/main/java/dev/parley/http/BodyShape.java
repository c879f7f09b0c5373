package dev.parley.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import dev.parley.http.constraint.RequestConstraints;
import dev.parley.problem.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Finds every field of a body that does not match its record. Data binding stops at the first one, so this runs only
 * after binding failed. It also applies what the record's {@link Schema} annotations say of its values, because the
 * resource, which checks them otherwise, does not get the body.
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
        Set<String> invalid = violations.stream().map(Violation::path).collect(Collectors.toSet());
        Schema whole = type.getRawClass().getAnnotation(Schema.class);
        Set<String> required = whole == null ? Set.of() : Set.of(whole.requiredProperties());
        Map<String, BeanPropertyDefinition> byComponent = properties.values().stream()
                .collect(Collectors.toMap(BeanPropertyDefinition::getInternalName, Function.identity()));
        for (RecordComponent component : type.getRawClass().getRecordComponents()) {
            BeanPropertyDefinition property = byComponent.get(component.getName());
            Schema schema = component.getAccessor().getAnnotation(Schema.class);
            if (property == null) {
                continue;
            }
            String at = Violation.member(path, property.getName());
            JsonNode member = value.path(property.getName());
            if (member.isNull() && schema != null && schema.nullable()) {
                continue;
            }
            if (invalid.stream().noneMatch(other -> (other + "/").startsWith(at + "/"))) {
                Object bound = member.isMissingNode() || member.isNull()
                        ? null
                        : mapper.readerFor(property.getPrimaryType()).readValue(mapper.treeAsTokens(member));
                RequestConstraints.check(type.getRawClass(), component.getName(), bound, path)
                        .forEach(this::add);
            }
            if (member.isMissingNode() || member.isNull()) {
                if (required.contains(property.getName()) || (schema != null && schema.required())) {
                    add(Violation.missing(at));
                }
            } else if (!invalid.contains(at)) {
                checkIds(member, property.getName(), at);
                if (schema != null) {
                    checkValue(member, schema, at);
                }
            }
        }
    }

    /** Ids are known by their names, as in the OpenAPI document. */
    private void checkIds(JsonNode value, String name, String at) {
        if (value.isArray() && name.endsWith("_ids")) {
            for (int i = 0; i < value.size(); i++) {
                checkIds(value.get(i), "_id", at + "/" + i);
            }
        } else if (IdSchema.isId(name)
                && value.isTextual()
                && !value.textValue().matches(IdSchema.ID)) {
            add(Violation.invalid(at, "'" + at + "' must be an id of 32 hex digits."));
        }
    }

    private void checkValue(JsonNode value, Schema schema, String at) {
        if (value.isTextual()) {
            String text = value.asText();
            int length = text.codePointCount(0, text.length());
            int min = schema.minLength();
            if (length < min || (min > 0 && text.isBlank()) || length > schema.maxLength()) {
                String most =
                        schema.maxLength() == Integer.MAX_VALUE ? "at least " + min : min + " to " + schema.maxLength();
                add(Violation.invalid(at, "'" + at + "' must have " + most + " characters."));
            } else if (schema.enumeration().length > 0
                    && !List.of(schema.enumeration()).contains(text)) {
                add(Violation.invalid(
                        at, "'" + at + "' must be one of " + String.join(", ", schema.enumeration()) + "."));
            } else if (!schema.pattern().isEmpty() && !text.matches(schema.pattern())) {
                add(Violation.invalid(at, "'" + at + "' has characters that are not allowed, or another form."));
            }
        } else if (value.isNumber()) {
            boolean fits = (schema.minimum().isEmpty()
                            || value.decimalValue().compareTo(new BigDecimal(schema.minimum())) >= 0)
                    && (schema.maximum().isEmpty()
                            || value.decimalValue().compareTo(new BigDecimal(schema.maximum())) <= 0);
            if (!fits) {
                add(Violation.invalid(at, "'" + at + "' is out of range."));
            }
        } else if (value.isArray()) {
            int most = schema.maxItems() == Integer.MIN_VALUE ? Integer.MAX_VALUE : schema.maxItems();
            int least = schema.minItems() == Integer.MAX_VALUE ? 0 : schema.minItems();
            if (value.size() < least || value.size() > most) {
                add(Violation.invalid(at, "'" + at + "' has too few or too many entries."));
            }
        }
    }

    private void add(Violation violation) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(violation);
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
