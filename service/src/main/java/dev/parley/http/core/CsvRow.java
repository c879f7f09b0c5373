package dev.parley.http.core;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of CSV files (RFC 4180). */
public final class CsvRow {
    private CsvRow() {}

    /** A row of quoted values. An apostrophe keeps spreadsheets from running a value as a formula. */
    public static String of(Stream<String> values) {
        return values.map(CsvRow::quoted).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String quoted(String value) {
        boolean isFormula = !value.isEmpty() && "=+-@\t\r\n".indexOf(value.charAt(0)) >= 0;
        return '"' + (isFormula ? "'" : "") + value.replace("\"", "\"\"") + '"';
    }
}
