package dev.parley.http.constraint;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/** A text of {@link #min} to {@link #max} characters, which are code points; not blank if {@code min} is above 0. */
@Constraint(validatedBy = Text.Validator.class)
@Target({ElementType.FIELD, ElementType.TYPE_USE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Text {
    int min() default 0;

    int max();

    String message() default "must have {min} to {max} characters";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Accepts null, as all constraints but {@code NotNull} do. */
    final class Validator implements ConstraintValidator<Text, CharSequence> {
        private int min;
        private int max;

        @Override
        public void initialize(Text constraint) {
            min = constraint.min();
            max = constraint.max();
        }

        @Override
        public boolean isValid(@Nullable CharSequence value, ConstraintValidatorContext context) {
            return value == null || is(value, min, max);
        }

        static boolean is(CharSequence value, int min, int max) {
            int length = Character.codePointCount(value, 0, value.length());
            return length >= min
                    && length <= max
                    && (min == 0 || !value.toString().isBlank());
        }
    }
}
