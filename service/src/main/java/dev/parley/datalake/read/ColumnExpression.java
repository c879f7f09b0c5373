package dev.parley.datalake.read;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL expression that reads a column with its timestamps as RFC 3339 text in UTC, at any depth of lists, structs and
 * maps. A timestamp without a zone counts as UTC, and has milliseconds, or more digits if the value has more.
 */
final class ColumnExpression {
    private static final String TIMESTAMP = "TIMESTAMP";

    private int variables;

    private ColumnExpression() {}

    /** @param type the engine's name of the column's type */
    static String of(String column, String type) {
        return new ColumnExpression().rewrite(column, type);
    }

    private String rewrite(String value, String type) {
        if (!type.contains(TIMESTAMP)) {
            return value;
        }
        if (type.endsWith("]")) {
            String variable = "x" + ++variables;
            return "list_transform(" + value + ", lambda " + variable + ": "
                    + rewrite(variable, type.substring(0, type.lastIndexOf('['))) + ")";
        }
        if (type.startsWith("STRUCT(")) {
            return struct(value, members(type));
        }
        if (type.startsWith("MAP(")) {
            List<String> parts = members(type);
            String variable = "x" + ++variables;
            return "map_from_entries(list_transform(map_entries(" + value + "), lambda " + variable
                    + ": struct_pack(key := " + rewrite(variable + ".key", parts.getFirst()) + ", value := "
                    + rewrite(variable + ".value", parts.getLast()) + ")))";
        }
        return switch (type) {
            case "TIMESTAMP WITH TIME ZONE" -> text(value, "make_timestamp(epoch_us(" + value + "))", false);
            case "TIMESTAMP_NS" -> text(value, value, true);
            case TIMESTAMP, "TIMESTAMP_S", "TIMESTAMP_MS" -> text(value, "CAST(" + value + " AS TIMESTAMP)", false);
            default -> value;
        };
    }

    private static String text(String value, String utc, boolean nanos) {
        return "CASE WHEN isfinite(" + value + ") THEN regexp_replace(strftime(" + utc + ", '%Y-%m-%dT%H:%M:%S."
                + (nanos ? "%n'), '(000){1,2}$'" : "%f'), '000$'") + ", '') || 'Z' ELSE CAST(" + value
                + " AS VARCHAR) END";
    }

    private String struct(String value, List<String> members) {
        List<String> parts = new ArrayList<>();
        for (String member : members) {
            int end = nameEnd(member);
            String name = member.substring(0, end);
            parts.add(name + " := " + rewrite("(" + value + ")." + name, member.substring(end + 1)));
        }
        return "CASE WHEN " + value + " IS NOT NULL THEN struct_pack(" + String.join(", ", parts) + ") END";
    }

    /** The end of a member's name, which is quoted unless it is a plain word. */
    private static int nameEnd(String member) {
        if (!member.startsWith("\"")) {
            return member.indexOf(' ');
        }
        int end = 1;
        while (member.charAt(end) != '"' || member.startsWith("\"\"", end)) {
            end += member.charAt(end) == '"' ? 2 : 1;
        }
        return end + 1;
    }

    /** The text between the outer parentheses, split at top-level commas. */
    private static List<String> members(String type) {
        List<String> members = new ArrayList<>();
        int depth = 0;
        int start = type.indexOf('(') + 1;
        char quote = 0;
        for (int i = start; i < type.length(); i++) {
            char c = type.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (depth == 0 && (c == ',' || c == ')')) {
                members.add(type.substring(start, i).strip());
                start = i + 1;
            } else if (c == ')') {
                depth--;
            }
        }
        return members;
    }
}
