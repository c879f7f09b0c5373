package dev.parley.reader.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.FormulaError;
import org.apache.poi.xssf.usermodel.XSSFCellStyle;
import org.apache.poi.xssf.usermodel.XSSFRow;
import org.apache.poi.xssf.usermodel.XSSFSheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sheet becomes a table with the types of its cells, and no cell is lost. */
class SheetTableTest {
    @TempDir
    private Path directory;

    private final XSSFWorkbook book = new XSSFWorkbook();
    private final XSSFSheet sheet = book.createSheet("Orders");
    private TestImport table;

    @BeforeEach
    void create() throws Exception {
        table = new TestImport(directory);
    }

    @AfterEach
    void close() throws Exception {
        book.close();
    }

    private XSSFRow row(int number, Object... values) {
        return row(sheet, number, values);
    }

    /** @param number as a spreadsheet counts, from 1 */
    private static XSSFRow row(XSSFSheet sheet, int number, Object... values) {
        XSSFRow row = sheet.createRow(number - 1);
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case String text when !text.isEmpty() -> row.createCell(i).setCellValue(text);
                case Number value -> row.createCell(i).setCellValue(value.doubleValue());
                case Boolean value -> row.createCell(i).setCellValue(value);
                default -> {}
            }
        }
        return row;
    }

    private void format(Cell cell, String format) {
        XSSFCellStyle style = book.createCellStyle();
        style.setDataFormat(book.createDataFormat().getFormat(format));
        cell.setCellStyle(style);
    }

    private JsonNode imported() throws Exception {
        var bytes = new ByteArrayOutputStream();
        book.write(bytes);
        return table.files("xlsx", bytes.toByteArray());
    }

    private void assertRefused(String detail) {
        ThrowingCallable imported = this::imported;
        assertThatThrownBy(imported).isInstanceOf(UnreadableDocument.class).hasMessageStartingWith(detail);
    }

    @Test
    void textCellsStayText() throws Exception {
        row(1, "code", "phone", "day", "flag", "number", "escaped");
        row(2, "1E5", "+43664", "2026-01-02", "true", "007", "a_x000D_b_x005F_c");
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("type")).containsOnly("VARCHAR");
        assertThat(summary.path("columns").findValuesAsText("note")).containsOnly("null");
        assertThat(table.rows())
                .containsExactly("{\"code\":\"1E5\",\"phone\":\"+43664\",\"day\":\"2026-01-02\",\"flag\":\"true\","
                        + "\"number\":\"007\",\"escaped\":\"a\\rb_c\"}");
    }

    @Test
    void numbersAreWhatTheSheetShows() throws Exception {
        row(1, "sum", "whole", "small", "postcode", "share");
        XSSFRow row = row(2, 0.1 + 0.2, 123456789012345.0, 0.00001234, 1234, 0.5);
        format(row.getCell(3), "00000");
        format(row.getCell(4), "0%");
        row(3, Double.parseDouble("19.989999999999998"), 7, Double.parseDouble("41800000.0099999979"), 40213, 1);
        format(sheet.getRow(2).getCell(3), "00000");
        assertThat(imported().path("columns").findValuesAsText("type"))
                .containsExactly("DOUBLE", "BIGINT", "DOUBLE", "VARCHAR", "DOUBLE");
        assertThat(table.rows())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .contains(
                                        "\"sum\":0.3,",
                                        "\"whole\":123456789012345,",
                                        "\"postcode\":\"01234\",",
                                        "\"share\":0.5"),
                        second -> assertThat(second)
                                .contains("\"sum\":19.99,", "\"small\":41800000.01,", "\"postcode\":\"40213\""));
    }

    @Test
    void longNumbersStayText() throws Exception {
        row(1, "id");
        row(2, Double.parseDouble("12345678901234567890"));
        JsonNode summary = imported();
        assertThat(summary.at("/columns/0/type").asText()).isEqualTo("VARCHAR");
        assertThat(summary.at("/columns/0/note").asText()).contains("(row 2) has more digits than a number keeps");
    }

    @Test
    void datesAndTimesAreThoseOfTheFormat() throws Exception {
        book.getCTWorkbook().addNewWorkbookPr().setDate1904(true);
        row(1, "day", "moment", "mixed", "clock");
        XSSFRow row = row(2, 44_562, 44_562.4375, 44_562, 0.4375);
        format(row.getCell(0), "dd/mm/yyyy");
        format(row.getCell(1), "m/d/yy h:mm");
        format(row.getCell(2), "dd/mm/yyyy");
        format(row.getCell(3), "h:mm");
        format(row(3, "", "", 44_562.5).getCell(2), "dd/mm/yyyy hh:mm");
        assertThat(imported().path("columns").findValuesAsText("type"))
                .containsExactly("DATE", "TIMESTAMP", "TIMESTAMP", "TIME");
        assertThat(table.rows().getFirst())
                .isEqualTo(
                        "{\"day\":\"2026-01-02\",\"moment\":\"2026-01-02 10:30:00\",\"mixed\":\"2026-01-02 00:00:00\","
                                + "\"clock\":\"10:30:00\"}");
    }

    @Test
    void errorsAreNamed() throws Exception {
        row(1, "amount", "paid");
        row(2, 5, true);
        row(3, "", false).createCell(0).setCellErrorValue(FormulaError.NA.getCode());
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("type")).containsExactly("VARCHAR", "BOOLEAN");
        assertThat(summary.at("/columns/0/note").asText()).contains("'#N/A' (row 3) is an error of the workbook");
        assertThat(table.rows())
                .containsExactly("{\"amount\":\"5\",\"paid\":true}", "{\"amount\":\"#N/A\",\"paid\":false}");
    }

    @Test
    void tableIsFoundBelowTitlesAndBesideEmptyColumns() throws Exception {
        row(2, "", "Sales report");
        row(3, "", "Created", "2026-01-02");
        row(6, "", "id", "", "name", "amount");
        row(7, "", 1, "", "Ada", 5);
        row(9, "", "Total", "", "", 5);
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("id", "name", "amount");
        assertThat(table.rows())
                .containsExactly(
                        "{\"id\":\"1\",\"name\":\"Ada\",\"amount\":5}",
                        "{\"id\":\"Total\",\"name\":null,\"amount\":5}");
        assertThat(summary.path("notes").toString())
                .contains("Row 2 ('Sales report')", "Row 3 ('Created')", "Row 9 looks like a total");
    }

    @Test
    void titleDirectlyAboveTheHeaderIsNoHeader() throws Exception {
        row(1, "Sales report");
        row(2, "product", 2025, 2026);
        row(3, "bolt", 5, 6);
        assertThat(imported().path("columns").findValuesAsText("name")).containsExactly("product", "2025", "2026");
        assertThat(table.rows()).containsExactly("{\"product\":\"bolt\",\"2025\":5,\"2026\":6}");
    }

    @Test
    void headerMayHaveDatesAndSeveralTitles() throws Exception {
        row(1, "Sales report");
        row(2, "of 2026");
        XSSFRow header = row(3, "product", 46_023, 46_054);
        format(header.getCell(1), "mmm yy");
        format(header.getCell(2), "mmm yy");
        row(5, "bolt", 5, 6);
        row(7, "nut", 7, 8);
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("name"))
                .containsExactly("product", "2026-01-01", "2026-02-01");
        assertThat(summary.path("notes")).hasSize(2);
        assertThat(table.rows()).hasSize(2);
    }

    @Test
    void headerAboveAnEmptyRowIsKept() throws Exception {
        row(1, "id", "name", "amount");
        row(3, 1, "Ada", 5);
        row(4, 2, "Bo", 6);
        assertThat(imported().path("columns").findValuesAsText("name")).containsExactly("id", "name", "amount");
        assertThat(table.rows()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1, Ada, 5, 2, Bo, 6", "A1, Graz, x, A2, Wien, y", "Ada, 1999, x, Bo, 2001, y"})
    void rowOfValuesIsNoHeader(String a, String b, String c, String d, String e, String f) {
        row(1, "id", "name");
        row(3, value(a), value(b), value(c));
        row(4, value(d), value(e), value(f));
        assertRefused("Row 1 has 2 cells, but row 3 has 3 cells.");
    }

    private static Object value(String text) {
        return text.matches("\\d+") ? (Object) Integer.valueOf(text) : text;
    }

    @Test
    void hiddenRowAboveTheHeaderIsLeftOut() throws Exception {
        row(1, "cust_id", "cust_name").setZeroHeight(true);
        row(2, "Id", "Name");
        row(3, 1, "Ada");
        row(4, 2, "Bo").setZeroHeight(true);
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("Id", "Name");
        assertThat(table.rows()).hasSize(2);
        assertThat(summary.path("notes").toString())
                .contains("Row 1 ('cust_id') is hidden above the header", "A row is hidden in the workbook.");
    }

    @Test
    void hiddenHeaderIsKept() throws Exception {
        row(1, "id", "name").setZeroHeight(true);
        row(2, 1, "Ada");
        row(3, 2, "Bo");
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("id", "name");
        assertThat(summary.path("notes").toString()).contains("Row 1 ('id') is hidden.");
    }

    @Test
    void totalAndRemarksBelowTheTableAreNoted() throws Exception {
        row(1, "id", "name", "amount");
        row(2, 1, "Ada", 5);
        row(3, "Grand Total:", "", 5);
        row(5, "Source: accounting");
        JsonNode summary = imported();
        assertThat(table.rows()).hasSize(3);
        assertThat(summary.path("notes").toString())
                .contains(
                        "Row 3 looks like a total. It is a row of the table.",
                        "Row 5 ('Source: accounting') has one value below an empty row. It is a row of the table.");
    }

    @Test
    void refusedWorkbookHasItsSheets() {
        row(book.createSheet("Other"), 1, "name");
        book.setSheetHidden(book.getSheetIndex(book.createSheet("Hidden")), true);
        assertRefused("The sheet is empty: it has no header row.");
        assertThat(table.output()).isEqualTo("{\"sheets\":[\"Orders\",\"Other\"]}");
        table.sheet("None");
        assertRefused("The workbook has no sheet 'None'. Its sheets are 'Orders', 'Other', 'Hidden'.");
        assertThat(table.output()).isEqualTo("{\"sheets\":[\"Orders\",\"Other\"]}");
    }

    @Test
    void columnWithoutNameIsKept() throws Exception {
        row(1, "", "name", "amount");
        row(2, 0, "Ada", 5);
        row(3, 1, "Bo", 6, "a remark");
        JsonNode summary = imported();
        assertThat(summary.path("columns").findValuesAsText("name"))
                .containsExactly("column0", "name", "amount", "column3");
        assertThat(table.rows().getLast())
                .isEqualTo("{\"column0\":1,\"name\":\"Bo\",\"amount\":6,\"column3\":\"a remark\"}");
    }

    @Test
    void headerOfTwoRowsIsRefused() {
        row(1, "Name", "Quarter 1", "", "Quarter 2", "");
        row(2, "", "units", "value", "units", "value");
        row(3, "Ada", 1, 2, 3, 4);
        row(4, "Bo", 1, 2, 3, 4);
        assertRefused("Row 1 has 3 cells, but row 2 has 4 cells.");
    }

    @Test
    void headerThatIsTooNarrowIsRefused() {
        row(1, "Name");
        row(2, "Ada", 5);
        row(3, "Bo", 6);
        assertRefused("Row 1 has 1 cell, but row 2 has 2 cells.");
    }

    @Test
    void valueBesideTheTableIsRefusedWithItsPlace() {
        row(1, "id", "name");
        for (int i = 2; i < 200; i++) {
            row(i, i, "n");
        }
        row(200, 200, "n", "", "remark");
        assertRefused("Row 200 has the value 'remark' in column D, which has no name in the header (row 1).");
    }

    @Test
    void theFirstVisibleSheetIsReadUnlessAnotherIsChosen() throws Exception {
        row(1, "id");
        row(2, 1);
        row(book.createSheet("Other"), 1, "name");
        row(book.createSheet("Third"), 1, "city");
        book.setSheetHidden(0, true);
        book.setActiveSheet(1);
        JsonNode summary = imported();
        assertThat(summary.path("sheets").toString()).isEqualTo("[\"Other\",\"Third\"]");
        assertThat(summary.path("notes").toString())
                .contains("The sheet 'Other' is read. The workbook also has 'Third'.");
        assertThat(summary.at("/columns/0/name").asText()).isEqualTo("name");
        table.sheet("Orders");
        assertThat(imported().at("/columns/0/name").asText()).isEqualTo("id");
        table.sheet("None");
        assertRefused("The workbook has no sheet 'None'. Its sheets are 'Orders', 'Other', 'Third'.");
    }

    @Test
    void typeCanBeChosen() throws Exception {
        row(1, "price", "when");
        row(2, "1.234,50", "03/04/2026");
        table.types(Map.of("price", "number_comma", "when", "date_day_first"));
        imported();
        assertThat(table.rows()).containsExactly("{\"price\":1234.5,\"when\":\"2026-04-03\"}");
    }
}
