package dev.parley.reader.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a column, which decide its type: one that keeps all of them exactly, or else text. */
final class ColumnProfile {
    static final String TEXT_TYPE = "VARCHAR";

    private static final int MAX_SAMPLES = 3;
    private static final int MAX_SHOWN = 60;
    /** A column that is text is examined a little further, for the reason that is shown. */
    private static final int MAX_EXAMINED_TEXTS = 1_000;

    private static final Map<ValueKind, String> TYPES = Map.of(
            ValueKind.INTEGER, "BIGINT",
            ValueKind.DECIMAL, "DOUBLE",
            ValueKind.BOOLEAN, "BOOLEAN",
            ValueKind.DATE, "DATE",
            ValueKind.TIME, "TIME",
            ValueKind.TIMESTAMP, "TIMESTAMP",
            ValueKind.UTC_TIMESTAMP, "TIMESTAMP WITH TIME ZONE",
            ValueKind.DAY_FIRST, "DATE",
            ValueKind.MONTH_FIRST, "DATE",
            ValueKind.YEAR_FIRST, "DATE");

    private String name;
    private final String unit;
    private @Nullable ChosenType chosen;
    private final Map<ValueKind, ValueSample> first = new EnumMap<>(ValueKind.class);
    private final Set<String> samples = new LinkedHashSet<>();
    private final Set<Character> separators = new LinkedHashSet<>();
    private boolean fromWorkbook;
    private @Nullable String nestedType;
    private @Nullable String nestedNote;
    private int examinedTexts;

    /** @param unit {@code line} or {@code row} */
    ColumnProfile(String name, String unit, @Nullable ChosenType chosen) {
        this.name = name;
        this.unit = unit;
        this.chosen = chosen;
    }

    /** The first value of a kind. */
    private record ValueSample(String text, long line) {}

    String name() {
        return name;
    }

    void rename(String unique) {
        name = unique;
    }

    /** Sets the chosen type, if any. The values that were added before count no more. */
    void choose(@Nullable ChosenType type) {
        if (type != null) {
            chosen = type;
            first.clear();
            separators.clear();
        }
    }

    /** Sets the type of a column with JSON lists or objects. */
    void nest(String type, @Nullable String note) {
        nestedType = type;
        nestedNote = note;
    }

    boolean isChosen() {
        return chosen != null;
    }

    /** The chosen type as in requests; null if it was not chosen. */
    @Nullable
    String chosen() {
        return chosen == null ? null : chosen.name().toLowerCase(Locale.ROOT);
    }

    List<String> samples() {
        return List.copyOf(samples);
    }

    void readFromWorkbook() {
        fromWorkbook = true;
    }

    /**
     * Adds a value.
     *
     * @param kind null to find it by the text
     * @return the value as the engine reads it
     */
    String add(String text, @Nullable ValueKind kind, long line) throws UnreadableDocument {
        String value = text;
        if (chosen != null && !text.isEmpty()) {
            value = chosen.convert(text);
            ValueKind found = value == null ? null : chosen.kind(value);
            if (value == null || found == null) {
                throw new UnreadableDocument(capital(unit) + " " + line + ": '" + shortened(text)
                        + "' in the column '" + shortened(name) + "' " + chosen.refusal()
                        + ". The type was chosen for the column.");
            }
            note(value, found, line);
        } else if (kind != null || examinedTexts < MAX_EXAMINED_TEXTS) {
            note(text, kind != null ? kind : text.isEmpty() ? ValueKind.EMPTY : ValueKind.of(text), line);
        }
        if (samples.size() < MAX_SAMPLES) {
            samples.add(shortened(text));
        }
        return value;
    }

    private void note(String text, ValueKind kind, long line) {
        if (!TYPES.containsKey(kind) && kind != ValueKind.EITHER_FIRST && kind != ValueKind.EMPTY) {
            examinedTexts++;
        }
        if (!first.containsKey(kind)) {
            first.put(kind, new ValueSample(shortened(text), line));
        }
        if (kind == ValueKind.DAY_FIRST || kind == ValueKind.MONTH_FIRST || kind == ValueKind.EITHER_FIRST) {
            separators.add(separator(text));
        }
    }

    private static char separator(String date) {
        return date.charAt(Character.isDigit(date.charAt(1)) ? 2 : 1);
    }

