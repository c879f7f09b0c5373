package dev.parley.workflow.ticket;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.ArrayItems;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.ObjectProperty;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.OutputType;
import dev.parley.workflow.definition.core.ValueRules;
import dev.parley.workflow.definition.core.ValueType;
import java.util.List;
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

    /** The value coerced by the value rules; adds violations if they are broken. A required text is not blank. */
    @Nullable
    Object check(@Nullable Object value, JsonPointer at, List<Violation> violations) {
        if (required && (value == null || (value instanceof String text && text.isBlank()))) {
            String problem = value == null ? "is required." : "is required and must not be blank.";
            violations.add(new Violation(
                    Violation.MISSING_REQUIRED_FIELD, at.toString(), "The field '" + name + "' " + problem));
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
