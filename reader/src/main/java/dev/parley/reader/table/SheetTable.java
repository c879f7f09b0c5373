package dev.parley.reader.table;

import dev.parley.reader.table.XlsxSheets.SheetCell;
import dev.parley.reader.table.XlsxSheets.SheetRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The table of a sheet: finds its header below titles and beside empty columns. A cell outside of the table is refused
 * with its row, since its value would be lost.
 */
final class SheetTable {
    /** The rows by which the header and the columns are found. */
    private static final int FIRST_ROWS = 100;

    private SheetTable() {}

    static void read(Iterator<SheetRow> rows, StagedTable table) throws IOException {
        List<SheetRow> first = new ArrayList<>();
        while (first.size() < FIRST_ROWS && rows.hasNext()) {
            first.add(rows.next());
        }
        if (first.isEmpty()) {
            throw new UnreadableDocument("The sheet is empty: it has no header row.");
        }
        first = withoutHidden(first, table);
        int header = header(first);
        SheetRow found = first.get(header);
        expectTitles(first, header, table);
        int[] columns = columns(first.subList(header, first.size()));
        table.header(names(found, columns));
        table.columns().forEach(ColumnProfile::readFromWorkbook);
        int hidden = 0;
        Iterator<SheetRow> body = first.subList(header + 1, first.size()).iterator();
        while (body.hasNext() || rows.hasNext()) {
            SheetRow row = body.hasNext() ? body.next() : rows.next();
            write(row, columns, found.number(), table);
            hidden += row.isHidden() ? 1 : 0;
        }
        if (hidden > 0) {
            table.note((hidden == 1 ? "A row is" : hidden + " rows are")
                    + " hidden in the workbook. The table has hidden rows, too.");
        }
    }

    /** Without hidden rows at the top, if there is a header below them. */
    private static List<SheetRow> withoutHidden(List<SheetRow> rows, StagedTable table) {
        int hidden = 0;
        while (hidden < rows.size() && rows.get(hidden).isHidden()) {
            hidden++;
        }
        if (hidden == 0 || hidden == rows.size()) {
            return rows;
        }
        List<SheetRow> visible = rows.subList(hidden, rows.size());
        boolean isHeaderBelow = isHeader(visible, header(visible)) && contrasts(visible, header(visible));
        for (SheetRow row : rows.subList(0, hidden)) {
            table.note(described(row)
                    + (isHeaderBelow ? " is hidden above the header and is not part of the table." : " is hidden."));
        }
        return isHeaderBelow ? visible : rows;
    }

    private static String described(SheetRow row) {
        SheetCell cell = Objects.requireNonNull(row.cells()[firstCell(row)]);
        return "Row " + row.number() + " ('" + ColumnProfile.shortened(cell.text()) + "')";
    }

    private static int count(SheetRow row) {
        return (int) Arrays.stream(row.cells()).filter(Objects::nonNull).count();
    }

    /** The most frequent number of cells of a row; if none is repeated, the smallest above 1. */
    private static int usualCount(List<SheetRow> rows) {
        Map<Integer, Integer> frequencies = new HashMap<>();
        rows.forEach(row -> frequencies.merge(count(row), 1, Integer::sum));
        boolean isRepeated = frequencies.values().stream().anyMatch(frequency -> frequency > 1);
        int usual = 1;
        for (Map.Entry<Integer, Integer> each : new TreeMap<>(frequencies).entrySet()) {
            boolean isMore = each.getValue() >= frequencies.getOrDefault(usual, 0);
            usual = isRepeated ? (isMore ? each.getKey() : usual) : (usual == 1 ? each.getKey() : usual);
        }
        return usual;
    }

    /**
     * The header is the first row with as many cells as rows usually have. The column of numbers that programs put before
     * a table has no name, so the first cell may be missing.
     */
    private static int header(List<SheetRow> rows) {
        int usual = usualCount(rows);
        for (int i = 0; i < rows.size(); i++) {
            int count = count(rows.get(i));
            boolean lacksFirst = i + 1 < rows.size()
                    && count >= Math.max(1, usual - 1)
                    && firstCell(rows.get(i)) == firstCell(rows.get(i + 1)) + 1;
            if (count >= usual || lacksFirst || (usual > 3 && count >= usual - 1)) {
                return i;
            }
        }
        return 0;
    }

    private static int firstCell(SheetRow row) {
        int at = 0;
        while (row.cells()[at] == null) {
            at++;
        }
        return at;
    }

