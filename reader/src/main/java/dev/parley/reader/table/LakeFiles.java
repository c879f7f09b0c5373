package dev.parley.reader.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Converts the files of a table to one Parquet file. Each is read separately, so that an error names its file. The types
 * of CSV, JSON Lines and XLSX files are decided by all values of all files; those of Parquet files are in the files.
 */
public final class LakeFiles {
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";
    private static final char NUL_SHOWN = '␀';

    private final Path directory;
    private final String format;
    private final Path parquet;
    private final int megabytes;
    private final List<String> sheets = new ArrayList<>();

    public LakeFiles(Path directory, String format, Path parquet, int megabytes) {
        this.directory = directory;
        this.format = format;
        this.parquet = parquet;
        this.megabytes = megabytes;
    }

    /**
     * A Parquet file that was read.
     *
     * @param columns in order
     * @param filled the columns with at least one value
     */
    private record TablePart(Path file, List<String> columns, Set<String> filled) {}

    /**
     * What to import.
     *
     * @param isPreview whether to examine the files only
     * @param sheet empty for the first visible one
     * @param types that were chosen, by column
     * @param names of the files; empty for the only one
     */
    private record ImportRequest(boolean isPreview, String sheet, Map<String, ChosenType> types, List<String> names) {
        static ImportRequest read(InputStream in) throws IOException {
            Iterator<String> texts = DuckDbTables.texts(in).iterator();
            boolean isPreview = Boolean.parseBoolean(texts.next());
            String sheet = texts.next();
            Map<String, ChosenType> types = new LinkedHashMap<>();
            for (int left = Integer.parseInt(texts.next()); left > 0; left--) {
                types.put(texts.next(), ChosenType.valueOf(texts.next().toUpperCase(Locale.ROOT)));
            }
            List<String> names = new ArrayList<>();
            texts.forEachRemaining(names::add);
            return new ImportRequest(isPreview, sheet, types, names);
        }
    }

    /**
     * Writes a summary of the table: {@code {"rows": …, "columns": […], "sheets": […], "notes": […]}}. Of a workbook that
     * is refused, it has the sheets only.
     *
     * @param in whether to examine the files only, the sheet, the number of chosen types and each with its column, and
     *     the names of the files
     */
    public void convert(InputStream in, Writer out) throws IOException {
        ImportRequest request = ImportRequest.read(in);
        try {
            convert(request, out);
        } catch (UnreadableDocument e) {
            if (!sheets.isEmpty()) {
                try (JsonGenerator json = generator(out)) {
                    json.writeStartObject();
                    writeTexts(json, "sheets", sheets);
                    json.writeEndObject();
                }
            }
            throw e;
        }
    }

