package dev.parley.document.child;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the engine's error messages into sentences for people. */
final class EngineErrors {
    private static final int MAX_REASON_LENGTH = 300;
    private static final int MAX_VALUE_LENGTH = 60;
    private static final Pattern CSV_LINE = Pattern.compile("CSV Error on Line: (\\d+)");
    private static final Pattern CONVERSION = Pattern.compile(
            "Error when converting column \"(.*)\"\\. Could not convert string \"(.*)\" to '([A-Z]+).*'");
    private static final Pattern JSON = Pattern.compile("Malformed JSON in file .* in line (\\d+): (.*?)\\.?\\s*$");

    /** What people call the types that the engine detects. */
    private static final Map<String, String> TYPES = Map.of(
            "BIGINT",
            "a whole number",
            "HUGEINT",
            "a whole number",
            "DOUBLE",
            "a number",
            "DATE",
            "a date",
            "TIME",
            "a time of day",
            "TIMESTAMP",
            "a date and time",
            "BOOLEAN",
            "true or false");

    private EngineErrors() {}

    /** The sentence names no paths. */
    static String detail(String message) {
        List<String> lines = message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        String first = lines.isEmpty() ? "" : lines.getFirst();
        if (first.contains("Out of Memory")) {
            return "It needs more memory than the limit for a table.";
        }
        if (first.contains("Error when sniffing file")) {
            return "It is not a readable CSV file: its rows have no common separator, such as a comma, a semicolon or a "
                    + "tab.";
        }
        Matcher csv = CSV_LINE.matcher(first);
        if (csv.find()) {
            return inLine(csv.group(1), lines);
        }
        Matcher json = JSON.matcher(first);
        if (json.find()) {
            // The engine counts the lines that it has begun to read.
            return "Line " + (Long.parseLong(json.group(1)) - 1) + " is not valid JSON: " + json.group(2) + ".";
        }
        String withoutPaths = first.replaceAll("(?<!\\w)[\"']?/[^ \"']*[\"']?", "the file");
        String reason = withoutPaths.replaceAll("^(java\\.sql\\.SQLException: )?[A-Z][A-Za-z- ]{2,30} Error: ", "");
        return "It cannot be read: " + shortened(reason, MAX_REASON_LENGTH);
    }

    private static String inLine(String line, List<String> lines) {
        for (String reason : lines) {
            Matcher conversion = CONVERSION.matcher(reason);
            if (conversion.matches()) {
                return "Line " + line + ": '" + shortened(conversion.group(2), MAX_VALUE_LENGTH) + "' in the column '"
                        + conversion.group(1) + "' is not "
                        + TYPES.getOrDefault(conversion.group(3), "of the same type")
                        + " like the other values of the column.";
            }
            if (reason.startsWith("Maximum line size")) {
                return "Line " + line + " is longer than the 2 MB that a line may have.";
            }
            if (reason.startsWith("Invalid unicode")) {
                return "The file is not UTF-8 text. Save it with the encoding UTF-8.";
            }
        }
        String reason = lines.size() > 2 ? lines.get(2) : "it does not have the form of the other lines";
        return "Line " + line + " cannot be read: " + shortened(reason, MAX_REASON_LENGTH);
    }

    private static String shortened(String text, int length) {
        return text.length() > length ? text.substring(0, length) + "…" : text;
    }
}