    /** The kinds of the values; an empty text is no value beside values of another type. */
    private Set<ValueKind> kinds() {
        Set<ValueKind> kinds = EnumSet.noneOf(ValueKind.class);
        kinds.addAll(first.keySet());
        kinds.remove(ValueKind.EMPTY);
        return kinds;
    }

    boolean hasValues() {
        return !first.isEmpty();
    }

    /** Whether JSON may have its numbers as they are. */
    boolean isExact() {
        return !first.containsKey(ValueKind.LONG_NUMBER) && !first.containsKey(ValueKind.NOT_FINITE);
    }

    /** The kind whose type keeps all values; null if there is none. */
    private @Nullable ValueKind common() {
        Set<ValueKind> kinds = kinds();
        if (chosen == ChosenType.TEXT || kinds.isEmpty()) {
            return null;
        }
        if (kinds.remove(ValueKind.EITHER_FIRST) && kinds.isEmpty()) {
            return null;
        }
        if (separators.size() > 1) {
            return null;
        }
        if (kinds.size() == 2
                && (kinds.equals(EnumSet.of(ValueKind.INTEGER, ValueKind.DECIMAL))
                        || (fromWorkbook && kinds.equals(EnumSet.of(ValueKind.DATE, ValueKind.TIMESTAMP))))) {
            kinds.remove(ValueKind.INTEGER);
            kinds.remove(ValueKind.DATE);
        }
        ValueKind only = kinds.size() == 1 ? kinds.iterator().next() : null;
        boolean isOrdered = only == ValueKind.DAY_FIRST || only == ValueKind.MONTH_FIRST;
        return only == null || !TYPES.containsKey(only) || (!separators.isEmpty() && !isOrdered) ? null : only;
    }

    /** The engine's name of the type. */
    String type() {
        if (nestedType != null) {
            return nestedType;
        }
        ValueKind common = common();
        if (common != null) {
            return String.valueOf(TYPES.get(common));
        }
        return chosen == null ? TEXT_TYPE : chosen.emptyType();
    }

    /** SQL that reads the type from a column of texts. */
    String expression(String column) {
        ValueKind common = common();
        String type = type();
        if (type.equals(TEXT_TYPE)) {
            return column;
        }
        if (nestedType != null) {
            return "CAST(CAST(" + column + " AS JSON) AS " + type + ")";
        }
        String value = "nullif(" + column + ", '')";
        String format = common == null
                ? null
                : switch (common) {
                    case DAY_FIRST -> "%d" + separator() + "%m" + separator() + "%Y";
                    case MONTH_FIRST -> "%m" + separator() + "%d" + separator() + "%Y";
                    case YEAR_FIRST -> "%Y/%m/%d";
                    default -> null;
                };
        return "CAST(" + (format == null ? value : "strptime(" + value + ", '" + format + "')") + " AS " + type + ")";
    }

    private char separator() {
        return separators.iterator().next();
    }

    /** Why a column is text although values of it look like another type; null if there is nothing to say. */
    @Nullable
    String note() {
        if (nestedType != null) {
            return nestedNote;
        }
        if (chosen != null || !type().equals(TEXT_TYPE)) {
            return null;
        }
        Set<ValueKind> kinds = kinds();
        if (kinds.isEmpty() || kinds.equals(EnumSet.of(ValueKind.TEXT))) {
            return null;
        }
        List<ValueKind> shown = new ArrayList<>(kinds);
        // What prevents a type comes first.
        shown.sort((a, b) -> Boolean.compare(TYPES.containsKey(a), TYPES.containsKey(b)));
        if (kinds.contains(ValueKind.TEXT)) {
            shown.remove(ValueKind.TEXT);
            shown.add(1, ValueKind.TEXT);
        }
        String note = "Kept as text: " + described(shown.getFirst());
        boolean isMixed = shown.size() > 1 && (TYPES.containsKey(shown.getFirst()) || kinds.contains(ValueKind.TEXT));
        if (separators.size() > 1 && shown.size() == 1) {
            return note + ", and others have other separators.";
        }
        return note + (isMixed ? ", but " + described(shown.get(1)) : "") + ".";
    }

    private String described(ValueKind kind) {
        ValueSample sample = first.get(kind);
        return sample == null
                ? kind.words()
                : "'" + sample.text() + "' (" + unit + " " + sample.line() + ") " + kind.words();
    }

    static String shortened(String text) {
        return shortened(text, MAX_SHOWN);
    }

    /** The beginning of a longer text, with an ellipsis. */
    static String shortened(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length) + "…";
    }

    static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