    private void convert(ImportRequest request, Writer out) throws IOException {
        List<String> names = request.names;
        boolean isParquet = format.equals("parquet");
        StagedTable table = isParquet ? null : staged(request);
        List<Path> files = new ArrayList<>(List.of(parquet));
        for (int i = 0; i < names.size(); i++) {
            files.addAll(isParquet ? List.of(table(i), part(i), shorter(i)) : List.of(rows(i)));
        }
        try (Connection lake = DuckDbTables.open(megabytes, files);
                Statement statement = lake.createStatement()) {
            if (table != null) {
                if (!request.isPreview) {
                    copy(statement, table.selection(), table.source(files.subList(1, files.size())), parquet);
                }
                describe(table, out);
                return;
            }
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
        return directory.resolve(number + "." + format);
    }

    private Path rows(int number) {
        return directory.resolve(number + ".rows");
    }

    private Path part(int number) {
        return directory.resolve(number + ".part");
    }

    private Path shorter(int number) {
        return directory.resolve(number + ".shorter");
    }

    private StagedTable staged(ImportRequest request) throws IOException {
        var table = new StagedTable(request.types, format.equals("xlsx") ? "row" : "line");
        var json = new JsonTable();
        boolean isJson = format.equals("jsonl");
        List<String> names = request.names;
        for (int i = 0; isJson && i < names.size(); i++) {
            Path file = table(i);
            named(names.get(i), () -> {
                expectContent(file);
                json.examine(file);
            });
        }
        if (isJson) {
            json.columns(names, table);
        }
        for (int i = 0; i < names.size(); i++) {
            Path file = table(i);
            Path to = rows(i);
            String name = names.get(i);
            named(
                    name,
                    () -> table.stage(name, to, () -> {
                        switch (format) {
                            case "csv" -> {
                                expectContent(file);
                                CsvTable.read(file, table);
                            }
                            case "jsonl" -> json.write(file, table);
                            case "xlsx" -> XlsxSheets.read(file, request.sheet, table, sheets);
                            default -> throw new UnreadableDocument("There is no such format.");
                        }
                    }));
            Files.delete(file);
        }
        if (sheets.size() > 1) {
            table.note("The sheet '" + sheets.getFirst() + "' is read. The workbook also has "
                    + XlsxSheets.named(sheets.subList(1, sheets.size())) + ".");
        }
        return table;
    }

    private static void named(String name, StagedTable.FileRows step) throws IOException {
        try {
            step.read();
        } catch (UnreadableDocument e) {
            throw of(name, e);
        }
    }

    private void describe(StagedTable table, Writer out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            json.writeStartObject();
            json.writeNumberField("rows", table.rows());
            json.writeArrayFieldStart("columns");
            for (ColumnProfile column : table.columns()) {
                json.writeStartObject();
                json.writeStringField("name", column.name());
                json.writeStringField("type", column.type());
                json.writeStringField("note", column.note());
                json.writeStringField("chosen", column.chosen());
                writeTexts(json, "samples", column.samples());
                json.writeEndObject();
            }
            json.writeEndArray();
            writeTexts(json, "sheets", sheets);
            writeTexts(json, "notes", table.notes());
            json.writeEndObject();
        }
    }

    private static JsonGenerator generator(Writer out) throws IOException {
        return new JsonFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    private void read(Statement statement, int number, String name, Path to) throws IOException {
        try {
            Path table = table(number);
            copy(statement, "*", "read_parquet(" + DuckDbTables.literal(table) + ")", to);
            expectNamable(statement, to);
            Files.deleteIfExists(table);
        } catch (SQLException e) {
            throw of(name, DuckDbTables.refused(e));
        } catch (UnreadableDocument e) {
            throw of(name, e);
        }
    }

    /** An empty text has no columns. */
    private void expectContent(Path table) throws IOException {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(table))) {
            for (int b = bytes.read(); b >= 0; b = bytes.read()) {
                if (b > ' ' && BYTE_ORDER_MARK.indexOf(b) < 0) {
                    return;
                }
            }
        }
        throw new UnreadableDocument(
                format.equals("jsonl")
                        ? "The file is empty: it has no rows, and therefore no columns."
                        : "The file is empty: it has no header row.");
    }

    private static void copy(Statement statement, String columns, String from, Path to) throws SQLException {
        statement.execute("COPY (SELECT " + columns + " FROM " + from + ") TO " + DuckDbTables.literal(to)
                + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, USE_TMP_FILE false)");
    }

    /** Rejects columns, and nested fields, that no query could name: the engine ends a query at a NUL character. */
    private static void expectNamable(Statement statement, Path file) throws SQLException, UnreadableDocument {
        try (ResultSet row =
                statement.executeQuery("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet("
                        + DuckDbTables.literal(file) + "))")) {
            while (row.next()) {
                if ((row.getString(1) + row.getString(2)).indexOf('\0') >= 0) {
                    throw new UnreadableDocument("The column '"
                            + row.getString(1).replace('\0', NUL_SHOWN) + "' has a NUL character in its name.");
                }
            }
        }
    }

    static UnreadableDocument of(String name, UnreadableDocument e) {
        return name.isEmpty() ? e : new UnreadableDocument("'" + name + "': " + e.getMessage(), e);
    }

    private List<TablePart> parts(Statement statement, List<String> names) throws IOException {
        List<TablePart> parts = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            read(statement, i, names.get(i), part(i));
            TablePart part = part(statement, names.get(i), part(i));
            parts.add(part);
            try {
                StagedTable.expectSame(names.getFirst(), parts.getFirst().columns(), part.columns());
            } catch (UnreadableDocument e) {
                throw of(names.get(i), e);
            }
        }
        return parts;
    }

    private static TablePart part(Statement statement, String name, Path file) throws UnreadableDocument {
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

    static String quoted(String column) {
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
