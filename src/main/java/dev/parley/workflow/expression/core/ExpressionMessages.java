package dev.parley.workflow.expression.core;

import java.util.regex.Pattern;

/** Rewrites messages of the CEL library for people who do not know its type system. */
final class ExpressionMessages {
    private static final Pattern POSITION = Pattern.compile("^evaluation error at [^ ]*: ");
    private static final Pattern NULLABLE = Pattern.compile("wrapper\\((\\w+)\\)");
    private static final Pattern CONTAINER = Pattern.compile(" \\(in container ''\\)");
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)$");
    private static final Pattern TYPED_NULL =
            Pattern.compile("No matching overload for function '_?([^']*?)_?'\\. Overload candidates: .*");
    private static final Pattern END = Pattern.compile("mismatched input '<EOF>'");
    private static final Pattern EXPECTING = Pattern.compile(" expecting \\{.*");

    private ExpressionMessages() {}

    static String readable(String message) {
        String text = POSITION.matcher(message).replaceFirst("");
        text = NULLABLE.matcher(text).replaceAll("$1");
        text = CONTAINER.matcher(text).replaceAll("");
        text = CANDIDATES.matcher(text).replaceFirst("");
        text = EXPECTING.matcher(text).replaceFirst("");
        text = END.matcher(text).replaceFirst("the condition ends too early");
        return TYPED_NULL.matcher(text).replaceFirst("'$1' cannot be applied to these values; one of them may be null");
    }
}
