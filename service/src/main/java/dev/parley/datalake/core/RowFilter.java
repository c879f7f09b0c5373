package dev.parley.datalake.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the rows of a data lake for an input. A tree rather than text, so that it can contain nothing but
 * comparisons.
 */
public sealed interface RowFilter {
    /** Rows that match all of these filters. */
    record All(List<RowFilter> filters) implements RowFilter {
        public All {
            filters = List.copyOf(filters);
        }
    }

    /** Rows that match at least one of these filters. */
    record Any(List<RowFilter> filters) implements RowFilter {
        public Any {
            filters = List.copyOf(filters);
        }
    }

    /** Rows that do not match this filter. */
    record Not(RowFilter filter) implements RowFilter {}

    /**
     * A comparison.
     *
     * @param values the operands: one, several for {@link Operator#IN}, none for the two null checks and if an input is
     *     named; each a String, a Boolean or a Number
     * @param input the input of the same task whose value is the operand; null if there are values
     */
    record Compare(
            String column,
            Operator operator,
            List<Object> values,
            @Nullable String input) implements RowFilter {
        public Compare {
            values = List.copyOf(values);
        }
    }

    /** The comparison operators, with their words in definitions. */
    enum Operator {
        EQUAL("="),
        NOT_EQUAL("!="),
        LESS("<"),
        AT_MOST("<="),
        GREATER(">"),
        AT_LEAST(">="),
        IN("in"),
        CONTAINS("contains"),
        STARTS_WITH("starts_with"),
        IS_NULL("is_null"),
        IS_NOT_NULL("is_not_null");

        public static final Map<String, Operator> BY_TEXT = byText();

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        private static Map<String, Operator> byText() {
            Map<String, Operator> operators = new LinkedHashMap<>();
            for (Operator operator : values()) {
                operators.put(operator.text, operator);
            }
            return Collections.unmodifiableMap(operators);
        }

        public String text() {
            return text;
        }

        public boolean needsValue() {
            return this != IS_NULL && this != IS_NOT_NULL;
        }
    }
}
