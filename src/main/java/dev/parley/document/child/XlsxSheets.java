package dev.parley.document.child;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.jspecify.annotations.Nullable;

/** The sheets of an XLSX file as CSV, read row by row. */
final class XlsxSheets {
    private static final ReadingOptions WITH_FORMATS = new ReadingOptions(true, false);

    private final boolean all;
    private final boolean from1904;
    private final Map<String, CellFormat> formats = new HashMap<>();

    private XlsxSheets(boolean all, boolean from1904) {
        this.all = all;
        this.from1904 = from1904;
    }

    /** @param all all sheets, each after its name, instead of the first one alone */
    static void write(Path file, int maxRows, int maxCharacters, boolean all, Writer out)
            throws IOException, DocumentReaderMain.UnreadableDocument {
        var counted = new CountingWriter(out, maxRows, maxCharacters);
        try (ReadableWorkbook book = new ReadableWorkbook(file.toFile(), WITH_FORMATS)) {
            var sheets = new XlsxSheets(all, book.isDate1904());
            for (Sheet sheet : book.getSheets().toList()) {
                if (all) {
                    counted.write("[Sheet " + sheet.getName() + "]\n");
                }
                sheets.write(sheet, counted);
                if (!all || counted.isFull()) {
                    break;
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new DocumentReaderMain.UnreadableDocument("The XLSX file is damaged.", e);
        }
        if (counted.isFull()) {
            if (!all) {
                throw new DocumentReaderMain.UnreadableDocument("The sheet is too large.");
            }
            out.write("[The rest is omitted.]\n");
        }
    }

    private void write(Sheet sheet, CountingWriter out) throws IOException {
        try (Stream<Row> rows = sheet.openStream();
                CSVPrinter printer = new CSVPrinter(
                        out,
                        CSVFormat.RFC4180.builder().setRecordSeparator('\n').get())) {
            int width = 0;
            for (var at = rows.iterator(); at.hasNext() && !out.isFull(); ) {
                Row row = at.next();
                // A table for the engine is as wide as its header; other rows end with their last cell.
                width = width == 0 || all ? row.getCellCount() : width;
                String[] cells = new String[width];
                for (int i = 0; i < width; i++) {
                    cells[i] = i < row.getCellCount() ? text(row.getCell(i)) : "";
                }
                printer.printRecord((Object[]) cells);
                out.row();
            }
            printer.flush();
        }
    }

    /** A formula is replaced by its last result. */
    private String text(@Nullable Cell cell) {
        Object value = cell == null ? null : cell.getValue();
        if (cell == null || value == null) {
            return "";
        }
        if (!(value instanceof BigDecimal number)) {
            return value.toString();
        }
        CellFormat format = format(cell);
        return format == CellFormat.NUMBER ? SerialDate.plain(number) : SerialDate.text(number, format, from1904, all);
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
