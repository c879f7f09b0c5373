package dev.parley.datalake;

import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query for the engine, built from a filter: column names come from the table itself and are quoted, and every value
 * is a parameter.
 *
 * @param columns of the result, in order
 */
record LakeQuery(String sql, List<String> parameters, List<String> columns) {
    /** The query does not match the table. */
    static final class UnanswerableQueryException extends Exception {
        private static final long serialVersionUID = 1;

        UnanswerableQueryException(String sentence) {
            super(sentence);
        }

        String sentence() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * @param requested empty for all columns
     * @param inputs values for comparisons with inputs
     */
    static LakeQuery of(
            DataLake lake,
            @Nullable RowFilter filter,
            List<String> requested,
            int limit,
            Map<String, @Nullable Object> inputs)
            throws UnanswerableQueryException {
        Map<String, String> types = new HashMap<>();
        lake.columns().forEach(column -> types.put(column.name(), column.type()));
        List<String> columns = requested.isEmpty()
                ? lake.columns().stream().map(DataLake.Column::name).toList()
                : requested;
        List<String> selected = new ArrayList<>();
        for (String column : columns) {
            selected.add(ColumnExpression.of(qualified(column), type(types, column)) + " AS " + quoted(column));
        }
        var build = new QueryBuilder(types, inputs, new ArrayList<>());
        String where = filter == null ? "" : " WHERE " + build.condition(filter);
        String sql = "SELECT to_json(\"parley row\")::VARCHAR FROM (SELECT "
                + String.join(", ", selected) + " FROM lake" + where
                + " LIMIT " + limit + ") AS \"parley row\"";
        return new LakeQuery(sql, build.parameters, columns);
    }

    private record QueryBuilder(
            Map<String, String> types, Map<String, @Nullable Object> inputs, List<String> parameters) {
        String condition(RowFilter filter) throws UnanswerableQueryException {
            return switch (filter) {
                case RowFilter.All(List<RowFilter> all) -> joined(all, " AND ");
                case RowFilter.Any(List<RowFilter> any) -> joined(any, " OR ");
                case RowFilter.Not(RowFilter not) -> "(NOT coalesce(" + condition(not) + ", false))";
                case RowFilter.Compare compare -> comparison(compare);
            };
        }

        private String joined(List<RowFilter> filters, String between) throws UnanswerableQueryException {
            List<String> parts = new ArrayList<>();
            for (RowFilter filter : filters) {
                parts.add(condition(filter));
            }
            return "(" + String.join(between, parts) + ")";
        }

        private String comparison(RowFilter.Compare compare) throws UnanswerableQueryException {
            String type = type(types, compare.column());
            String column = qualified(compare.column());
            String text = "CAST(" + ColumnExpression.of(column, type) + " AS VARCHAR)";
            return switch (compare.operator()) {
                case IS_NULL -> "(" + column + " IS NULL)";
                case IS_NOT_NULL -> "(" + column + " IS NOT NULL)";
                case CONTAINS -> "contains(" + text + ", " + one(compare, "VARCHAR") + ")";
                case STARTS_WITH -> "starts_with(" + text + ", " + one(compare, "VARCHAR") + ")";
                case EQUAL -> "(" + column + " = " + one(compare, type) + ")";
                case NOT_EQUAL -> "(" + column + " IS DISTINCT FROM " + one(compare, type) + ")";
                case LESS -> "(" + column + " < " + one(compare, type) + ")";
                case AT_MOST -> "(" + column + " <= " + one(compare, type) + ")";
                case GREATER -> "(" + column + " > " + one(compare, type) + ")";
                case AT_LEAST -> "(" + column + " >= " + one(compare, type) + ")";
                case IN -> {
                    List<String> choices = new ArrayList<>();
                    for (Object value : values(compare)) {
                        choices.add(parameter(value, type));
                    }
                    yield choices.isEmpty() ? "false" : "(" + column + " IN (" + String.join(", ", choices) + "))";
                }
            };
        }

        private String one(RowFilter.Compare compare, String type) throws UnanswerableQueryException {
            return parameter(values(compare).getFirst(), type);
        }

        private List<?> values(RowFilter.Compare compare) throws UnanswerableQueryException {
            String input = compare.input();
            if (input == null) {
                return compare.values();
            }
            Object value = inputs.get(input);
            if (value instanceof List<?> list && compare.operator() == RowFilter.Operator.IN) {
                return list;
            }
            if (value == null || value instanceof List<?> || value instanceof Map<?, ?>) {
                throw new UnanswerableQueryException("The filter compares '" + compare.column() + "' with the input '"
                        + input + "', which has no single value.");
            }
            return List.of(value);
        }

        private String parameter(Object value, String type) {
            String text = value instanceof BigDecimal number ? number.toPlainString() : value.toString();
            parameters.add(type.startsWith("TIMESTAMP") ? utc(text) : text);
            if (ColumnType.of(type) == ColumnType.NUMBER) {
                boolean isInteger = text.strip().matches("[+-]?[0-9]{1,38}");
                return "CAST(? AS " + (isInteger ? "HUGEINT" : "DOUBLE") + ")";
            }
            return "CAST(? AS " + type + ")";
        }
    }

    /** The engine ignores an offset if the column has none. */
    private static String utc(String text) {
        try {
            return OffsetDateTime.parse(text.strip().replace(' ', 'T'))
                    .toInstant()
                    .toString();
        } catch (DateTimeException _) {
            return text;
        }
    }

    private static String type(Map<String, String> types, String column) throws UnanswerableQueryException {
        String type = types.get(column);
        if (type == null) {
            throw new UnanswerableQueryException("The data lake has no column '" + column + "'.");
        }
        return type;
    }

    private static String qualified(String name) {
        return "lake." + quoted(name);
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
