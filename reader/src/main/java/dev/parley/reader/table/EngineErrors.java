package dev.parley.reader.table;

/** Turns the engine's error messages into sentences for people. */
final class EngineErrors {
    private static final int MAX_REASON_LENGTH = 300;

    private EngineErrors() {}

    /** The sentence names no paths. */
    static String detail(String message) {
        String first = message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
        if (first.contains("Out of Memory")) {
            return "It needs more memory than the limit for a table.";
        }
        String withoutPaths = first.replaceAll("(?<!\\w)[\"']?/[^ \"']*[\"']?", "the file");
        String reason = withoutPaths.replaceAll("^(java\\.sql\\.SQLException: )?[A-Z][A-Za-z- ]{2,30} Error: ", "");
        return "It cannot be read: " + ColumnProfile.shortened(reason, MAX_REASON_LENGTH);
    }
}
