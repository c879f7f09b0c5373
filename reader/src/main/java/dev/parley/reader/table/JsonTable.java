package dev.parley.reader.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * JSON Lines as a table. All files are read twice: first for the shape of every member at any depth, then for the rows.
 * A member gets a type only if it keeps all its values exactly; numbers that no type keeps become texts.
 */
final class JsonTable {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private static final int MAX_LINE = 4 << 20;
    private static final int MAX_FIELDS = 200;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_REASON = 200;
    private static final String JSON_TYPE = "JSON";

    private final Map<String, JsonShape> columns = new LinkedHashMap<>();
    private final List<Set<String>> columnsOfFiles = new ArrayList<>();

    /** What the values of a member have in common. */
    private static final class JsonShape {
        private final ColumnProfile scalars;
        private final Map<String, JsonShape> fields = new LinkedHashMap<>();
        private final Set<String> lowerCaseNames = new HashSet<>();
        private @Nullable JsonShape items;
        private boolean isObject;
        private boolean isArray;
        /** An object with names that no struct can have, or with too many: it stays JSON. */
        private boolean isOpaque;

        JsonShape(String name) {
            scalars = new ColumnProfile(name, "line", null);
        }

        /** Whether its values are written as texts: no type has them all. */
        boolean isText() {
            boolean isNested = isObject || isArray;
            return (isObject && isArray)
                    || (isNested && (scalars.hasValues() || scalars.isChosen()))
                    || (isOpaque && !isExact())
                    || (!isNested && scalars.type().equals(ColumnProfile.TEXT_TYPE));
        }

        boolean isExact() {
            return scalars.isExact()
                    && (items == null || items.isExact())
                    && fields.values().stream().allMatch(JsonShape::isExact);
        }

        /** The engine's name of the type. */
        String type() {
            if (isText()) {
                return isObject || isArray || scalars.hasValues() ? ColumnProfile.TEXT_TYPE : JSON_TYPE;
            }
            if (isOpaque || (isObject && fields.isEmpty())) {
                return JSON_TYPE;
            }
            if (isArray) {
                return (items == null ? JSON_TYPE : items.type()) + "[]";
            }
            if (isObject) {
                return fields.entrySet().stream()
                        .map(field -> LakeFiles.quoted(field.getKey()) + " "
                                + field.getValue().type())
                        .collect(Collectors.joining(", ", "STRUCT(", ")"));
            }
            return scalars.type();
        }

        JsonShape field(String name, String column) throws UnreadableDocument {
            if (name.indexOf('\0') >= 0) {
                throw new UnreadableDocument("The column '" + column + "' has a NUL character in its name.");
            }
            JsonShape known = fields.get(name);
            if (known != null) {
                return known;
            }
            isOpaque |=
                    fields.size() >= MAX_FIELDS || name.isEmpty() || !lowerCaseNames.add(name.toLowerCase(Locale.ROOT));
            if (isOpaque) {
                return items();
            }
            JsonShape added = new JsonShape(name);
            fields.put(name, added);
            return added;
        }

        JsonShape items() {
            JsonShape known = items;
            if (known == null) {
                known = new JsonShape("");
                items = known;
            }
            return known;
        }
    }

    /** Reads an object of a line, whose start is the current token. */
    private interface ObjectReader {
        void read(JsonParser json, long line) throws IOException;
    }

