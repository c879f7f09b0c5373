package dev.parley.tool.catalog;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.tool.source.SchemaTree;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates a call's arguments against the tool's schema, in which {@link SchemaTree} has resolved the references. */
final class ToolArgumentValidator {
    private static final int MAX_VIOLATIONS = 20;

    /** Each may become a violation, of about 400 bytes. */
    private static final long MAX_CHECKS = 500_000;

    /** The reads of one validation that are left to patterns. */
    private static final ScopedValue<PatternBudget> PATTERNS = ScopedValue.newInstance();

    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaCacheEnabled(false)
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .locale(Locale.ENGLISH)
                            .regularExpressionFactory(ToolArgumentValidator::bounded)
                            .build()));

    private ToolArgumentValidator() {}

    /** The violations, each with its JSON Pointer below {@code at}. */
    static List<Violation> violations(String schema, Map<String, @Nullable Object> arguments, String at) {
        if (!new SchemaChecks(MAX_CHECKS).allow(StrictJson.readObject(schema), arguments)) {
            return List.of(Violation.invalid(
                    ViolationCode.TOO_MANY, at, "The arguments have too many values for the tool's schema."));
        }
        try {
            return ScopedValue.where(PATTERNS, new PatternBudget())
                    .call(() -> SCHEMAS.getSchema(schema, InputFormat.JSON)
                            .validate(StrictJson.write(arguments), InputFormat.JSON))
                    .stream()
                    .limit(MAX_VIOLATIONS)
                    .map(error -> violation(error, at))
                    .toList();
        } catch (SchemaException | PatternBudgetException | StackOverflowError _) {
            return List.of(Violation.invalid(
                    ViolationCode.INVALID_VALUE, at, "The arguments could not be checked against the tool's schema."));
        }
    }

    private static Violation violation(Error error, String at) {
        String parent = at + error.getInstanceLocation();
        String property = error.getProperty();
        if ("required".equals(error.getKeyword()) && property != null) {
            return Violation.missing(Violation.member(parent, property));
        }
        String path = property == null ? parent : Violation.member(parent, property);
        String subject = path.isEmpty() ? "The arguments" : "'" + path + "'";
        String message = SchemaTree.shortened(error.getMessage(), 300);
        return Violation.invalid(ViolationCode.SCHEMA_MISMATCH, path, subject + ": " + message + ".")
                .with(Map.of("keyword", String.valueOf(error.getKeyword()), "message", message));
    }

    /** Untrusted patterns may take exponential time; these give up instead. */
    private static RegularExpression bounded(String expression) {
        Pattern pattern = Pattern.compile(expression);
        return text -> pattern.matcher(new CountingText(text, PATTERNS.get())).find();
    }

    private static final class PatternBudgetException extends RuntimeException {
        private static final long serialVersionUID = 1;

        PatternBudgetException() {
            super("a pattern takes too long", null, false, false);
        }
    }

    /** All patterns of a validation share it, because a schema may apply one to each of many texts. */
    private static final class PatternBudget {
        private int characterReads = 4_000_000;

        void spend() {
            if (--characterReads < 0) {
                throw new PatternBudgetException();
            }
        }
    }

    /** A text that counts the reads of its characters. */
    private record CountingText(CharSequence text, PatternBudget budget) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            budget.spend();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
