package dev.parley.datalake.read;

import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import dev.parley.datalake.store.DataLake;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query for the engine, built from a filter: column names come from the table itself and are quoted, and every value
 * is a parameter.
 *
 * @param columns of the result, in order
 */
record LakeQuery(String sql, List<String> parameters, List<String> columns) {
    private static final String TEXT = "VARCHAR";
    private static final int MAX_SHOWN_LENGTH = 100;
    private static final int MAX_FREQUENT = 3;
    private static final String NOTHING_FREQUENT = "CAST([] AS STRUCT(value VARCHAR, count BIGINT)[])";

    /** Up to this size the different values are counted; beyond, they are estimated in little memory. */
    private static final int MAX_COUNTED_ROWS = 100_000;

    /** The query does not match the table. */
    static final class UnanswerableQueryException extends Exception {
        private static final long serialVersionUID = 1;

        UnanswerableQueryException(String detail) {
            super(detail);
        }

        String detail() {
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
        Map<String, String> types = types(lake);
        List<String> columns = requested.isEmpty()
                ? lake.columns().stream().map(DataLake.Column::name).toList()
                : requested;
        var build = new QueryBuilder(types, inputs, new ArrayList<>());
        String where = filter == null ? "" : " WHERE " + build.condition(filter);
        String sql = "SELECT to_json(\"parley row\")::VARCHAR FROM (SELECT "
                + selected(columns, types) + " FROM lake" + where
                + " LIMIT " + limit + ") AS \"parley row\"";
        return new LakeQuery(sql, build.parameters, columns);
    }

    /**
     * A page of rows. If it is filtered, the first line of the result is the number of all matching rows, and the others
     * follow.
     */
    static LakeQuery page(DataLake lake, LakePage page) throws UnanswerableQueryException {
        Map<String, String> types = types(lake);
        List<String> columns =
                lake.columns().stream().map(DataLake.Column::name).toList();
        var build = new QueryBuilder(types, Map.of(), new ArrayList<>());
        List<String> parameters = build.parameters;
        String where = build.where(lake, page);
        String total = "";
        if (page.isFiltered()) {
            total = "SELECT to_json({'total': count(*)})::VARCHAR FROM lake" + where + " UNION ALL ";
            parameters.addAll(List.copyOf(parameters));
        }
        String rows = "SELECT " + selected(columns, types) + " FROM ";
        if (page.sort() == null) {
            rows += "lake" + where;
        } else {
            // Without it, capitals would come before small letters, and umlauts after z.
            String collation = type(types, page.sort()).equals(TEXT) ? " COLLATE NOCASE.NOACCENT" : "";
            // The number makes the order of equal values the same on every page.
            rows += "(SELECT *, row_number() OVER () AS \"parley number\" FROM lake) AS lake" + where + " ORDER BY "
                    + qualified(page.sort()) + collation + (page.descending() ? " DESC" : " ASC")
                    + " NULLS LAST, \"parley number\"";
        }
        rows += " LIMIT " + page.limit() + " OFFSET " + page.offset();
        return new LakeQuery(
                total + "SELECT * FROM (SELECT to_json(\"parley row\")::VARCHAR FROM (" + rows + ") AS \"parley row\")",
                parameters,
                columns);
    }

    /** One line: an array with the statistics of each column, in order. */
    static LakeQuery statistics(DataLake lake) {
        boolean isExact = lake.rows() <= MAX_COUNTED_ROWS;
        String columns = lake.columns().stream()
                .map(column -> statistics(column, isExact))
                .collect(Collectors.joining(", "));
        return new LakeQuery("SELECT to_json([" + columns + "])::VARCHAR FROM lake", List.of(), List.of());
    }

    private static String statistics(DataLake.Column column, boolean isExact) {
        String name = qualified(column.name());
        String distinct = isExact ? "count(DISTINCT " + name + ")" : "approx_count_distinct(" + name + ")";
        String mean = ColumnType.of(column.type()) == ColumnType.NUMBER ? "avg(CAST(" + name + " AS DOUBLE))" : "NULL";
        return "{'nulls': count(*) - count(" + name + "), 'distinct': " + distinct + ", 'min': "
                + extreme("min", column) + ", 'max': " + extreme("max", column) + ", 'mean': CAST(" + mean
                + " AS VARCHAR), 'frequent': " + (isExact ? frequent(column) : NOTHING_FREQUENT) + "}";
    }

    /** The smallest or largest value as text; null for values without an order that people expect. */
    private static String extreme(String aggregate, DataLake.Column column) {
        if (isNested(column)) {
            return "CAST(NULL AS VARCHAR)";
        }
        String name = qualified(column.name());
        // Texts as rows are sorted.
        String extreme = column.type().equals(TEXT)
                ? "arg_" + aggregate + "(" + name + ", lower(strip_accents(" + name + ")))"
                : aggregate + "(" + name + ")";
        return shortText(extreme, column);
    }

    /** The values that several rows have, the most frequent first. */
    private static String frequent(DataLake.Column column) {
        if (isNested(column)) {
            return NOTHING_FREQUENT;
        }
        String name = qualified(column.name());
        return "coalesce((SELECT list({'value': " + shortText("value", column)
                + ", 'count': count} ORDER BY count DESC, value) FROM (SELECT " + name
                + " AS value, count(*) AS count FROM lake WHERE " + name
                + " IS NOT NULL GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT " + MAX_FREQUENT + ")), "
                + NOTHING_FREQUENT + ")";
    }

    /** Lists, structs and maps. */
    private static boolean isNested(DataLake.Column column) {
        String type = column.type();
        return type.endsWith("]") || type.startsWith("STRUCT(") || type.startsWith("MAP(") || type.equals("JSON");
    }

    private static String shortText(String value, DataLake.Column column) {
        return "left(CAST(" + ColumnExpression.of(value, column.type()) + " AS VARCHAR), " + MAX_SHOWN_LENGTH + ")";
    }

    private static Map<String, String> types(DataLake lake) {
        Map<String, String> types = new HashMap<>();
        lake.columns().forEach(column -> types.put(column.name(), column.type()));
        return types;
    }

    private static String selected(List<String> columns, Map<String, String> types) throws UnanswerableQueryException {
        List<String> selected = new ArrayList<>();
        for (String column : columns) {
            selected.add(ColumnExpression.of(qualified(column), type(types, column)) + " AS " + quoted(column));
        }
        return String.join(", ", selected);
    }

    private record QueryBuilder(
            Map<String, String> types, Map<String, @Nullable Object> inputs, List<String> parameters) {
        /** The rows of a page: those that contain the searched text and match all filters. */
        String where(DataLake lake, LakePage page) throws UnanswerableQueryException {
            List<String> conditions = new ArrayList<>();
            if (page.search() != null) {
                String texts = lake.columns().stream()
                        .map(column -> text(column.name(), column.type()))
                        .collect(Collectors.joining(", "));
                conditions.add("contains(lower(concat_ws(chr(31), " + texts + ")), lower(?))");
                parameters.add(page.search());
            }
            for (RowFilter.Compare filter : page.filters()) {
                conditions.add(
                        filter.operator() == RowFilter.Operator.CONTAINS
                                ? "contains(lower(" + text(filter.column(), type(types, filter.column())) + "), lower("
                                        + one(filter, "VARCHAR") + "))"
                                : comparison(filter));
            }
            return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        }

        private static String text(String column, String type) {
            return "CAST(" + ColumnExpression.of(qualified(column), type) + " AS VARCHAR)";
        }

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
            String text = text(compare.column(), type);
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
