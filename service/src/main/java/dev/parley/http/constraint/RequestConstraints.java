package dev.parley.http.constraint;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import dev.parley.problem.Violation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Set;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.jspecify.annotations.Nullable;

/** Checks the constraints of a request record's members. */
public final class RequestConstraints {
    private static final Validator VALIDATOR = Validation.byProvider(HibernateValidator.class)
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()
            .getValidator();

    private static final SnakeCaseStrategy NAMES = new SnakeCaseStrategy();

    private RequestConstraints() {}

    /** The violations of the body, sorted by path. */
    public static List<Violation> violations(Object body) {
        return sorted(VALIDATOR.validate(body), "");
    }

    /** The violations of one member, with any value, by the JSON Pointer of the record. */
    public static List<Violation> check(Class<?> record, String member, @Nullable Object value, String base) {
        return sorted(VALIDATOR.validateValue(record, member, value), base);
    }

    private static List<Violation> sorted(Set<? extends ConstraintViolation<?>> violations, String base) {
        return violations.stream()
                .map(violation -> violation(violation, base))
                .distinct()
                .sorted(Violation.ORDER)
                .toList();
    }

    private static Violation violation(ConstraintViolation<?> violation, String base) {
        String path = base + pointer(violation.getPropertyPath());
        if (violation.getConstraintDescriptor().getAnnotation() instanceof NotNull) {
            return Violation.missing(path);
        }
        return Violation.invalid(path, "'" + path + "' " + violation.getMessage() + ".");
    }

    private static String pointer(Path path) {
        String pointer = "";
        for (Path.Node node : path) {
            if (node.getIndex() != null) {
                pointer += "/" + node.getIndex();
            }
            if (node.getKey() != null) {
                pointer = Violation.member(pointer, node.getKey().toString());
            }
            if (node.getName() != null && !node.getName().startsWith("<")) {
                pointer = Violation.member(pointer, NAMES.translate(node.getName()));
            }
        }
        return pointer;
    }
}
