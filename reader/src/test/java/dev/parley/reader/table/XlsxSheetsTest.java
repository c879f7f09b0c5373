package dev.parley.reader.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.FormulaError;
import org.apache.poi.xssf.usermodel.XSSFCellStyle;
import org.apache.poi.xssf.usermodel.XSSFSheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells of a workbook as CSV. */
class XlsxSheetsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "General | NUMBER",
                "0 | NUMBER",
                "#,##0.00 | NUMBER",
                "0.00E+00 | NUMBER",
                "@ | NUMBER",
                "# ?/? | NUMBER",
                "#,##0 \"days\" | NUMBER",
                "#,##0\\ \\d | NUMBER",
                "#,##0.00_);[Red](#,##0.00) | NUMBER",
                "[$USD-409] #,##0.00 | NUMBER",
                "[Yellow]#,##0 | NUMBER",
                "[<=99]#,##0;yyyy | NUMBER",
                "_-* #,##0_-;-* #,##0_-;_-* \"-\"_-;_-@_- | NUMBER",
                "mm-dd-yy | DATE",
                "yyyy\\-mm\\-dd | DATE",
                "[$-409]d. mmmm yyyy;@ | DATE",
                "dd/mm/yyyy | DATE",
                "mmm | DATE",
                "m | DATE",
                "yyyy\"年\"m\"月\"d\"日\" | DATE",
                "h:mm | TIME",
                "hh:mm:ss.000 | TIME",
                "[$-F400]h:mm:ss AM/PM | TIME",
                "mm:ss | TIME",
                "mmss.0 | TIME",
                "[h]:mm:ss | DURATION",
                "[mm]:ss | DURATION",
                "[ss] | DURATION",
                "m/d/yy h:mm | DATE_TIME",
                "yyyy-mm-dd\"T\"hh:mm:ss | DATE_TIME",
                "h:mm d-mmm | DATE_TIME",
                "hh:mm:ss mm | DATE_TIME"
            })
    void theNumberFormatIdentifiesDates(String code, CellFormat format) {
        assertThat(CellFormat.of(code)).isEqualTo(format);
    }

    @ParameterizedTest
    @CsvSource({
        "46024, DATE, false, 2026-01-02",
        "44562, DATE, true, 2026-01-02",
        "46024.4375, DATE, false, 2026-01-02T10:30:00.000Z",
        "46024, DATE_TIME, false, 2026-01-02T00:00:00.000Z",
        "46024.437505787, DATE_TIME, false, 2026-01-02T10:30:00.500Z",
        "46023.9999999999, DATE_TIME, false, 2026-01-02T00:00:00.000Z",
        "1, DATE, false, 1900-01-01",
        "59, DATE, false, 1900-02-28",
        "61, DATE, false, 1900-03-01",
        "0, DATE, true, 1904-01-01",
        "2958465, DATE, false, 9999-12-31",
        "0.4375, TIME, false, 10:30:00",
        "0, TIME, false, 00:00:00",
        "0.5, TIME, true, 12:00:00",
        "0.437505787, TIME, false, 10:30:00.500",
        "46024.4375, TIME, false, 2026-01-02T10:30:00.000Z",
        "0.4375, DATE_TIME, false, 10:30:00",
        "0.4375, DURATION, false, 10:30:00",
        "1.5, DURATION, false, 36:00:00",
        "4.25, DURATION, false, 102:00:00",
        "-1, DATE, false, -1",
        "2958466, DATE, false, 2958466",
        "1E+300, DATE_TIME, true, 1" + "000000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000"
    })
    void aSerialNumberIsADate(String number, CellFormat format, boolean from1904, String text) {
        assertThat(SerialDate.text(new BigDecimal(number), format, from1904, true))
                .isEqualTo(text);
    }

    private static Cell cell(XSSFSheet sheet, int column, String format) {
        XSSFWorkbook book = sheet.getWorkbook();
        XSSFCellStyle style = book.createCellStyle();
        style.setDataFormat(book.createDataFormat().getFormat(format));
        Cell cell = sheet.getRow(1).createCell(column);
        cell.setCellStyle(style);
        return cell;
    }

    private String read(XSSFWorkbook book) throws Exception {
        Path file = directory.resolve("book.xlsx");
        try (OutputStream out = Files.newOutputStream(file)) {
            book.write(out);
        }
        var csv = new StringWriter();
        XlsxSheets.write(file, 100, 10_000, csv);
        return csv.toString();
    }

    private static XSSFWorkbook book(boolean from1904) {
        var book = new XSSFWorkbook();
        book.getCTWorkbook().addNewWorkbookPr().setDate1904(from1904);
        XSSFSheet sheet = book.createSheet("Table");
        sheet.createRow(0).createCell(0).setCellValue("first");
        sheet.createRow(1);
        return book;
    }

    @Test
    void aFormulaIsItsLastResultInItsFormat() throws Exception {
        try (XSSFWorkbook book = book(false)) {
            XSSFSheet sheet = book.getSheetAt(0);
            cell(sheet, 0, "yyyy-mm-dd").setCellFormula("DATE(2026,1,2)");
            cell(sheet, 1, "General").setCellFormula("46023+1");
            cell(sheet, 2, "General").setCellFormula("1=1");
            cell(sheet, 3, "yyyy-mm-dd").setCellFormula("\"no\"&\"ne\"");
            cell(sheet, 4, "yyyy-mm-dd").setCellFormula("1/0");
            book.getCreationHelper().createFormulaEvaluator().evaluateAll();
            for (int column = 1; column < 5; column++) {
                sheet.getRow(0).createCell(column).setCellValue("c");
            }
            assertThat(read(book).lines().skip(2)).containsExactly("2026-01-02,46024,true,none,\"#DIV/0!\"");
        }
    }

    @Test
    void aNumberThatIsNoDateIsUnchanged() throws Exception {
        try (XSSFWorkbook book = book(true)) {
            XSSFSheet sheet = book.getSheetAt(0);
            cell(sheet, 0, "General").setCellValue(44_562);
            cell(sheet, 1, "yyyy-mm-dd").setCellValue(44_562);
            cell(sheet, 2, "yyyy-mm-dd").setCellValue(true);
            cell(sheet, 3, "yyyy-mm-dd").setCellErrorValue(FormulaError.NA.getCode());
            cell(sheet, 4, "yyyy-mm-dd").setCellValue("text");
            cell(sheet, 5, "yyyy-mm-dd");
            cell(sheet, 6, "0.0").setCellValue(1.5);
            assertThat(read(book).lines().skip(2)).containsExactly("44562,2026-01-02,true,\"#N/A\",text,,1.5");
        }
    }
}
