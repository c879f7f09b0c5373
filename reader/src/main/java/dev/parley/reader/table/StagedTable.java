package dev.parley.reader.table;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one or several files with the same columns, written as CSV in the only form that the engine gets: every
 * value in quotation marks, and no value as nothing. Whatever form a file has is read by this program, so that the
 * engine has nothing to guess.
 */
final class StagedTable {
    private static final int MAX_NOTES = 20;

    static final int MAX_COLUMNS = 10_000;

    private static final int MAX_NAMED_COLUMNS = 5;

    /** A number that is a usual name. */
    static final Pattern YEAR = Pattern.compile("(?:19|20)\\d\\d");

    private static final Pattern TOTAL =
            Pattern.compile("(?iU)\\s*(?:(?:grand |sub)?totals?|sum|(?:zwischen|gesamt)?summe|gesamt|total"
                    + " g[eé]n[eé]ral|somme|totale|suma|razem|totaal|итого|всего|合计|合計|总计|総計)\\s*:?\\s*");

    /** No value, which has no quotation marks. */
    private static final String NOTHING = "\\N";

    /** The engine's limit is higher, since quotation marks are doubled. */
    static final int MAX_ROW_CHARACTERS = 2_000_000;

    private final Map<String, ChosenType> chosen;
    private final String unit;
    private final List<ColumnProfile> columns = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private String firstFile = "";
    /** The column of each value of the current file's rows. */
    private int[] order = {};

    private @Nullable String[] ordered = {};
    private long rows;
    /** The row that looks like the total of those before it; 0 for none. */
    private long total;

    private long lastLine;
    private int lastValues;
    private @Nullable Writer out;

    /** @param unit what the places of values are: {@code line} or {@code row} */
    StagedTable(Map<String, ChosenType> chosen, String unit) {
        this.chosen = chosen;
        this.unit = unit;
    }

    /** Reads a file and calls {@link #header} and then {@link #row}. */
    interface FileRows {
        void read() throws IOException;
    }

    void stage(String name, Path to, FileRows file) throws IOException {
        try (Writer writer = Files.newBufferedWriter(to)) {
            out = writer;
            order = new int[0];
            total = 0;
            lastLine = Long.MAX_VALUE;
            lastValues = 1;
            if (columns.isEmpty()) {
                firstFile = name;
            }
            file.read();
            if (total > 0) {
                note(place(total) + " looks like a total. It is a row of the table.");
            }
        } finally {
            out = null;
        }
    }

    List<ColumnProfile> columns() {
        return columns;
    }

    long rows() {
        return rows;
    }

    List<String> notes() {
        return notes;
    }

    void note(String note) {
        if (notes.size() < MAX_NOTES) {
            notes.add(note);
        }
    }

    /** Names the columns of the next rows. A column without a name, or with one that is taken, gets another. */
    void header(List<@Nullable String> names) throws UnreadableDocument {
        if (names.size() > MAX_COLUMNS) {
            throw new UnreadableDocument("The header has %,d columns, more than the %,d that a table may have."
                    .formatted(names.size(), MAX_COLUMNS));
        }
        List<String> unique = unique(names);
        if (columns.isEmpty()) {
            for (String name : unique) {
                columns.add(new ColumnProfile(name, unit, chosen.get(name)));
            }
            expectChosen(unique);
            noteNames(names);
        }
        List<String> expected = columns.stream().map(ColumnProfile::name).toList();
        expectSame(firstFile, expected, unique);
        Map<String, Integer> places = new HashMap<>();
        expected.forEach(name -> places.put(name, places.size()));
        order = unique.stream().mapToInt(places::get).toArray();
        ordered = new @Nullable String[order.length];
    }

