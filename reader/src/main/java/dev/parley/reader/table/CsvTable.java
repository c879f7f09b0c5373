package dev.parley.reader.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file. A row with other columns than the header is refused with its line, since values would be lost. */
final class CsvTable {
    private static final String SEPARATORS = ",;\t|";
    private static final int NO_SEPARATOR = -2;
    private static final int START_CHARACTERS = 1 << 18;
    private static final int START_ROWS = 100;
    private static final int MAX_TITLES = 20;

    private final Reader in;
    private final int separator;
    private int ahead;
    private long line = 1;
    private long rowLine;
    private int rowCharacters;

    private CsvTable(Reader in, int separator) throws IOException {
        this.in = in;
        this.separator = separator;
        ahead = in.read();
    }

    /**
     * How the beginning of a file is read.
     *
     * @param isDoubtful whether only the first row lacks a separator
     */
    private record CsvForm(int separator, int titles, boolean isDoubtful) {}

    /** One of the first rows. */
    private record CsvRow(long line, List<@Nullable String> values) {
        int filled() {
            return (int) values.stream().filter(Objects::nonNull).count();
        }
    }

    static void read(Path file, StagedTable table) throws IOException {
        try (Reader in = open(file)) {
            read(in, form(file), table);
        } catch (CharacterCodingException e) {
            throw undecodable(file, e);
        }
    }

    /** Decodes a file without its byte order mark: UTF-8, or UTF-16 with the mark. */
    static Reader open(Path file) throws IOException {
        InputStream bytes = Files.newInputStream(file);
        byte[] start = bytes.readNBytes(3);
        bytes.close();
        Charset charset = StandardCharsets.UTF_8;
        int mark = 0;
        if (start.length == 3 && start[0] == (byte) 0xEF && start[1] == (byte) 0xBB && start[2] == (byte) 0xBF) {
            mark = 3;
        } else if (start.length >= 2 && start[0] == (byte) 0xFF && start[1] == (byte) 0xFE) {
            charset = StandardCharsets.UTF_16LE;
            mark = 2;
        } else if (start.length >= 2 && start[0] == (byte) 0xFE && start[1] == (byte) 0xFF) {
            charset = StandardCharsets.UTF_16BE;
            mark = 2;
        }
        InputStream content = Files.newInputStream(file);
        content.skipNBytes(mark);
        return new BufferedReader(
                new InputStreamReader(
                        content,
                        charset.newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .onUnmappableCharacter(CodingErrorAction.REPORT)),
                1 << 16);
    }

    /** Names the line that is not text. */
    static UnreadableDocument undecodable(Path file, CharacterCodingException cause) throws IOException {
        long line = 1;
        try (InputStream in = new java.io.BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            var bytes = new java.io.ByteArrayOutputStream();
            for (int b = in.read(); ; b = in.read()) {
                if (b >= 0) {
                    bytes.write(b);
                }
                if (b < 0 || b == '\n' || bytes.size() > StagedTable.MAX_ROW_CHARACTERS) {
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
                    bytes.reset();
                    line++;
                }
                if (b < 0) {
                    break;
                }
            }
        } catch (CharacterCodingException _) {
            return new UnreadableDocument(
                    "Line " + line + " is not UTF-8 text. Save the file with the encoding UTF-8.", cause);
        }
        return new UnreadableDocument("The file is not UTF-8 text. Save it with the encoding UTF-8.", cause);
    }

