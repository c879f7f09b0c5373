package dev.parley.document.child;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Converts the files of a table to one Parquet file. Each is read separately, so that an error names its file; then
 * they are concatenated in order, each column with the narrowest type that fits all files.
 */
final class LakeFiles {
    private static final int MAX_ROWS = 50_000_000;
    private static final int MAX_CHARACTERS = Integer.MAX_VALUE;
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";
    private static final char NUL_SHOWN = '␀';

    private final Path directory;
    private final String format;
    private final Path parquet;
    private final int megabytes;

    LakeFiles(Path directory, String format, Path parquet, int megabytes) {
        this.directory = directory;
        this.format = format;
        this.parquet = parquet;
        this.megabytes = megabytes;
    }

    /**
     * A file that was read.
     *
     * @param columns in order
     * @param filled the columns with at least one value
     */
    private record TablePart(Path file, List<String> columns, Set<String> filled) {}

    /**
     * Writes a summary of the table: {@code {"rows": …, "columns": […]}}.
     *
     * @param in the names of the files
     */
    void convert(InputStream in, Writer out) throws IOException, DocumentReaderMain.UnreadableDocument {
        List<String> names = DuckDbTables.texts(in);
        List<Path> files = new ArrayList<>(List.of(parquet));
        for (int i = 0; i < names.size(); i++) {
            files.addAll(List.of(table(i), part(i), shorter(i)));
        }
        try (Connection lake = DuckDbTables.open(megabytes, files);
                Statement statement = lake.createStatement()) {
            if (names.size() == 1) {
                read(statement, 0, names.getFirst(), parquet);
            } else {
                join(statement, parts(statement, names));
            }
            out.write(description(statement));
        } catch (SQLException e) {
            throw DuckDbTables.refused(e);
        }
    }

    private Path table(int number) {
        return directory.resolve(number + "." + (format.equals("xlsx") ? "csv" : format));
    }

    private Path part(int number) {
        return directory.resolve(number + ".part");
    }

    private Path shorter(int number) {
        return directory.resolve(number + ".shorter");
    }

    private void read(Statement statement, int number, String name, Path to)
            throws IOException, DocumentReaderMain.UnreadableDocument {
        try {
            Path table = table(number);
            if (format.equals("xlsx")) {
                try (Writer csv = Files.newBufferedWriter(table)) {
                    XlsxSheets.write(directory.resolve(number + ".xlsx"), MAX_ROWS, MAX_CHARACTERS, false, csv);
                }
            }
            expectContent(table);
            copy(statement, "*", source(table), to);
            expectNamable(statement, to);
            Files.deleteIfExists(table);
        } catch (SQLException e) {
            throw of(name, DuckDbTables.refused(e));
        } catch (DocumentReaderMain.UnreadableDocument e) {
            throw of(name, e);
        }
    }

