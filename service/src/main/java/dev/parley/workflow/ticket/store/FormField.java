package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A field of a ticket's form: an output of the task, or an input that it lacks.
 *
 * @param type of {@link OutputType} for an output, of {@link ValueType} for an input
 * @param items the type of an ARRAY's items; null for other types
 * @param properties members of an OBJECT; empty for other types
 */
@Schema(name = "TicketFormField", description = "A field of the ticket's form.")
public record FormField(
        @Schema(examples = "approved") String name,
        FormFieldKind kind,

        @Schema(description = "A type of an output or input parameter", examples = "BOOLEAN")
        String type,

        String description,
        boolean required,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(type = SchemaType.OBJECT, description = "The type of an ARRAY's items; absent for other types")
        @Nullable
        ArrayItems items,

        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Schema(description = "Members of an OBJECT; absent for other types")
        List<ObjectProperty> properties) {

    private static final JsonPointer ANSWER = JsonPointer.ROOT.to("answer");

    /** The use of the value. */
    public enum FormFieldKind {
        @JsonProperty("output")
        OUTPUT,
        @JsonProperty("input")
        INPUT
    }

    /** Null properties mean none: they are omitted from the JSON. */
    @SuppressWarnings("ConstantValue")
    public FormField {
        properties = properties == null ? List.of() : List.copyOf(properties);
    }

    public static FormField of(OutputParameter output) {
        return new FormField(
                output.name(), FormFieldKind.OUTPUT, output.type().name(), output.description(), true, null, List.of());
    }

    public static FormField of(InputParameter input) {
        return new FormField(
                input.name(),
                FormFieldKind.INPUT,
                input.type().name(),
                input.description(),
                input.required(),
                input.items(),
                input.properties());
    }

    /** The coerced values in the order of the form; a 400 names invalid ones, and those that are not in the form. */
    public static Map<String, @Nullable Object> check(List<FormField> form, Map<String, @Nullable Object> values) {
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        for (FormField field : form) {
            Object value = field.check(values.get(field.name), ANSWER.to(field.name), violations);
            if (value != null) {
                answer.put(field.name, value);
            }
        }
        for (String name : values.keySet()) {
            if (form.stream().noneMatch(field -> field.name.equals(name))) {
                violations.add(new Violation(
                        Violation.UNKNOWN_FIELD,
                        ViolationCode.UNKNOWN_FIELD,
                        ANSWER.to(name).toString(),
                        "The form does not ask for this value."));
            }
        }
        if (!violations.isEmpty()) {
            throw ApiProblem.invalid(violations);
        }
        return answer;
    }

    /** The value coerced by the value rules; adds violations if they are broken. A required text is not blank. */
    private @Nullable Object check(@Nullable Object value, JsonPointer at, List<Violation> violations) {
        if (required && (value == null || (value instanceof String text && text.isBlank()))) {
            String problem = value == null ? "is required." : "is required and must not be blank.";
            violations.add(new Violation(
                    Violation.MISSING_REQUIRED_FIELD,
                    ViolationCode.REQUIRED,
                    at.toString(),
                    "The field '" + name + "' " + problem));
            return null;
        }
        if (value == null) {
            return null;
        }
        return switch (kind) {
            case OUTPUT -> ValueRules.coerce(OutputType.valueOf(type), value, at, violations);
            case INPUT -> ValueRules.coerce(ValueType.valueOf(type), items, properties, value, at, violations);
        };
    }
}
