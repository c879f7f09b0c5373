package dev.parley.document.child;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Checks that all rows of a CSV file have the columns of its header. The engine guesses a separator that fits all rows,
 * so one broken row would turn the file into a table with one column, and its errors name no line.
 */
final class CsvStructure {
    private static final String SEPARATORS = ",;\t|";
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream bytes;
    private final int separator;
    private int ahead;
    private long line = 1;
    private int continuationBytes;

    private CsvStructure(InputStream bytes, int separator) throws IOException {
        this.bytes = bytes;
        this.separator = separator;
        ahead = bytes.read();
        continuationBytes = following(ahead);
    }

    /** A row: the line of its first value, and how many values it has; no values in an empty row. */
    private record CsvRow(long line, int values) {}

    /** Returns the separator; empty if the header has none, so that there is nothing to check. */
    static Optional<Character> check(Path file) throws IOException, DocumentReaderMain.UnreadableDocument {
        int separator = separator(file);
        if (separator < 0) {
            return Optional.empty();
        }
        try (InputStream bytes = open(file)) {
            new CsvStructure(bytes, separator).check();
        }
        return Optional.of((char) separator);
    }

    /** Removes a byte order mark, after which the engine does not understand quotes in the header. */
    static void removeByteOrderMark(Path file) throws IOException {
        Path rest = file.resolveSibling(file.getFileName() + ".rest");
        try (InputStream bytes = Files.newInputStream(file)) {
            if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
                return;
            }
            Files.copy(bytes, rest);
        }
        Files.move(rest, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static InputStream open(Path file) throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    /** The most frequent separator outside of quotes in the first line that is not empty. */
    private static int separator(Path file) throws IOException {
        int[] counts = new int[SEPARATORS.length()];
        try (InputStream bytes = open(file)) {
            boolean quoted = false;
            boolean empty = true;
            for (int b = bytes.read(); b >= 0 && (quoted || empty || b != '\n'); b = bytes.read()) {
                quoted ^= b == '"';
                empty &= b <= ' ';
                int index = SEPARATORS.indexOf(b);
                if (index >= 0 && !quoted) {
                    counts[index]++;
                }
            }
        }
        int most = 0;
        for (int i = 1; i < counts.length; i++) {
            most = counts[i] > counts[most] ? i : most;
        }
        return counts[most] == 0 ? -1 : SEPARATORS.charAt(most);
    }

    private void check() throws IOException, DocumentReaderMain.UnreadableDocument {
        int columns = 0;
        while (ahead >= 0) {
            CsvRow row = row();
            if (row.values == 0) {
                continue;
            }
            if (columns == 0) {
                columns = row.values;
            } else if (row.values != columns) {
                throw refused(
                        row.line,
                        "has " + counted(row.values, "value") + ", but the header has " + counted(columns, "column")
                                + ".");
            }
        }
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private CsvRow row() throws IOException, DocumentReaderMain.UnreadableDocument {
        long start = line;
        int values = 0;
        boolean empty = true;
        while (true) {
            empty &= value();
            values++;
            if (ahead != separator) {
                // The end of the line or of the file.
                next();
                return new CsvRow(start, empty && values == 1 ? 0 : values);
            }
            empty = false;
            next();
        }
    }

    /** Reads up to the separator or the end of the line; returns whether the value is empty. */
    private boolean value() throws IOException, DocumentReaderMain.UnreadableDocument {
        if (ahead == '"') {
            quoted();
            return false;
        }
        boolean empty = true;
        while (ahead >= 0 && ahead != separator && ahead != '\n') {
            empty &= ahead <= ' ';
            next();
        }
        return empty;
    }

    private void quoted() throws IOException, DocumentReaderMain.UnreadableDocument {
        long start = line;
        next();
        while (true) {
            if (ahead < 0) {
                throw refused(start, "has a quotation mark that is never closed.");
            }
            boolean isQuote = ahead == '"';
            next();
            if (isQuote && ahead != '"') {
                break;
            }
            if (isQuote) {
                next();
            }
        }
        while (ahead == ' ' || ahead == '\r') {
            next();
        }
        if (ahead >= 0 && ahead != separator && ahead != '\n') {
            throw refused(
                    line, "has text after a closing quotation mark. Write a quotation mark within a value twice.");
        }
    }

    private void next() throws IOException, DocumentReaderMain.UnreadableDocument {
        if (ahead == '\n') {
            line++;
        }
        ahead = bytes.read();
        boolean continues = (ahead & 0xC0) == 0x80 && ahead >= 0;
        if (continues == (continuationBytes == 0)) {
            throw refused(line, "is not UTF-8 text. Save the file with the encoding UTF-8.");
        }
        continuationBytes = continues ? continuationBytes - 1 : following(ahead);
    }

    /** The number of continuation bytes after the first byte of a character. */
    private static int following(int first) {
        return first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    }

    private static DocumentReaderMain.UnreadableDocument refused(long line, String what) {
        return new DocumentReaderMain.UnreadableDocument("Line " + line + " " + what);
    }
}
