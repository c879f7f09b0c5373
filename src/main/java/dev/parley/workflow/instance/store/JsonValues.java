package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Input and output values as lossless JSON: integers are read as {@link Long}, or {@link BigInteger} beyond its range,
 * and decimals as {@link BigDecimal} with the same scale. A decimal without fraction digits is written with an exponent
 * ({@code 5E0}), because {@code 5} would be read as an integer.
 */
final class JsonValues {
    private JsonValues() {}

    static void write(JsonGenerator out, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeNull();
            case String text -> out.writeString(text);
            case Boolean truth -> out.writeBoolean(truth);
            case Long number -> out.writeNumber(number);
            case Integer number -> out.writeNumber(number);
            case BigInteger number -> out.writeNumber(number);
            case BigDecimal number -> writeDecimal(out, number);
            case Double number when Double.isFinite(number) -> writeDecimal(out, BigDecimal.valueOf(number));
            case List<?> items -> {
                out.writeStartArray();
                for (Object item : items) {
                    write(out, item);
                }
                out.writeEndArray();
            }
            case Map<?, ?> members -> {
                out.writeStartObject();
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    out.writeFieldName(String.valueOf(member.getKey()));
                    write(out, member.getValue());
                }
                out.writeEndObject();
            }
            default -> throw new IOException("A value of " + value.getClass() + " is not JSON.");
        }
    }

    private static void writeDecimal(JsonGenerator out, BigDecimal number) throws IOException {
        String text = number.toString();
        boolean looksInteger = text.indexOf('.') < 0 && text.indexOf('E') < 0;
        out.writeNumber(looksInteger ? text + "E0" : text);
    }

    /** The members of the object at the parser's position. */
    static Map<String, @Nullable Object> readObject(JsonParser in) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (String name = firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            members.put(name, read(in));
        }
        return Collections.unmodifiableMap(members);
    }

    /** Enters the object at the parser's position; the name of its first member, or null if it has none. */
    static @Nullable String firstName(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("An object was expected.");
        }
        return in.nextFieldName();
    }

    private static @Nullable Object read(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT -> readInteger(in);
            case VALUE_NUMBER_FLOAT -> in.getDecimalValue();
            case START_OBJECT -> readObject(in);
            case START_ARRAY -> readArray(in);
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("A value was expected.");
        };
    }

    private static Number readInteger(JsonParser in) throws IOException {
        return in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? (Number) in.getBigIntegerValue()
                : (Number) in.getLongValue();
    }

    private static List<@Nullable Object> readArray(JsonParser in) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            items.add(read(in));
        }
        return Collections.unmodifiableList(items);
    }
}
