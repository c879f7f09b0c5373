package dev.parley.http.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.parley.id.Id;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parses and writes the API's JSON. Unknown fields, duplicate keys, trailing text, NUL characters, unpaired
 * surrogates, nesting over 64 levels, and numbers in place of strings are rejected with an {@link ApiProblem} that
 * names the field. Numbers keep every digit.
 */
public final class StrictJson {
    public static final int MAX_DEPTH = 64;

    /** The maximum number of digits that an exponent may produce: 1e999999999 is small to send but not to hold. */
    private static final int MAX_SCALE = 400;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(1_000)
                    .build())
            .build();

    private static final ObjectMapper MAPPER = configured();

    private StrictJson() {}

    /** The underlying mapper, for JSON written by the service itself. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    private static ObjectMapper configured() {
        var module = new SimpleModule();
        module.addSerializer(Id.class, new IdSerializer());
        module.addSerializer(Instant.class, new InstantSerializer());
        module.addDeserializer(Instant.class, new InstantDeserializer());
        var ids = new SimpleModule("ids") {
            private static final long serialVersionUID = 1;

            @Override
            public void setupModule(SetupContext context) {
                context.addDeserializers(new IdDeserializers());
            }
        };
        ObjectMapper mapper = JsonMapper.builder(FACTORY)
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .addModules(module, ids)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .build();
        for (CoercionInputShape shape : new CoercionInputShape[] {
            CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
        }) {
            mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
        }
        return mapper;
    }

    /** Parses a request body into a record; an empty body counts as an empty object. */
    public static <T> T read(byte[] body, Class<T> type) {
        var mismatches = new ArrayList<Violation>();
        T value = read(body, type, mismatches);
        if (!mismatches.isEmpty()) {
            throw ApiProblem.invalid(mismatches.stream().sorted(Violation.ORDER).toList());
        }
        return value;
    }

    /** Leaves out the members that do not match the record, and adds their violations to {@code mismatches}. */
    public static <T> T read(byte[] body, Class<T> type, List<Violation> mismatches) {
        String text = decode(body);
        String json = isBlank(text) ? "{}" : text;
        check(json);
        try {
            T value = MAPPER.readValue(json, type);
            if (value == null) {
                throw ApiProblem.invalid(new Violation(
                                Violation.INVALID_TYPE, ViolationCode.WRONG_TYPE, "", "The body must be a JSON object.")
                        .with("expected", "object"));
            }
            return value;
        } catch (JsonMappingException e) {
            return readMatching(json, type, e, mismatches);
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private static <T> T readMatching(
            String json, Class<T> type, JsonMappingException failure, List<Violation> mismatches) {
        if (failure.getCause() instanceof ApiProblem problem) {
            throw problem;
        }
        try {
            JsonNode tree = MAPPER.reader()
                    .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(json);
            mismatches.addAll(new BodyShape(MAPPER).removeMismatches(tree, type));
            if (mismatches.isEmpty()) {
                throw ApiProblem.invalid(violation(failure, "")); // Text after the value.
            }
            return MAPPER.treeToValue(tree, type);
        } catch (JsonMappingException e) {
            mismatches.add(violation(e, "")); // What is left cannot be bound without the rest.
            throw ApiProblem.invalid(mismatches.stream().sorted(Violation.ORDER).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param base JSON Pointer to the bound value */
    static Violation violation(JsonMappingException e, String base) {
        String path = base + pointer(e);
        return switch (e) {
            case UnrecognizedPropertyException unknown -> unknownField(path, unknown.getPropertyName());
            case InvalidFormatException format
            when format.getTargetType().isEnum() && format.getValue() instanceof String -> notAmong(format, path);
            case InvalidFormatException format
            when Id.class.isAssignableFrom(format.getTargetType()) ->
                Violation.invalid(ViolationCode.INVALID_FORMAT, path, "'" + path + "' must be an id of 32 hex digits.");
            case MismatchedInputException input -> mismatch(input, path);
            default -> Violation.invalid(ViolationCode.INVALID_VALUE, path, "The value cannot be used.");
        };
    }

    /** The number of values in a JSON text: approximately, and in little memory. */
    public static int parts(int length, IntUnaryOperator characterAt) {
        int parts = 0;
        boolean isQuoted = false;
        for (int i = 0; i < length; i++) {
            int c = characterAt.applyAsInt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (isQuoted && c == '\\') {
                i++;
            } else if (!isQuoted && (c == ',' || c == '[' || c == '{')) {
                parts++;
            }
        }
        return parts;
    }

    static Violation unknownField(String path, String name) {
        return new Violation(
                Violation.UNKNOWN_FIELD, ViolationCode.UNKNOWN_FIELD, path, "The field '" + name + "' is unknown.");
    }

    /** Parses JSON written by the service itself. */
    public static <T> T readTrusted(String json, Class<T> type) {
        return type.cast(readTrusted(json, (Type) type));
    }

    static Object readTrusted(String json, Type type) {
        try {
            return MAPPER.readValue(json, MAPPER.constructType(type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    /** Parses a JSON object written by the service itself; keeps the order of members and the precision of numbers. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> readObject(String json) {
        return readTrusted(json, Map.class);
    }

    /** Whether two values are the same JSON, whatever the order of members. */
    public static boolean isSame(Object one, Object other) {
        return readTrusted(write(one), JsonNode.class).equals(readTrusted(write(other), JsonNode.class));
    }

    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] writeBytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Decodes the body. Given bytes, Jackson would detect UTF-16 and UTF-32, accept overlong UTF-8, and fail on a key
     * with an escaped surrogate pair. Skips a byte order mark (RFC 8259, 8.1).
     */
    private static String decode(byte[] body) {
        if (isAscii(body)) {
            return new String(body, StandardCharsets.ISO_8859_1);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException _) {
            throw ApiProblem.of(ProblemKind.INVALID_JSON, "The body is not valid UTF-8.");
        }
    }

    private static boolean isAscii(byte[] body) {
        for (byte b : body) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** One pass over the tokens, for checks that data binding does not make. */
    private static void check(String json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case FIELD_NAME, VALUE_STRING ->
                        checkText(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength(), parser);
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> checkNumber(parser);
                    default -> {
                        // Structure, booleans and null need no check.
                    }
                }
            }
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private static void checkText(char[] text, int offset, int length, JsonParser parser) {
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            char c = text[i];
            if (c == 0) {
                throw textViolation(
                        parser, ViolationCode.INVALID_CHARACTERS, "contains a NUL character, which cannot be stored.");
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c) || i + 1 == end || !Character.isLowSurrogate(text[i + 1])) {
                    throw textViolation(
                            parser,
                            ViolationCode.INVALID_CHARACTERS,
                            "contains an unpaired surrogate, which is not a character.");
                }
                i++;
            }
        }
    }

    private static void checkNumber(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
            BigDecimal number = decimal(parser);
            if (Math.abs((long) number.scale()) > MAX_SCALE
                    || Math.abs((long) number.precision() - number.scale()) > MAX_SCALE) {
                throw textViolation(
                        parser, ViolationCode.OUT_OF_RANGE, "is a number that is too large or has too many digits.");
            }
        }
    }

    /** The parser treats an exponent with too many digits as a programming error; it is an error in the text. */
    private static BigDecimal decimal(JsonParser parser) throws IOException {
        try {
            return parser.getDecimalValue();
        } catch (NumberFormatException | ArithmeticException _) {
            throw textViolation(
                    parser, ViolationCode.OUT_OF_RANGE, "is a number that is too large or has too many digits.");
        }
    }

    private static ApiProblem textViolation(JsonParser parser, ViolationCode code, String what) {
        String path = parser.getParsingContext().pathAsPointer().toString();
        String name = path.isEmpty() ? "The body" : "'" + printable(path) + "'";
        return ApiProblem.invalid(Violation.invalid(code, printable(path), name + " " + what));
    }

    private static String printable(String text) {
        return text.codePoints()
                .map(c -> c < ' ' || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static ApiProblem malformed(IOException e) {
        String where = "";
        if (e instanceof JacksonException json && json.getLocation() != null) {
            where = " at line " + json.getLocation().getLineNr() + ", column "
                    + json.getLocation().getColumnNr();
        }
        String reason = reason(e);
        return ApiProblem.of(ProblemKind.INVALID_JSON, "The body is not valid JSON" + where + reason + ".");
    }

    /** Keeps only the part of Jackson's message about the text, without class names and hints. */
    private static String reason(IOException e) {
        String message = e instanceof JacksonException json ? String.valueOf(json.getOriginalMessage()) : "";
        if (message.startsWith("Duplicate field")) {
            return ": a key occurs twice in one object";
        }
        if (message.contains("nesting depth")) {
            return ": it is nested more than " + MAX_DEPTH + " deep";
        }
        if (message.contains("length")) {
            return ": a value is too long";
        }
        return "";
    }

    private static Violation mismatch(MismatchedInputException e, String path) {
        Class<?> target = e.getTargetType();
        if (target == null) {
            return mismatch(path, "another type", null);
        } else if (target == String.class || target.isEnum()) {
            return mismatch(path, "a string", "string");
        } else if (target == Integer.class || target == int.class || target == Long.class || target == long.class) {
            return mismatch(path, "an integer", "integer");
        } else if (target == Boolean.class || target == boolean.class) {
            return mismatch(path, "true or false", "boolean");
        } else if (Collection.class.isAssignableFrom(target)) {
            return mismatch(path, "an array", "array");
        } else if (Instant.class.isAssignableFrom(target)) {
            return mismatch(path, "a time such as 2026-01-31T12:00:00Z", "time");
        }
        return mismatch(path, "an object", "object");
    }

    private static Violation mismatch(String path, String wanted, @Nullable String expected) {
        String subject = path.isEmpty() ? "The body" : "'" + path + "'";
        var violation = new Violation(
                Violation.INVALID_TYPE, ViolationCode.WRONG_TYPE, path, subject + " must be " + wanted + ".");
        return expected == null ? violation : violation.with("expected", expected);
    }

    private static Violation notAmong(InvalidFormatException e, String path) {
        List<String> known = Arrays.stream(e.getTargetType().getEnumConstants())
                .map(constant -> MAPPER.convertValue(constant, String.class))
                .toList();
        return Violation.invalid(
                        ViolationCode.NOT_ONE_OF,
                        path,
                        "'" + path + "' must be one of " + String.join(", ", known) + ".")
                .with("allowed", known);
    }

    private static String pointer(JsonMappingException e) {
        String pointer = "";
        for (JsonMappingException.Reference reference : e.getPath()) {
            String name = reference.getFieldName();
            pointer = Violation.member(pointer, name == null ? Integer.toString(reference.getIndex()) : name);
        }
        return pointer;
    }

    private static boolean isBlank(String text) {
        return text.chars().allMatch(c -> c == ' ' || c == '\n' || c == '\r' || c == '\t');
    }

    private static final class IdSerializer extends JsonSerializer<Id> {
        @Override
        public void serialize(Id id, JsonGenerator json, SerializerProvider serializers) throws IOException {
            json.writeString(id.text());
        }
    }

    private static final class InstantDeserializer extends StdScalarDeserializer<Instant> {
        private static final long serialVersionUID = 1;

        InstantDeserializer() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            String text = json.getValueAsString("");
            Optional<Instant> time = Rfc3339.parse(text);
            return time.isPresent()
                    ? time.get()
                    : (Instant) context.handleWeirdStringValue(Instant.class, text, "no time");
        }
    }

    private static final class InstantSerializer extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant time, JsonGenerator json, SerializerProvider serializers) throws IOException {
            json.writeString(Rfc3339.text(time));
        }
    }
}