    private static void lines(Path file, ObjectReader reader) throws IOException {
        long number = 0;
        try (Reader in = CsvTable.open(file)) {
            for (String line = line(in, number + 1); line != null; line = line(in, number + 1)) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                try (JsonParser json = JSON.createParser(line)) {
                    if (json.nextToken() != JsonToken.START_OBJECT) {
                        throw new UnreadableDocument("Line " + number
                                + " is not a JSON object. Each line must be an object with the columns of a row.");
                    }
                    reader.read(json, number);
                    if (json.nextToken() != null) {
                        throw new UnreadableDocument(
                                "Line " + number + " is not valid JSON: it goes on after the end of the object.");
                    }
                }
            }
        } catch (CharacterCodingException e) {
            throw CsvTable.undecodable(file, e);
        } catch (JsonProcessingException e) {
            throw new UnreadableDocument("Line " + number + " is not valid JSON: " + reason(e.getOriginalMessage()), e);
        }
    }

    private static String reason(String message) {
        String first = message.lines().findFirst().orElse("").strip();
        return ColumnProfile.shortened(first, MAX_REASON) + ".";
    }

    private static @Nullable String line(Reader in, long number) throws IOException {
        int c = in.read();
        if (c < 0) {
            return null;
        }
        var line = new StringBuilder();
        while (c >= 0 && c != '\n') {
            if (line.length() >= MAX_LINE) {
                throw new UnreadableDocument("Line " + number + " is longer than the 4 MB that a line may have.");
            }
            line.append((char) c);
            c = in.read();
        }
        return line.toString();
    }

    /** Reads the shapes of a file. */
    void examine(Path file) throws IOException {
        Set<String> found = new HashSet<>();
        lines(file, (json, line) -> {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                StagedTable.expectNamable(name);
                JsonShape shape = columns.computeIfAbsent(name, JsonShape::new);
                if (columns.size() > StagedTable.MAX_COLUMNS) {
                    throw new UnreadableDocument(
                            "Line " + line + ": there are more than " + StagedTable.MAX_COLUMNS + " columns.");
                }
                found.add(name);
                json.nextToken();
                examine(json, shape, name, line, 1);
            }
        });
        columnsOfFiles.add(found);
    }

    private static void examine(JsonParser json, JsonShape shape, String column, long line, int depth)
            throws IOException {
        switch (json.currentToken()) {
            case START_OBJECT -> {
                shape.isObject = true;
                shape.isOpaque |= depth > MAX_DEPTH;
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    JsonShape field = shape.field(json.currentName(), column);
                    json.nextToken();
                    examine(json, depth > MAX_DEPTH ? shape : field, column, line, depth + 1);
                }
            }
            case START_ARRAY -> {
                shape.isArray = true;
                shape.isOpaque |= depth > MAX_DEPTH;
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    examine(json, depth > MAX_DEPTH ? shape : shape.items(), column, line, depth + 1);
                }
            }
            case VALUE_NULL -> {}
            default -> shape.scalars.add(json.getText(), kind(json), line);
        }
    }

    /** JSON has types of its own; of strings, only dates and times as ISO 8601 writes them have another. */
    private static ValueKind kind(JsonParser json) throws IOException {
        String text = json.getText();
        return switch (json.currentToken()) {
            case VALUE_TRUE, VALUE_FALSE -> ValueKind.BOOLEAN;
            case VALUE_NUMBER_INT -> {
                ValueKind kind = ValueKind.of(text);
                yield kind == ValueKind.INTEGER || kind == ValueKind.LONG_NUMBER ? kind : ValueKind.DECIMAL;
            }
            case VALUE_NUMBER_FLOAT -> {
                if (!Character.isDigit(text.charAt(text.length() - 1))) {
                    yield ValueKind.NOT_FINITE;
                }
                yield ValueKind.isExact(text) && Double.isFinite(Double.parseDouble(text))
                        ? ValueKind.DECIMAL
                        : ValueKind.LONG_NUMBER;
            }
            default -> {
                ValueKind kind = text.isEmpty() ? ValueKind.TEXT : ValueKind.of(text);
                yield switch (kind) {
                    case DATE, TIME, TIMESTAMP, UTC_TIMESTAMP, OFFSET, FINE_TIME, NO_DATE -> kind;
                    default -> ValueKind.TEXT;
                };
            }
        };
    }

    /** Checks that all files have the same columns, and names those of the table. */
    void columns(List<String> files, StagedTable table) throws UnreadableDocument {
        if (columns.isEmpty()) {
            throw new UnreadableDocument("The file is empty: it has no rows, and therefore no columns.");
        }
        List<String> first = columns.keySet().stream()
                .filter(columnsOfFiles.getFirst()::contains)
                .toList();
        for (int i = 1; i < files.size(); i++) {
            try {
                StagedTable.expectSame(files.getFirst(), first, List.copyOf(columnsOfFiles.get(i)));
            } catch (UnreadableDocument e) {
                throw LakeFiles.of(files.get(i), e);
            }
        }
        table.columns(columns.values().stream().map(shape -> shape.scalars).toList());
        for (JsonShape shape : columns.values()) {
            if (shape.isObject || shape.isArray) {
                shape.scalars.nest(
                        shape.type(),
                        shape.isText() && !shape.scalars.isChosen()
                                ? "Kept as text: it has values of several forms, or with more digits than a number"
                                        + " keeps."
                                : null);
            }
        }
    }

    /** Writes the rows of a file. */
    void write(Path file, StagedTable table) throws IOException {
        List<String> names = List.copyOf(columns.keySet());
        Map<String, Integer> positions = new LinkedHashMap<>();
        names.forEach(name -> positions.put(name, positions.size()));
        lines(file, (json, line) -> {
            @Nullable String[] row = new @Nullable String[names.size()];
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                JsonShape shape = Objects.requireNonNull(columns.get(name));
                if (json.currentToken() != JsonToken.VALUE_NULL) {
                    row[Objects.requireNonNull(positions.get(name))] = value(json, shape, line);
                }
            }
            table.write(row);
        });
    }

    private static String value(JsonParser json, JsonShape shape, long line) throws IOException {
        if (json.currentToken().isScalarValue()) {
            return shape.scalars.add(json.getText(), kind(json), line);
        }
        if (shape.scalars.isChosen() && !"text".equals(shape.scalars.chosen())) {
            throw new UnreadableDocument("Line " + line + ": the column '" + shape.scalars.name()
                    + "' has a list or an object, for which only the type text can be chosen.");
        }
        var text = new StringBuilder();
        write(json, shape.isText() ? null : shape, text);
        return text.toString();
    }

    /** Writes a value as JSON, in which a value without a common type is a text. */
    private static void write(JsonParser json, @Nullable JsonShape shape, StringBuilder out) throws IOException {
        if (shape != null && shape.isText() && json.currentToken() != JsonToken.VALUE_NULL) {
            String text = json.getText();
            if (!json.currentToken().isScalarValue()) {
                var nested = new StringBuilder();
                write(json, null, nested);
                text = nested.toString();
            }
            quote(text, out);
            return;
        }
        switch (json.currentToken()) {
            case START_OBJECT -> {
                String between = "{";
                Map<String, JsonShape> fields = shape == null || shape.isOpaque ? Map.of() : shape.fields;
                // The engine requires every member of a struct.
                Set<String> missing = new LinkedHashSet<>(fields.keySet());
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    out.append(between);
                    between = ",";
                    String name = json.currentName();
                    missing.remove(name);
                    quote(name, out);
                    out.append(':');
                    json.nextToken();
                    write(json, fields.get(name), out);
                }
                for (String name : missing) {
                    out.append(between);
                    between = ",";
                    quote(name, out);
                    out.append(":null");
                }
                out.append(between.equals("{") ? "{}" : "}");
            }
            case START_ARRAY -> {
                String between = "[";
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    out.append(between);
                    between = ",";
                    write(json, shape == null || shape.isOpaque ? null : shape.items, out);
                }
                out.append(between.equals("[") ? "[]" : "]");
            }
            case VALUE_STRING -> quote(json.getText(), out);
            default -> out.append(json.getText());
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }
}