    /** An empty text has no columns; the engine would invent one. */
    private void expectContent(Path table) throws IOException, DocumentReaderMain.UnreadableDocument {
        if (format.equals("parquet")) {
            return;
        }
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(table))) {
            for (int b = bytes.read(); b >= 0; b = bytes.read()) {
                if (b > ' ' && BYTE_ORDER_MARK.indexOf(b) < 0) {
                    return;
                }
            }
        }
        throw new DocumentReaderMain.UnreadableDocument(
                format.equals("jsonl")
                        ? "The file is empty: it has no rows, and therefore no columns."
                        : "The file is empty: it has no header row.");
    }

    private String source(Path table) throws IOException, DocumentReaderMain.UnreadableDocument {
        return switch (format) {
            case "csv" -> {
                CsvStructure.removeByteOrderMark(table);
                yield "read_csv(" + DuckDbTables.literal(table) + ", header = true, sample_size = 200000"
                        + CsvStructure.check(table)
                                .map(separator -> ", delim = '" + separator + "', quote = '\"', escape = '\"'")
                                .orElse("")
                        + ")";
            }
            case "xlsx" -> "read_csv(" + DuckDbTables.literal(table) + ", header = true, sample_size = 200000)";
            case "jsonl" ->
                "read_json(" + DuckDbTables.literal(table)
                        + ", format = 'newline_delimited', sample_size = 200000, maximum_object_size = 4194304)";
            case "parquet" -> "read_parquet(" + DuckDbTables.literal(table) + ")";
            default -> throw new DocumentReaderMain.UnreadableDocument("There is no such format.");
        };
    }

    private static void copy(Statement statement, String columns, String from, Path to) throws SQLException {
        statement.execute("COPY (SELECT " + columns + " FROM " + from + ") TO " + DuckDbTables.literal(to)
                + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, USE_TMP_FILE false)");
    }

    /** Rejects columns, and nested fields, that no query could name: the engine ends a query at a NUL character. */
    private static void expectNamable(Statement statement, Path file)
            throws SQLException, DocumentReaderMain.UnreadableDocument {
        try (ResultSet row =
                statement.executeQuery("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet("
                        + DuckDbTables.literal(file) + "))")) {
            while (row.next()) {
                if ((row.getString(1) + row.getString(2)).indexOf('\0') >= 0) {
                    throw new DocumentReaderMain.UnreadableDocument("The column '"
                            + row.getString(1).replace('\0', NUL_SHOWN) + "' has a NUL character in its name.");
                }
            }
        }
    }

    private static DocumentReaderMain.UnreadableDocument of(String name, DocumentReaderMain.UnreadableDocument e) {
        return name.isEmpty() ? e : new DocumentReaderMain.UnreadableDocument("'" + name + "': " + e.getMessage(), e);
    }

    private List<TablePart> parts(Statement statement, List<String> names)
            throws IOException, DocumentReaderMain.UnreadableDocument {
        List<TablePart> parts = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            read(statement, i, names.get(i), part(i));
            TablePart part = part(statement, names.get(i), part(i));
            parts.add(part);
            expectSame(parts.getFirst(), names.getFirst(), part, names.get(i));
        }
        return parts;
    }

    private static TablePart part(Statement statement, String name, Path file)
            throws DocumentReaderMain.UnreadableDocument {
        try {
            return part(statement, file);
        } catch (SQLException e) {
            throw of(name, DuckDbTables.refused(e));
        }
    }

    private static TablePart part(Statement statement, Path file) throws SQLException {
        List<String> columns = new ArrayList<>();
        String from = "read_parquet(" + DuckDbTables.literal(file) + ")";
        try (ResultSet row = statement.executeQuery("SELECT column_name FROM (DESCRIBE SELECT * FROM " + from + ")")) {
            while (row.next()) {
                columns.add(row.getString(1));
            }
        }
        String counts =
                columns.stream().map(column -> "count(" + quoted(column) + ")").collect(Collectors.joining(", "));
        Set<String> filled = new LinkedHashSet<>();
        try (ResultSet row = statement.executeQuery("SELECT " + counts + " FROM " + from)) {
            row.next();
            for (int i = 0; i < columns.size(); i++) {
                if (row.getLong(i + 1) > 0) {
                    filled.add(columns.get(i));
                }
            }
        }
        return new TablePart(file, columns, filled);
    }

    private static void expectSame(TablePart first, String firstName, TablePart part, String name)
            throws DocumentReaderMain.UnreadableDocument {
        String missing = without(first.columns(), part.columns());
        String more = without(part.columns(), first.columns());
        if (!missing.isEmpty() || !more.isEmpty()) {
            throw of(
                    name,
                    new DocumentReaderMain.UnreadableDocument(
                            "Its columns differ from those of '" + firstName + "': it "
                                    + (missing.isEmpty() ? "" : "lacks " + missing)
                                    + (missing.isEmpty() || more.isEmpty() ? "" : " and ")
                                    + (more.isEmpty() ? "" : "has " + more + " besides") + "."));
        }
    }

    private static String without(List<String> columns, List<String> others) {
        List<String> left =
                columns.stream().filter(column -> !others.contains(column)).toList();
        String named = left.stream().limit(5).map(column -> "'" + column + "'").collect(Collectors.joining(", "));
        return left.size() > 5 ? named + " and others" : named;
    }

    /**
     * Concatenates the files. The type of a column without values is a guess that could turn the same column of other
     * files into text, so it is omitted from its file if another file has it.
     */
    private void join(Statement statement, List<TablePart> parts) throws SQLException {
        Set<String> filled = new LinkedHashSet<>();
        parts.forEach(part -> filled.addAll(part.filled()));
        List<String> files = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            TablePart part = parts.get(i);
            List<String> columnNames = part.columns().stream()
                    .filter(column -> part.filled().contains(column) || !filled.contains(column))
                    .toList();
            if (columnNames.isEmpty()) {
                continue;
            }
            Path file = part.file();
            if (columnNames.size() < part.columns().size()) {
                file = shorter(i);
                copy(statement, list(columnNames), "read_parquet(" + DuckDbTables.literal(part.file()) + ")", file);
            }
            files.add(DuckDbTables.literal(file));
        }
        copy(
                statement,
                list(parts.getFirst().columns()),
                "read_parquet([" + String.join(", ", files) + "], union_by_name = true)",
                parquet);
    }

    private static String list(List<String> columns) {
        return columns.stream().map(LakeFiles::quoted).collect(Collectors.joining(", "));
    }

    private static String quoted(String column) {
        return "\"" + column.replace("\"", "\"\"") + "\"";
    }

    private String description(Statement statement) throws SQLException {
        String from = "read_parquet(" + DuckDbTables.literal(parquet) + ")";
        String rows;
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + from)) {
            row.next();
            rows = row.getString(1);
        }
        List<String> columns = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(
                "SELECT to_json({'name': column_name, 'type': column_type}) FROM (DESCRIBE SELECT * FROM " + from
                        + ")")) {
            while (row.next()) {
                columns.add(row.getString(1));
            }
        }
        return "{\"rows\": " + rows + ", \"columns\": [" + String.join(", ", columns) + "]}";
    }
}