    /** Notes columns without a name, and a header that looks like a row. */
    private void noteNames(List<@Nullable String> names) {
        List<String> unnamed = new ArrayList<>();
        String value = null;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name == null || name.isBlank()) {
                unnamed.add("'" + columns.get(i).name() + "'");
            } else if (value == null && isNumber(name)) {
                value = name;
            }
        }
        if (value != null) {
            note("The header has '" + ColumnProfile.shortened(value)
                    + "', which looks like a value. If the file has no header row, add one.");
        }
        if (!unnamed.isEmpty()) {
            note("The header has no name for the " + (unnamed.size() == 1 ? "column " : "columns ")
                    + String.join(", ", unnamed.subList(0, Math.min(unnamed.size(), MAX_NAMED_COLUMNS)))
                    + (unnamed.size() > MAX_NAMED_COLUMNS ? " and others" : "") + ".");
        }
    }

    private static boolean isNumber(String name) {
        ValueKind kind = ValueKind.of(name);
        return (kind == ValueKind.INTEGER || kind == ValueKind.DECIMAL)
                && !YEAR.matcher(name).matches();
    }

    /** Takes columns whose values were examined before. They get their chosen types; rows are then only written. */
    void columns(List<ColumnProfile> examined) throws UnreadableDocument {
        List<String> names = unique(new ArrayList<@Nullable String>(
                examined.stream().map(ColumnProfile::name).toList()));
        for (int i = 0; i < examined.size(); i++) {
            examined.get(i).rename(names.get(i));
            examined.get(i).choose(chosen.get(names.get(i)));
        }
        columns.addAll(examined);
        expectChosen(names);
    }

    private void expectChosen(List<String> names) throws UnreadableDocument {
        for (String name : chosen.keySet()) {
            if (!names.contains(name)) {
                throw new UnreadableDocument(
                        "A type was chosen for the column '" + name + "', which the table does not have.");
            }
        }
    }

    static List<String> unique(List<@Nullable String> names) throws UnreadableDocument {
        Set<String> taken = new HashSet<>();
        for (String name : names) {
            if (name != null) {
                taken.add(name.toLowerCase(Locale.ROOT));
            }
        }
        int digits = Integer.toString(Math.max(0, names.size() - 1)).length();
        Map<String, Integer> repeated = new HashMap<>();
        List<String> unique = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String given = names.get(i);
            boolean isNamed = given != null && !given.isBlank();
            String base = isNamed
                    ? given
                    : "column" + "0".repeat(digits - Integer.toString(i).length()) + i;
            expectNamable(base);
            String name = base;
            String key = base.toLowerCase(Locale.ROOT);
            Integer before = repeated.get(key);
            if (before != null || (!isNamed && taken.contains(key))) {
                int next = before == null ? 1 : before;
                do {
                    name = base + "_" + next++;
                } while (taken.contains(name.toLowerCase(Locale.ROOT)));
                repeated.put(key, next);
            } else {
                repeated.put(key, 1);
            }
            taken.add(name.toLowerCase(Locale.ROOT));
            unique.add(name);
        }
        return unique;
    }

    /** The engine ends a query at a NUL character. */
    static void expectNamable(String column) throws UnreadableDocument {
        if (column.indexOf('\0') >= 0) {
            throw new UnreadableDocument(
                    "The column '" + column.replace('\0', '␀') + "' has a NUL character in its name.");
        }
    }

    static void expectSame(String firstFile, List<String> expected, List<String> found) throws UnreadableDocument {
        String missing = without(expected, found);
        String more = without(found, expected);
        if (!missing.isEmpty() || !more.isEmpty()) {
            throw new UnreadableDocument("Its columns differ from those of '" + firstFile + "': it "
                    + (missing.isEmpty() ? "" : "lacks " + missing)
                    + (missing.isEmpty() || more.isEmpty() ? "" : " and ")
                    + (more.isEmpty() ? "" : "has " + more + " besides") + ".");
        }
    }

    private static String without(List<String> columns, List<String> others) {
        Set<String> known = new HashSet<>(others);
        List<String> left =
                columns.stream().filter(column -> !known.contains(column)).toList();
        String named = left.stream().limit(5).map(column -> "'" + column + "'").collect(Collectors.joining(", "));
        return left.size() > 5 ? named + " and others" : named;
    }

    /**
     * Adds a row.
     *
     * @param values null for no value
     * @param kinds of the values, or null for kinds that the texts show
     * @param line for messages
     */
    void row(@Nullable String[] values, @Nullable ValueKind @Nullable [] kinds, long line) throws IOException {
        noteRemark(values, line);
        for (int i = 0; i < order.length; i++) {
            String value = values[i];
            ordered[order[i]] =
                    value == null ? null : columns.get(order[i]).add(value, kinds == null ? null : kinds[i], line);
        }
        write(ordered);
    }

    /** Notes a value alone below an empty row, and remembers a row that looks like a total. */
    private void noteRemark(@Nullable String[] values, long line) {
        String first = null;
        int count = 0;
        for (String value : values) {
            first = count == 0 ? value : first;
            count += value == null ? 0 : 1;
        }
        boolean isTotal = first != null && TOTAL.matcher(first).matches();
        // Empty rows of a sheet are skipped; a CSV file has them as rows without values.
        boolean isApart = lastValues == 0 || (unit.equals("row") && line - 1 > lastLine);
        if (isTotal) {
            total = line;
        } else if (count > 1) {
            total = 0;
        } else if (count == 1 && values.length > 1 && isApart) {
            note(place(line) + " ('" + ColumnProfile.shortened(String.valueOf(first))
                    + "') has one value below an empty row. It is a row of the table.");
        }
        lastLine = line;
        lastValues = count;
    }

    /** A line or row at the start of a sentence. */
    private String place(long line) {
        return ColumnProfile.capital(unit) + " " + line;
    }

    private void expectWhole(String value, int column) throws UnreadableDocument {
        int half = value.codePoints()
                .filter(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                .findFirst()
                .orElse(-1);
        if (half >= 0) {
            throw new UnreadableDocument("A value of the column '"
                    + columns.get(column).name() + "' has half of a character (\\u%04x).".formatted(half));
        }
    }

    /** Writes a row whose values were added to the columns already. */
    void write(@Nullable String[] values) throws IOException {
        Writer writer = Objects.requireNonNull(out);
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                writer.write(',');
            }
            String value = values[i];
            if (value != null) {
                expectWhole(value, i);
                writer.write('"');
                writer.write(value.indexOf('"') < 0 ? value : value.replace("\"", "\"\""));
                writer.write('"');
            } else {
                writer.write(NOTHING);
            }
        }
        writer.write('\n');
        rows++;
    }

    /** The engine's table of the staged files, with a text column {@code c0} and so on for each column. */
    String source(List<Path> files) {
        StringBuilder types = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            types.append(i == 0 ? "" : ", ").append("'c").append(i).append("': 'VARCHAR'");
        }
        return "read_csv([" + files.stream().map(DuckDbTables::literal).collect(Collectors.joining(", "))
                + "], columns = {"
                + types
                + "}, auto_detect = false, header = false, delim = ',', quote = '\"', escape = '\"', new_line = '\\n',"
                + " nullstr = '" + NOTHING + "', allow_quoted_nulls = false, max_line_size = 12000000,"
                + " buffer_size = 32000000, parallel = false)";
    }

    /** The columns with their types, for a query of {@link #source}. */
    String selection() {
        StringBuilder selection = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            ColumnProfile column = columns.get(i);
            selection
                    .append(i == 0 ? "" : ", ")
                    .append(column.expression("c" + i))
                    .append(" AS ")
                    .append(LakeFiles.quoted(column.name()));
        }
        return selection.toString();
    }
}
