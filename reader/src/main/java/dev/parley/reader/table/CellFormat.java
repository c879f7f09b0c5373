package dev.parley.reader.table;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The meaning of a number in a spreadsheet cell, according to the cell's number format code. */
enum CellFormat {
    NUMBER,
    DATE,
    TIME,
    DATE_TIME,
    /** Elapsed time, which may exceed a day. */
    DURATION;

    /** The limit of spreadsheet programs. */
    private static final int MAX_CODE_LENGTH = 255;

    /** Literal text, padding and conditions, colors and locales in brackets; brackets of elapsed time are kept. */
    private static final Pattern NOT_A_PLACEHOLDER =
            Pattern.compile("\"[^\"]*\"?|\\\\.|[_*].|\\[(?!(?:h+|m+|s+)\\])[^\\]]*\\]");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\[(?:h+|m+|s+)\\]|am/pm|a/p|general|y+|m+|d+|h+|s+");

    /** Built-in formats of East Asian locales, for which files contain no code. */
    static CellFormat ofBuiltIn(int id) {
        if (id >= 32 && id <= 35) {
            return TIME;
        }
        return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? DATE : NUMBER;
    }

    /** Uses only the first section: the others are for negative numbers, zero and text. */
    static CellFormat of(String code) {
        if (code.length() > MAX_CODE_LENGTH) {
            return NUMBER;
        }
        String placeholders =
                NOT_A_PLACEHOLDER.matcher(code.toLowerCase(Locale.ROOT)).replaceAll("");
        int section = placeholders.indexOf(';');
        Matcher placeholder = PLACEHOLDER.matcher(section < 0 ? placeholders : placeholders.substring(0, section));
        boolean date = false;
        boolean time = false;
        boolean elapsed = false;
        boolean ambiguous = false;
        boolean afterHours = false;
        while (placeholder.find()) {
            String found = placeholder.group();
            switch (found.charAt(0)) {
                case 'y', 'd' -> date = true;
                case '[' -> elapsed = true;
                case 'h', 'a' -> time = true;
                case 's' -> {
                    time = true;
                    ambiguous = false;
                }
                case 'm' -> {
                    // One or two letters mean minutes after hours or before seconds, and otherwise the month.
                    date |= ambiguous || found.length() > 2;
                    ambiguous = found.length() <= 2 && !afterHours;
                }
                default -> {}
            }
            afterHours = found.startsWith("h") || found.startsWith("[h");
        }
        date |= ambiguous;
        if (date) {
            return time || elapsed ? DATE_TIME : DATE;
        }
        return elapsed ? DURATION : time ? TIME : NUMBER;
    }
}