    /**
     * Rows above the header are titles, unless they may be the header, of which names or values would be lost: if they
     * are directly above, or the found row is like those below it.
     */
    private static void expectTitles(List<SheetRow> rows, int header, StagedTable table) throws UnreadableDocument {
        SheetRow found = rows.get(header);
        boolean isHeader = isHeader(rows, header);
        boolean isOther = contrasts(rows, header);
        for (SheetRow row : rows.subList(0, header)) {
            boolean isAdjacent = row.number() == found.number() - 1;
            boolean mayBeHeader = count(row) > 1 && (isAdjacent || (!isOther && count(row) >= count(found) - 1));
            if (mayBeHeader || !isHeader) {
                throw new UnreadableDocument("Row " + row.number() + " has " + cells(row)
                        + ", but row " + found.number() + " has " + cells(found)
                        + ". A table needs one header row without merged cells, with a name above each column.");
            }
            table.note(described(row) + " is above the header and is not part of the table.");
        }
    }

    private static String cells(SheetRow row) {
        int count = count(row);
        return count + (count == 1 ? " cell" : " cells");
    }

    /** Whether all cells are names: texts, or years and dates above values that are none. */
    private static boolean isHeader(List<SheetRow> rows, int at) {
        @Nullable SheetCell[] cells = rows.get(at).cells();
        @Nullable SheetCell[] below = at + 1 < rows.size() ? rows.get(at + 1).cells() : new @Nullable SheetCell[0];
        for (int i = 0; i < cells.length; i++) {
            SheetCell cell = cells[i];
            boolean isName = cell == null
                    || cell.kind() == ValueKind.TEXT
                    || (isPeriod(cell) && (i >= below.length || !isPeriod(below[i])));
            if (!isName) {
                return false;
            }
        }
        return true;
    }

    /** Whether a cell is a year or a date. */
    private static boolean isPeriod(@Nullable SheetCell cell) {
        return cell != null
                && cell.kind() == null
                && (StagedTable.YEAR.matcher(cell.text()).matches() || ValueKind.of(cell.text()) == ValueKind.DATE);
    }

    /** Whether some column has a text in this row and only other values in the rows below. */
    private static boolean contrasts(List<SheetRow> rows, int at) {
        @Nullable SheetCell[] cells = rows.get(at).cells();
        for (int i = 0; i < cells.length; i++) {
            int column = i;
            SheetCell name = cells[i];
            List<SheetCell> below = rows.subList(at + 1, rows.size()).stream()
                    .filter(row -> column < row.cells().length)
                    .map(row -> row.cells()[column])
                    .filter(Objects::nonNull)
                    .toList();
            if (name != null
                    && name.kind() == ValueKind.TEXT
                    && !below.isEmpty()
                    && below.stream().noneMatch(cell -> cell.kind() == ValueKind.TEXT)) {
                return true;
            }
        }
        return false;
    }

    /** The positions of the columns with a name or a value. */
    private static int[] columns(List<SheetRow> rows) {
        Set<Integer> columns = new TreeSet<>();
        for (SheetRow row : rows) {
            for (int i = 0; i < row.cells().length; i++) {
                if (row.cells()[i] != null) {
                    columns.add(i);
                }
            }
        }
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<@Nullable String> names(SheetRow header, int[] columns) {
        List<@Nullable String> names = new ArrayList<>();
        for (int column : columns) {
            SheetCell cell = column < header.cells().length ? header.cells()[column] : null;
            names.add(cell == null ? null : cell.text());
        }
        return names;
    }

    private static void write(SheetRow row, int[] columns, int header, StagedTable table) throws IOException {
        @Nullable String[] values = new @Nullable String[columns.length];
        @Nullable ValueKind[] kinds = new @Nullable ValueKind[columns.length];
        int next = 0;
        for (int i = 0; i < row.cells().length; i++) {
            SheetCell cell = row.cells()[i];
            boolean isColumn = next < columns.length && columns[next] == i;
            if (cell != null && !isColumn) {
                throw new UnreadableDocument("Row " + row.number() + " has the value '"
                        + ColumnProfile.shortened(cell.text()) + "' in column " + letters(i)
                        + ", which has no name in the header (row " + header + ").");
            }
            if (cell != null) {
                values[next] = cell.text();
                kinds[next] = cell.kind();
            }
            next += isColumn ? 1 : 0;
        }
        table.row(values, kinds, row.number());
    }

    private static String letters(int column) {
        String letter = Character.toString((char) ('A' + column % 26));
        return column < 26 ? letter : letters(column / 26 - 1) + letter;
    }
}
