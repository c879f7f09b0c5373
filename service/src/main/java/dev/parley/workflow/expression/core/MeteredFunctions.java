package dev.parley.workflow.expression.core;

import dev.cel.common.CelErrorCode;
import dev.cel.common.CelRuntimeException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The standard functions of CEL. Each spends its cost before it does its work, and none is worse than linear. */
final class MeteredFunctions {
    /** Longer texts are no numbers, times, durations or time zones; CEL's parser of durations is quadratic. */
    private static final int MAX_CONVERTED_LENGTH = 100;

    private static final int MAX_PATTERN_LENGTH = 1_000;

    private static final int MAX_PATTERN_SIZE = 5_000;
    private static final int COMPILED_INSTRUCTION = 5_000;

    private static final Pattern REPETITION = Pattern.compile("(?s)(.?)\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

    /** The end of a range in a character class. */
    private static final Pattern RANGE_END = Pattern.compile("(?s)-(?=(.))");

    /** RE2 looks up each character of a range in a pattern that ignores case. */
    private static final int FOLDED_CHARACTER = 40;

    /** The characters beyond have no case, for RE2. */
    private static final int MAX_FOLDED = 0x1044f;

    /** RE2 visits each instruction of the pattern for each character, if it has to. */
    private static final int INSTRUCTION = 20;

    private static final RuntimeEquality EQUALITY =
            RuntimeEquality.create(RuntimeHelpers.create(), ExpressionCompiler.OPTIONS);

    private MeteredFunctions() {}

    static List<CelFunctionBinding> all() {
        return CelStandardFunctions.newBuilder()
                .build()
                .newFunctionBindings(EQUALITY, ExpressionCompiler.OPTIONS)
                .stream()
                .map(MeteredFunctions::metered)
                .toList();
    }

    private static CelFunctionBinding metered(CelFunctionBinding standard) {
        CelFunctionOverload original = standard.getDefinition();
        CelFunctionOverload metered =
                switch (standard.getOverloadId()) {
                    case "equals" -> args -> isEqual(args[0], args[1]);
                    case "not_equals" -> args -> !isEqual(args[0], args[1]);
                    case "in_list" -> args -> contains((List<?>) args[1], args[0]);
                    case "contains_string" -> args -> contains((String) args[0], (String) args[1]);
                    case "matches", "matches_string" -> args -> matches((String) args[0], (String) args[1]);
                    case "size_string", "string_size" -> spendingOn(0, original);
                    case "starts_with_string", "ends_with_string" -> spendingOn(1, original);
                    case "in_map" -> spendingOn(0, args -> original.apply(new Object[] {scalar(args[0]), args[1]}));
                    case "index_map" -> spendingOn(1, args -> original.apply(new Object[] {args[0], scalar(args[1])}));
                    case "string_to_string", "to_dyn" -> original;
                    case "less_string", "less_equals_string", "greater_string", "greater_equals_string" ->
                        args -> {
                            cost().spend(Math.min(((String) args[0]).length(), ((String) args[1]).length()));
                            return original.apply(args);
                        };
                    default ->
                        args -> {
                            for (Object argument : args) {
                                if (argument instanceof String text) {
                                    spendOnConversion(text);
                                }
                            }
                            return original.apply(args);
                        };
                };
        return CelFunctionBinding.from(standard.getOverloadId(), standard.getArgTypes(), args -> {
            try {
                return metered.apply(args);
            } catch (CelRuntimeException e) {
                throw e;
            } catch (RuntimeException e) { // CEL would quote all arguments, however large.
                throw new CelRuntimeException(e, CelErrorCode.INVALID_ARGUMENT);
            }
        });
    }

    private static CelFunctionOverload spendingOn(int argument, CelFunctionOverload function) {
        return args -> {
            cost().spendOn(args[argument]);
            return function.apply(args);
        };
    }

    /** A failed look-up quotes its key. */
    private static Object scalar(Object key) {
        if (key instanceof List || key instanceof Map) {
            throw new IllegalArgumentException("A list or an object cannot be a key.");
        }
        return key;
    }

    private static EvaluationCost cost() {
        return EvaluationCost.CURRENT.get();
    }

    private static boolean isEqual(Object left, Object right) {
        cost().spend(EvaluationCost.ELEMENT);
        return switch (left) {
            case String text
            when right instanceof String other -> {
                cost().spend(text.length() == other.length() ? text.length() : 0);
                yield text.equals(other);
            }
            case List<?> items when right instanceof List<?> others -> isEqual(items, others);
            case Map<?, ?> members when right instanceof Map<?, ?> others -> isEqual(members, others);
            case Long integer when right instanceof Double number -> isEqual(integer, number);
            case Double number when right instanceof Long integer -> isEqual(integer, number);
            default -> EQUALITY.objectEquals(left, right);
        };
    }

    /** Exact: CEL would round the integer. */
    private static boolean isEqual(Long integer, Double number) {
        return Double.isFinite(number) && new BigDecimal(number).compareTo(BigDecimal.valueOf(integer)) == 0;
    }

    private static boolean isEqual(List<?> left, List<?> right) {
        boolean isEqual = left.size() == right.size();
        for (int i = 0; isEqual && i < left.size(); i++) {
            isEqual = isEqual(left.get(i), right.get(i));
        }
        return isEqual;
    }

    private static boolean isEqual(Map<?, ?> left, Map<?, ?> right) {
        return left.size() == right.size()
                && left.entrySet().stream().allMatch(entry -> {
                    cost().spendOn(entry.getKey());
                    Optional<Object> other = EQUALITY.findInMap(right, entry.getKey());
                    return other.isPresent() && isEqual(entry.getValue(), other.get());
                });
    }

    private static boolean contains(List<?> items, Object value) {
        return items.stream().anyMatch(item -> isEqual(item, value));
    }

    /** The algorithm of Knuth, Morris and Pratt: {@link String#contains} takes the product of the lengths. */
    private static boolean contains(String text, String part) {
        cost().spend(2L * text.length() + 3L * part.length());
        int[] fallback = new int[part.length() + 1];
        fallback[0] = -1;
        for (int i = 0, matched = -1; i < part.length(); ) {
            while (matched >= 0 && part.charAt(i) != part.charAt(matched)) {
                matched = fallback[matched];
            }
            fallback[++i] = ++matched;
        }
        int matched = 0;
        for (int i = 0; i < text.length() && matched < part.length(); i++) {
            while (matched >= 0 && text.charAt(i) != part.charAt(matched)) {
                matched = fallback[matched];
            }
            matched++;
        }
        return matched == part.length();
    }

    /** Throws for a pattern that no evaluation can match. */
    static void checkPattern(String expression) {
        var _ = requireSize(expression);
        var _ = RuntimeHelpers.matches("", expression, ExpressionCompiler.OPTIONS);
    }

    private static long requireSize(String expression) {
        if (expression.length() > MAX_PATTERN_LENGTH) {
            throw new IllegalArgumentException("A pattern may have at most 1,000 characters.");
        }
        long size = maxSize(expression);
        if (size > MAX_PATTERN_SIZE) {
            throw new IllegalArgumentException("The repetitions of the pattern make it too large.");
        }
        return size;
    }

    private static boolean matches(String text, String expression) {
        long size = requireSize(expression);
        cost().spend(size * (COMPILED_INSTRUCTION + (long) INSTRUCTION * text.length()));
        cost().spend(FOLDED_CHARACTER * rangedCharacters(expression));
        return RuntimeHelpers.matches(text, expression, ExpressionCompiler.OPTIONS);
    }

    /** An upper bound of the instructions of a pattern: {@code ((a{1000}){1000}){1000}} would exhaust the memory. */
    private static long maxSize(String expression) {
        long size = expression.length();
        for (MatchResult found : REPETITION.matcher(expression).results().toList()) {
            long most = Math.max(count(found.group(2)), count(found.group(3)));
            // What a parenthesis closes is part of what was counted so far.
            boolean isGroup = !found.group(1).isEmpty() && ")}*+?".contains(found.group(1));
            size = Math.min(Integer.MAX_VALUE, isGroup ? size * most : size + most);
        }
        return size;
    }

    /** An upper bound of the characters in the ranges of a pattern. */
    private static long rangedCharacters(String expression) {
        return RANGE_END
                .matcher(expression)
                .results()
                .mapToLong(range -> {
                    int end = range.group(1).codePointAt(0);
                    return end == '\\' ? MAX_FOLDED : Math.min(end, MAX_FOLDED);
                })
                .sum();
    }

    private static long count(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 1 : Long.parseLong(digits);
    }

    private static void spendOnConversion(String text) {
        if (text.length() > MAX_CONVERTED_LENGTH) {
            throw new IllegalArgumentException("A text of more than 100 characters is no number, time or duration.");
        }
        cost().spend((long) EvaluationCost.CONVERTED_CHARACTER * text.length());
    }
}
