package dev.parley.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies rows that the service has written, once for each row of a series. So the copies look like the service's, and
 * columns that a migration adds need nothing here.
 *
 * @param table into which the rows are copied
 * @param templates the rows to copy, as a condition on the table {@code t}
 * @param series a query with the columns {@code n} and {@code at}, the time of the copy
 * @param match which templates a row of the series copies
 * @param values SQL expressions for columns, over {@code t} and {@code s}; columns that the table lacks are ignored
 * @param ids texts to replace in text columns, with SQL expressions for their replacements
 * @param created the time of the templates; other times are moved with it
 */
record RowCopy(
        String table,
        String templates,
        String series,
        String match,
        Map<String, String> values,
        Map<String, String> ids,
        String created) {
    /** Times in the future stay there: nothing is due at once. */
    private static final Set<String> KEPT_TIMES =
            Set.of("deadline", "due_at", "remind_at", "wake_at", "expires_at", "published_at");

    private record Column(String name, String type) {}

    void run(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> expressions = new ArrayList<>();
        for (Column column : columns(connection)) {
            names.add(column.name);
            expressions.add(expression(connection, column));
        }
        execute(
                connection,
                "INSERT INTO %s (%s) SELECT %s FROM (%s) s JOIN (SELECT * FROM %s t WHERE %s) t ON %s"
                        .formatted(
                                table,
                                String.join(", ", names),
                                String.join(", ", expressions),
                                series,
                                table,
                                templates,
                                match));
    }

    private String expression(Connection connection, Column column) throws SQLException {
        String name = "t." + column.name;
        String value = values.get(column.name);
        if (value != null) {
            return value;
        }
        if (column.type.equals("timestamp with time zone") && !KEPT_TIMES.contains(column.name)) {
            return "s.at + (" + name + " - timestamptz '" + created + "')";
        }
        String expression = name;
        if (column.type.equals("text")) {
            for (Map.Entry<String, String> id : ids.entrySet()) {
                if (contains(connection, name, id.getKey())) {
                    expression = "replace(" + expression + ", '" + id.getKey() + "', " + id.getValue() + ")";
                }
            }
        }
        return expression;
    }

    private boolean contains(Connection connection, String column, String text) throws SQLException {
        String query = "SELECT EXISTS (SELECT FROM %s t WHERE %s AND position(? IN %s) > 0)"
                .formatted(table, templates, column);
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, text);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private List<Column> columns(Connection connection) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT column_name, data_type FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position
                """)) {
            statement.setString(1, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    columns.add(new Column(rows.getString(1), rows.getString(2)));
                }
            }
        }
        return columns;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new SQLException(e.getMessage() + "\n" + sql, e);
        }
    }
}