    private static void read(Reader in, CsvForm form, StagedTable table) throws IOException {
        var rows = new CsvTable(in, form.separator);
        List<@Nullable String> header = rows.row();
        for (int titles = form.titles; titles > 0 && header != null; titles--) {
            String title = header.stream().filter(Objects::nonNull).findFirst().orElse(null);
            if (title != null && !isDirective(header, rows.rowLine)) {
                table.note("Line " + rows.rowLine + " ('" + ColumnProfile.shortened(title)
                        + "') is above the header and is not part of the table.");
            }
            header = rows.row();
        }
        if (header == null) {
            throw new UnreadableDocument("The file is empty: it has no header row.");
        }
        table.header(header);
        if (form.isDoubtful && header.size() == 1) {
            table.note("Line " + rows.rowLine
                    + " has no separator, but the lines below it have. The file is read as one" + " column.");
        }
        int columns = header.size();
        for (List<@Nullable String> row = rows.row(); row != null; row = rows.row()) {
            while (row.size() > columns && row.getLast() == null) {
                row.removeLast();
            }
            if (row.size() != columns) {
                throw refused(
                        rows.rowLine,
                        "has " + counted(row.size(), "value") + ", but the header has " + counted(columns, "column")
                                + ".");
            }
            table.row(row.toArray(new @Nullable String[0]), null, rows.rowLine);
        }
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** The first line of files that Excel writes for another separator than its own: {@code sep=;}. */
    private static boolean isDirective(List<@Nullable String> row, long line) {
        String first = row.getFirst();
        return line == 1 && first != null && first.regionMatches(true, 0, "sep=", 0, 4) && first.length() <= 5;
    }

    private static CsvForm form(Path file) throws IOException {
        char[] start = new char[START_CHARACTERS];
        int length = 0;
        boolean isWhole;
        try (Reader in = open(file)) {
            int read = in.read(start, 0, START_CHARACTERS);
            while (read > 0 && length + read < START_CHARACTERS) {
                length += read;
                read = in.read(start, length, START_CHARACTERS - length);
            }
            isWhole = read < 0;
            length += Math.max(0, read);
        }
        return form(new String(start, 0, length), isWhole);
    }

    private static CsvForm form(String start, boolean isWhole) throws IOException {
        if (start.regionMatches(true, 0, "sep=", 0, 4)
                && start.length() > 5
                && (start.charAt(5) == '\n' || start.charAt(5) == '\r')) {
            return new CsvForm(start.charAt(4), 1, false);
        }
        CsvForm best = null;
        int most = 1;
        boolean isDoubtful = false;
        for (int i = 0; i < SEPARATORS.length(); i++) {
            int separator = SEPARATORS.charAt(i);
            List<CsvRow> rows = starts(start, isWhole, separator);
            int titles = titles(rows);
            int values = rows.isEmpty() ? 0 : rows.get(titles).values.size();
            boolean isCommon = rows.subList(Math.min(titles, rows.size()), rows.size()).stream()
                    .allMatch(row -> row.values.size() == values);
            if (isCommon && values > most) {
                most = values;
                best = new CsvForm(separator, titles, false);
            }
            isDoubtful |= rows.size() > 1
                    && rows.getFirst().values.size() == 1
                    && rows.stream().skip(1).allMatch(row -> row.values.size() > 1);
        }
        return best == null ? new CsvForm(mostFrequent(start), 0, isDoubtful) : best;
    }

    /**
     * The number of rows above the header, which is the first row with a name in each of several columns. The rows above
     * it are titles if a line or row without values follows them, or if they are single values and the rows below have
     * values that are no texts. Otherwise the first row is the header, so that nothing is left out by mistake.
     */
    private static int titles(List<CsvRow> rows) {
        int titles = 0;
        while (titles < rows.size() && !isHeader(rows.get(titles).values)) {
            titles++;
        }
        if (titles == 0 || titles > MAX_TITLES || titles >= rows.size() - 1) {
            return 0;
        }
        CsvRow header = rows.get(titles);
        CsvRow last = rows.get(titles - 1);
        boolean isWider = rows.subList(0, titles).stream()
                .allMatch(row -> row.filled() < header.filled()
                        && (row.values.size() == 1 || row.values.size() == header.values.size()));
        boolean isApart = header.line > last.line + 1 || last.filled() == 0;
        boolean areSingle = rows.subList(0, titles).stream().allMatch(row -> row.filled() <= 1);
        // Commas in sentences have spaces behind them.
        boolean isSentence = header.values.stream().skip(1).allMatch(name -> name != null && name.startsWith(" "));
        boolean isOther = isOther(header, rows.subList(titles + 1, rows.size()));
        boolean areYears = areYears(header.values, rows.get(titles + 1).values);
        boolean isTitle = isOther ? isApart || areSingle : isApart && areSingle && !isSentence;
        return isWider && isTitle && !areYears ? titles : 0;
    }

    /** Whether a year is above another one, and therefore no name. */
    private static boolean areYears(List<@Nullable String> header, List<@Nullable String> below) {
        for (int i = 0; i < Math.min(header.size(), below.size()); i++) {
            String name = header.get(i);
            String value = below.get(i);
            if (name != null && value != null && isYear(name) && isYear(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHeader(List<@Nullable String> row) {
        return row.size() > 1 && row.stream().allMatch(name -> name != null && (isText(name) || isYear(name)));
    }

    private static boolean isText(String value) {
        ValueKind kind = value.isEmpty() ? ValueKind.EMPTY : ValueKind.of(value);
        return kind == ValueKind.TEXT || kind == ValueKind.OTHER_BOOLEAN; // 'No' and 'Y' are usual names
    }

    private static boolean isYear(String value) {
        return StagedTable.YEAR.matcher(value).matches();
    }

    /** Whether some column has a text in the header and only other values in the rows below. */
    private static boolean isOther(CsvRow header, List<CsvRow> rows) {
        for (int i = 0; i < header.values.size(); i++) {
            int column = i;
            String name = header.values.get(i);
            List<String> below = rows.stream()
                    .filter(row -> column < row.values.size())
                    .map(row -> row.values.get(column))
                    .filter(value -> value != null && !value.isEmpty())
                    .toList();
            if (name != null
                    && isText(name)
                    && !below.isEmpty()
                    && below.stream().noneMatch(CsvTable::isText)) {
                return true;
            }
        }
        return false;
    }

    private static List<CsvRow> starts(String start, boolean isWhole, int separator) throws IOException {
        List<CsvRow> rows = new ArrayList<>();
        try {
            var table = new CsvTable(new StringReader(start), separator);
            for (List<@Nullable String> row = table.row(); row != null && rows.size() < START_ROWS; row = table.row()) {
                if (table.ahead >= 0 || isWhole) {
                    rows.add(new CsvRow(table.rowLine, row));
                }
            }
        } catch (UnreadableDocument e) {
            if (isWhole) {
                rows.clear();
            }
        }
        return rows;
    }

    /** The most frequent separator outside of quotes in the first line that is not empty. */
    private static int mostFrequent(String start) {
        int[] counts = new int[SEPARATORS.length()];
        boolean quoted = false;
        boolean empty = true;
        for (int i = 0; i < start.length() && (quoted || empty || start.charAt(i) != '\n'); i++) {
            char c = start.charAt(i);
            quoted ^= c == '"';
            empty &= c <= ' ';
            int index = SEPARATORS.indexOf(c);
            if (index >= 0 && !quoted) {
                counts[index]++;
            }
        }
        int most = 0;
        for (int i = 1; i < counts.length; i++) {
            most = counts[i] > counts[most] ? i : most;
        }
        return counts[most] == 0 ? NO_SEPARATOR : SEPARATORS.charAt(most);
    }

    /** The next row that is not blank, with null for values that are not there; null at the end of the file. */
    private @Nullable List<@Nullable String> row() throws IOException {
        while (ahead >= 0) {
            rowLine = line;
            rowCharacters = 0;
            List<@Nullable String> row = new ArrayList<>();
            row.add(value());
            while (ahead == separator) {
                next();
                row.add(value());
            }
            endLine();
            String first = row.getFirst();
            if (row.size() > 1 || (first != null && (first.isEmpty() || !first.isBlank()))) {
                return row;
            }
        }
        return null;
    }

    private void endLine() throws IOException {
        boolean isReturn = ahead == '\r';
        if (ahead >= 0) {
            next();
        }
        if (isReturn && ahead == '\n') {
            next();
        } else if (isReturn) {
            line++;
        }
    }

    private boolean isEnd() {
        return ahead < 0 || ahead == separator || ahead == '\n' || ahead == '\r';
    }

    private @Nullable String value() throws IOException {
        if (ahead == '"') {
            return quoted();
        }
        var value = new StringBuilder();
        while (!isEnd()) {
            value.append((char) ahead);
            next();
        }
        return value.isEmpty() ? null : value.toString();
    }

    private String quoted() throws IOException {
        long start = line;
        var value = new StringBuilder();
        next();
        while (true) {
            if (ahead < 0) {
                throw refused(start, "has a quotation mark that is never closed.");
            }
            boolean isQuote = ahead == '"';
            if (isQuote) {
                next();
                if (ahead != '"') {
                    break;
                }
            }
            value.append((char) ahead);
            next();
        }
        while (ahead == ' ') {
            next();
        }
        if (!isEnd()) {
            throw refused(
                    line, "has text after a closing quotation mark. Write a quotation mark within a value twice.");
        }
        return value.toString();
    }

    private void next() throws IOException {
        if (ahead == '\n') {
            line++;
        }
        if (rowCharacters++ > StagedTable.MAX_ROW_CHARACTERS) {
            throw refused(rowLine, "is longer than the 2 MB that a line may have.");
        }
        ahead = in.read();
    }

    private static UnreadableDocument refused(long line, String what) {
        return new UnreadableDocument("Line " + line + " " + what);
    }
}
