package dev.parley.http.constraint;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
        Object value = violation.getInvalidValue();
        String detail = "'" + path + "' " + violation.getMessage() + ".";
        return switch (violation.getConstraintDescriptor().getAnnotation()) {
            case NotNull _ -> Violation.missing(path);
            case Name _ -> Violation.invalid(ViolationCode.INVALID_CHARACTERS, path, detail);
            case Text text -> outOfBounds(path, detail, value, text.min(), text.max());
            case Size size -> outOfBounds(path, detail, value, size.min(), size.max());
            case Min min ->
                Violation.invalid(ViolationCode.OUT_OF_RANGE, path, detail).with("min", min.value());
            case Max max ->
                Violation.invalid(ViolationCode.OUT_OF_RANGE, path, detail).with("max", max.value());
            // ArchitectureTest allows no other constraints.
            default -> Violation.invalid(ViolationCode.INVALID_VALUE, path, detail);
        };
    }

    private static Violation outOfBounds(String path, String detail, @Nullable Object value, int min, int max) {
        boolean isTooMuch =
                switch (value) {
                    case CharSequence text -> Character.codePointCount(text, 0, text.length()) > max;
                    case Collection<?> items -> items.size() > max;
                    case Map<?, ?> members -> members.size() > max;
                    case null, default -> false;
                };
        ViolationCode code = value instanceof CharSequence
                ? isTooMuch ? ViolationCode.TOO_LONG : ViolationCode.TOO_SHORT
                : isTooMuch ? ViolationCode.TOO_MANY : ViolationCode.TOO_FEW;
        var bounded = Violation.invalid(code, path, detail);
        return max == Integer.MAX_VALUE ? bounded.with("min", min) : bounded.with(Map.of("min", min, "max", max));
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
