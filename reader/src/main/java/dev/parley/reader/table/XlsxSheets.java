package dev.parley.reader.table;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.dhatim.fastexcel.reader.SheetVisibility;
import org.jspecify.annotations.Nullable;

/** The sheets of an XLSX file, read row by row: as CSV for models, or one of them as a table. */
public final class XlsxSheets {
    private static final ReadingOptions WITH_FORMATS = new ReadingOptions(true, false);

    /** The digits that a spreadsheet shows of a number; further ones are the error of binary fractions. */
    private static final MathContext SHOWN_DIGITS = new MathContext(15, RoundingMode.HALF_UP);

    private static final Set<String> ERRORS = Set.of(
            "#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#GETTING_DATA");

    /** A number format that shows codes of a fixed length, such as postal codes. */
    private static final Pattern CODE = Pattern.compile("0{2,30}");

    /** How XML names characters that it cannot have. */
    private static final Pattern ESCAPED = Pattern.compile("_x([0-9A-Fa-f]{4})_");

    private static final int MAX_SHEETS = 200;
    private static final int MAX_NAMED_SHEETS = 20;

    private final boolean utc;
    private final boolean from1904;
    private final Map<String, CellFormat> formats = new HashMap<>();

    private XlsxSheets(boolean utc, boolean from1904) {
        this.utc = utc;
        this.from1904 = from1904;
    }

    /**
     * The content of a cell.
     *
     * @param kind null to find it by the text
     */
    record SheetCell(String text, @Nullable ValueKind kind) {}

    /** The cells of a row that is not empty, with its number; null for empty cells. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SheetRow(int number, boolean isHidden, @Nullable SheetCell[] cells) {}

    private interface WorkbookReader {
        void read(ReadableWorkbook book) throws IOException;
    }

    private static void open(Path file, WorkbookReader reader) throws IOException {
        try (ReadableWorkbook book = new ReadableWorkbook(file.toFile(), WITH_FORMATS)) {
            reader.read(book);
        } catch (UnreadableDocument e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            throw new UnreadableDocument(
                    reason.contains("Unknown cell type")
                            ? "The XLSX file has cells of a type that is not supported. Save it again in a spreadsheet"
                                    + " program."
                            : "The XLSX file is damaged.",
                    e);
        }
    }

    /** Writes all sheets, each after its name. */
    public static void write(Path file, int maxRows, int maxCharacters, Writer out) throws IOException {
        var counted = new CountingWriter(out, maxRows, maxCharacters);
        open(file, book -> {
            var sheets = new XlsxSheets(true, book.isDate1904());
            for (Sheet sheet : book.getSheets().toList()) {
                counted.write("[Sheet " + sheet.getName() + "]\n");
                sheets.write(sheet, counted);
                if (counted.isFull()) {
                    break;
                }
            }
        });
        if (counted.isFull()) {
            out.write("[The rest is omitted.]\n");
        }
    }

    private void write(Sheet sheet, CountingWriter out) throws IOException {
        try (Stream<Row> rows = sheet.openStream();
                CSVPrinter printer = new CSVPrinter(
                        out,
                        CSVFormat.RFC4180.builder().setRecordSeparator('\n').get())) {
            for (var at = rows.iterator(); at.hasNext() && !out.isFull(); ) {
                Row row = at.next();
                Object[] cells = new Object[row.getCellCount()];
                for (int i = 0; i < cells.length; i++) {
                    SheetCell cell = cell(row.getCell(i));
                    cells[i] = cell == null ? "" : cell.text();
                }
                printer.printRecord(cells);
                out.row();
            }
            printer.flush();
        }
    }

    /**
     * Reads the table of a sheet.
     *
     * @param name empty for the first visible sheet
     * @param names gets the name of the sheet, if there is one, and then those of the other visible ones, unless it has
     *     those of another file; also if the sheet is refused
     */
    static void read(Path file, String name, StagedTable table, List<String> names) throws IOException {
        open(file, book -> {
            List<Sheet> sheets = book.getSheets().toList();
            Sheet chosen = sheets.stream()
                    .filter(sheet ->
                            name.isEmpty() ? isVisible(sheet) : sheet.getName().equals(name))
                    .findFirst()
                    .orElse(null);
            if (names.isEmpty()) {
                Stream.concat(
                                Stream.ofNullable(chosen),
                                sheets.stream().filter(sheet -> !sheet.equals(chosen) && isVisible(sheet)))
                        .map(Sheet::getName)
                        .limit(MAX_SHEETS)
                        .forEach(names::add);
            }
            if (chosen == null) {
                throw new UnreadableDocument(
                        name.isEmpty()
                                ? "The workbook has no visible sheet."
                                : "The workbook has no sheet '" + ColumnProfile.shortened(name) + "'. Its sheets are "
                                        + named(sheets.stream()
                                                .map(Sheet::getName)
                                                .toList()) + ".");
            }
            var reader = new XlsxSheets(false, book.isDate1904());
            try (Stream<Row> rows = chosen.openStream()) {
                SheetTable.read(
                        rows.map(reader::row)
                                .filter(row -> row.cells().length > 0)
                                .iterator(),
                        table);
            }
        });
    }

