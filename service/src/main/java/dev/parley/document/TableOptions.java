package dev.parley.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the files of a table are read.
 *
 * @param isPreview whether they are only examined, and no Parquet file is written
 * @param sheet of a workbook; empty for the first visible one
 * @param types that a person chose, by the names of the columns
 */
public record TableOptions(boolean isPreview, String sheet, Map<String, String> types) {
    public static final TableOptions DEFAULT = new TableOptions(false, "", Map.of());

    public TableOptions {
        types = Map.copyOf(types);
    }

    public TableOptions preview() {
        return new TableOptions(true, sheet, types);
    }

    /** The texts that the reader expects before the names of the files. */
    List<String> texts() {
        List<String> texts =
                new ArrayList<>(List.of(Boolean.toString(isPreview), sheet, Integer.toString(types.size())));
        types.forEach((column, type) -> texts.addAll(List.of(column, type)));
        return texts;
    }
}
