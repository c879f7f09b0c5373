package dev.parley.document.child;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.jspecify.annotations.Nullable;

/** The sheets of an XLSX file as CSV, read row by row. */
final class Sheets {
    private Sheets() {}

    /** @param all every sheet under its name, or else the first one alone */
    static void write(Path file, int maxRows, int maxCharacters, boolean all, Writer out)
            throws IOException, Reader.Refused {
        var counted = new Counted(out, maxRows, maxCharacters);
        try (ReadableWorkbook book = new ReadableWorkbook(file.toFile())) {
            for (Sheet sheet : book.getSheets().toList()) {
                if (all) {
                    out.write("[Sheet " + sheet.getName() + "]\n");
                }
                sheet(sheet, counted, all);
                if (!all) {
                    break;
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new Reader.Refused("The XLSX file is damaged.", e);
        }
        if (counted.isFull()) {
            if (!all) {
                throw new Reader.Refused("The sheet is too large.");
            }
            out.write("[The rest is left out.]\n");
        }
    }

    private static void sheet(Sheet sheet, Counted out, boolean all) throws IOException {
        try (Stream<Row> rows = sheet.openStream();
                CSVPrinter printer = new CSVPrinter(
                        out,
                        CSVFormat.RFC4180.builder().setRecordSeparator('\n').get())) {
            int width = 0;
            for (var at = rows.iterator(); at.hasNext() && !out.isFull(); ) {
                Row row = at.next();
                // A table for the engine is as wide as its heading; rows end where their last cell does.
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

    private static String text(@Nullable Cell cell) {
        if (cell == null || cell.getType() == CellType.EMPTY || cell.getType() == CellType.ERROR) {
            return "";
        }
        if (cell.getType() == CellType.NUMBER && cell.getDataFormatString() != null && isDate(cell)) {
            var time = cell.asDate();
            return time.toLocalTime().equals(java.time.LocalTime.MIDNIGHT)
                    ? time.toLocalDate().toString()
                    : time.toString();
        }
        if (cell.getType() == CellType.NUMBER) {
            return cell.asNumber().stripTrailingZeros().toPlainString();
        }
        String text = cell.getType() == CellType.FORMULA ? cell.getRawValue() : cell.getText();
        return text == null ? "" : text;
    }

    private static boolean isDate(Cell cell) {
        String format = String.valueOf(cell.getDataFormatString()).replaceAll("\"[^\"]*\"|\\[[^\\]]*\\]", "");
        return format.matches("(?i).*[yd].*") && !format.contains("General");
    }

    /** Stops counting where there is enough; never closes what is below it. */
    private static final class Counted extends Writer {
        private final Writer out;
        private int rows;
        private int characters;

        Counted(Writer out, int rows, int characters) {
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
