package dev.parley.http.constraint;

import dev.parley.http.core.SingleLineText;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/** A name: a {@link Text} of 1 to {@link #max} characters, which is {@link SingleLineText}. */
@Text(min = 1, max = 0)
@Constraint(validatedBy = Name.Validator.class)
@Target({ElementType.FIELD, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Name {
    @jakarta.validation.OverridesAttribute(constraint = Text.class, name = "max")
    int max() default 100;

    String message() default
            "must not contain control characters, line breaks or characters that change the text direction";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Accepts null. */
    final class Validator implements ConstraintValidator<Name, String> {
        @Override
        public boolean isValid(@Nullable String value, ConstraintValidatorContext context) {
            return value == null || SingleLineText.is(value);
        }
    }
}