    private static boolean isVisible(Sheet sheet) {
        return sheet.getVisibility() == SheetVisibility.VISIBLE;
    }

    /** The names of sheets for a sentence. */
    static String named(List<String> sheets) {
        String named = sheets.stream()
                .limit(MAX_NAMED_SHEETS)
                .map(sheet -> "'" + ColumnProfile.shortened(sheet) + "'")
                .collect(Collectors.joining(", "));
        return sheets.size() > MAX_NAMED_SHEETS ? named + " and others" : named;
    }

    /** A row up to its last cell with content; without cells if it is empty. */
    private SheetRow row(Row row) {
        @Nullable SheetCell[] cells = new @Nullable SheetCell[row.getCellCount()];
        int end = 0;
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cell(row.getCell(i));
            end = cells[i] == null ? end : i + 1;
        }
        return new SheetRow(row.getRowNum(), row.isHidden(), Arrays.copyOf(cells, end));
    }

    /** A formula is replaced by its last result. An empty text is no content. */
    private @Nullable SheetCell cell(@Nullable Cell cell) {
        Object value = cell == null ? null : cell.getValue();
        if (cell == null || value == null) {
            return null;
        }
        if (value instanceof BigDecimal number) {
            return number(cell, number);
        }
        if (value instanceof Boolean) {
            return new SheetCell(value.toString(), ValueKind.BOOLEAN);
        }
        String text = value.toString();
        if (cell.getType() == CellType.ERROR || (cell.getType() == CellType.FORMULA && ERRORS.contains(text))) {
            return new SheetCell(text, ValueKind.ERROR);
        }
        return text.isEmpty() ? null : new SheetCell(unescaped(text), ValueKind.TEXT);
    }

    private SheetCell number(Cell cell, BigDecimal number) {
        String code = cell.getDataFormatString();
        if (code != null
                && CODE.matcher(code).matches()
                && number.signum() >= 0
                && number.stripTrailingZeros().scale() <= 0) {
            String digits = number.toBigInteger().toString();
            String padded = "0".repeat(Math.max(0, code.length() - digits.length())) + digits;
            return new SheetCell(padded, null);
        }
        CellFormat format = format(cell);
        if (format != CellFormat.NUMBER) {
            return new SheetCell(SerialDate.text(number, format, from1904, utc), null);
        }
        boolean isWhole = number.stripTrailingZeros().scale() <= 0;
        return new SheetCell(SerialDate.plain(isWhole ? number : number.round(SHOWN_DIGITS)), null);
    }

    private static String unescaped(String text) {
        if (!text.contains("_x")) {
            return text;
        }
        return ESCAPED.matcher(text).replaceAll(found -> {
            char character = (char) Integer.parseInt(found.group(1), 16);
            return Matcher.quoteReplacement(character == 0 ? found.group() : Character.toString(character));
        });
    }

    private CellFormat format(Cell cell) {
        if (cell.getDataFormatString() != null) {
            return formats.computeIfAbsent(cell.getDataFormatString(), CellFormat::of);
        }
        Integer id = cell.getDataFormatId();
        return id == null ? CellFormat.NUMBER : CellFormat.ofBuiltIn(id);
    }

    /** Counts characters up to a limit; never closes the underlying writer. */
    private static final class CountingWriter extends Writer {
        private final Writer out;
        private int rows;
        private int characters;

        CountingWriter(Writer out, int rows, int characters) {
            this.out = out;
            this.rows = rows;
            this.characters = characters;
        }

        void row() {
            rows--;
        }

        boolean isFull() {
            return rows <= 0 || characters <= 0;
        }

        @Override
        public void write(char[] buffer, int offset, int length) throws IOException {
            characters -= length;
            out.write(buffer, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() {}
    }
}
