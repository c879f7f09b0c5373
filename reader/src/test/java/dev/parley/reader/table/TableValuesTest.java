package dev.parley.reader.table;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No value of a CSV or JSON Lines file is changed: a column has a type only if it keeps all values exactly. */
class TableValuesTest {
    @TempDir
    private Path directory;

    private TestImport table;

    @BeforeEach
    void create() throws Exception {
        table = new TestImport(directory);
    }

    private static String column(String values) {
        return "c\n" + values.replace('^', '\n') + "\n";
    }

    private static String type(JsonNode summary) {
        return summary.at("/columns/0/type").asText();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "12345678901234567890 | more digits",
                "123456789012345678901234567890 | more digits",
                "9007199254740993 | more digits",
                "-9007199254740993 | more digits",
                "0.12345678901234567890 | more digits",
                "12345678901234567.5 | more digits",
                "007 | leading zero",
                "007^12 | leading zero",
                "00.5 | leading zero",
                "-01 | leading zero",
                "+436641234567 | plus sign",
                "+1.5 | plus sign",
                "1e5 | exponent",
                "1E5^2 | exponent",
                "1.5e-7 | exponent",
                "1_000 | as programs",
                "0x10 | as programs",
                "41_10_1 | as programs",
                "0b11 | as programs",
                "100L | as programs",
                "NaN^1 | finite",
                "Infinity | finite",
                "-inf | finite",
                "TRUE^FALSE | true nor false",
                "True | true nor false",
                "yes^no | true nor false",
                "Y | true nor false",
                "1,5^2,25 | separate",
                "1.234,56 | separate",
                "1,234.50 | separate",
                "1 234 | separate",
                "12% | percentage",
                "€5 | currency",
                "5 EUR | currency",
                "-0 | another form",
                ".5 | another form",
                "5. | another form",
                "§ 5§ | another form",
                "49.03- | another form",
                "(12) | another form",
                "10:30 | without seconds",
                "2026-01-02 10:30 | without seconds",
                "2026-01-02T10:30:00+01:00 | time zone",
                "2026-01-02T10:30:00.123456789 | fractions",
                "01.02.26 | two digits",
                "03/04/2026 | told apart",
                "03/04/2026^05/06/2026 | told apart",
                "13/04/2026^04/13/2026 | month first",
                "13/04/2026^14.04.2026 | separators",
                "2026-02-30 | does not exist",
                "0000-00-00 | does not exist",
                "31/04/2026 | does not exist",
                "1/2/2026 10:30 | another form",
                "07/02/11 19:08^3/22/2019  4:07:00 PM | another form",
                "2024-03-08^03/10/2024 | is a date",
                "2018/09/06 07:38:27 | another form",
                "31-OCT-2023^12 | is text",
                "12^abc | is text",
                "abc^12 | is text",
                "true^1 | is",
                "2026-01-02^2026-01-02 10:30:00 | is",
                "2026-01-02^soon | is text",
                "1^2^N/A | is text"
            })
    void valueThatNoTypeKeepsStaysText(String values, String reason) throws Exception {
        JsonNode summary = table.text("csv", column(quoted(values)));
        assertThat(type(summary)).isEqualTo("VARCHAR");
        assertThat(summary.at("/columns/0/note").asText())
                .startsWith("Kept as text: '")
                .contains(reason);
        assertThat(table.rows())
                .containsExactlyElementsOf(Arrays.stream(values.split("\\^", -1))
                        .map(value -> "{\"c\":\"" + value + "\"}")
                        .toList());
    }

    private static String quoted(String values) {
        return "\"" + values.replace("^", "\"^\"") + "\"";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "1^-2^0^9007199254740991 | BIGINT | 1^-2^0^9007199254740991",
                "1.50^20^-0.25 | DOUBLE | 1.5^20.0^-0.25",
                "0.30000000000000004 | DOUBLE | 0.30000000000000004",
                "0.1^123456789.012345 | DOUBLE | 0.1^123456789.012345",
                "true^false | BOOLEAN | true^false",
                "2026-01-02^1999-12-31 | DATE | '2026-01-02'^'1999-12-31'",
                "10:30:00^23:59:59.5 | TIME | '10:30:00'^'23:59:59.5'",
                "2026-01-02 10:30:00^2026-01-02T10:30:00.25 | TIMESTAMP | '2026-01-02 10:30:00'^'2026-01-02 10:30:00.25'",
                "2026-01-02T10:30:00Z | TIMESTAMP WITH TIME ZONE | '2026-01-02 10:30:00+00'",
                "13/04/2026^03/04/2026 | DATE | '2026-04-13'^'2026-04-03'",
                "04/13/2026^3/4/2026 | DATE | '2026-04-13'^'2026-03-04'",
                "13.4.2026 | DATE | '2026-04-13'",
                "2026/4/13 | DATE | '2026-04-13'",
                "Ada^Bo | VARCHAR | 'Ada'^'Bo'",
                "1.2.3^v2 | VARCHAR | '1.2.3'^'v2'",
                "NULL^None | VARCHAR | 'NULL'^'None'"
            })
    void valueHasTheTypeThatKeepsIt(String values, String type, String rows) throws Exception {
        JsonNode summary = table.text("csv", column(values));
        assertThat(type(summary)).isEqualTo(type);
        assertThat(summary.at("/columns/0/note").isNull()).isTrue();
        assertThat(table.rows())
                .containsExactlyElementsOf(Arrays.stream(rows.split("\\^", -1))
                        .map(value -> "{\"c\":" + value.replace('\'', '"') + "}")
                        .toList());
    }

    @Test
    void emptyTextIsNotAMissingValueExceptBesideOtherTypes() throws Exception {
        table.text("csv", "name,amount\n\"\",\"\"\n,\nAda,5\n");
        assertThat(table.rows())
                .containsExactly(
                        "{\"name\":\"\",\"amount\":null}",
                        "{\"name\":null,\"amount\":null}",
                        "{\"name\":\"Ada\",\"amount\":5}");
    }

    @Test
    void typeFarBelowCounts() throws Exception {
        String numbers = "7\n".repeat(250_000);
        JsonNode summary = table.text("csv", "c\n" + numbers + "007\n");
        assertThat(type(summary)).isEqualTo("VARCHAR");
        assertThat(summary.at("/columns/0/note").asText()).contains("'007' (line 250002) has a leading zero");
        assertThat(table.rows()).hasSize(250_001).endsWith("{\"c\":\"007\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;b\n1;\"x\ny\"\n",
                "a\tb\r\n1\t\"x\ny\"\r\n",
                "a|b\n\n1|\"x\ny\"\n\n",
                "\uFEFFa,b\n1,\"x\ny\",,\n",
                "sep=;\na;b\n1;\"x\ny\"",
                "Sales report\nof 2026\n\na,b\n1,\"x\ny\"\n",
                "a,b\r1,\"x\ny\"\r"
            })
    void formOfTheFileIsFound(String content) throws Exception {
        JsonNode summary = table.text("csv", content);
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("a", "b");
        assertThat(table.rows()).containsExactly("{\"a\":1,\"b\":\"x\\ny\"}");
        assertThat(summary.path("notes").size()).isEqualTo(content.startsWith("Sales") ? 2 : 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sales report,,^,,^id,name,amount^1,Ada,5",
                "Sales report,,^id,name,amount^1,Ada,5",
                "Sales report^id,name,amount^1,Ada,5",
                "Sales report^of 2026^^id;name;amount^1;Ada;5",
                "Report,Sales,^Created,2026-01-02,^,,^id,name,amount^1,Ada,5",
                "id,name,amount^^1,Ada,5",
                ",,^id,name,amount^1,Ada,5"
            })
    void headerIsFoundBelowTitles(String content) throws Exception {
        JsonNode summary = table.text("csv", content.replace('^', '\n'));
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("id", "name", "amount");
        assertThat(table.rows()).containsExactly("{\"id\":1,\"name\":\"Ada\",\"amount\":5}");
        boolean hasTitles = content.startsWith("Sales") || content.startsWith("Report");
        assertThat(summary.path("notes").toString().contains("is above the header and is not part of the table"))
                .isEqualTo(hasTitles);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "name^^Smith, Bo^Lovelace, Ada | name | 2 | The file is read as one column",
                "price^^12,5^13,7 | price | 2 | The file is read as one column",
                "people^^Ada,1999^Bo,2001 | people | 2 | The file is read as one column",
                "name,,^Ada,Graz,x^Bo,Linz,y | name | 2 | no name for the columns 'column1', 'column2'.",
                "day;;n^^2022-01-01;;5 | day | 1 | no name for the column 'column1'.",
                "code,city,^,,^A1,Graz,x^A2,Wien,y | code | 3 | no name for the column 'column2'.",
                "1,Ada^2,Bo | 1 | 1 | '1', which looks like a value",
                "id,name,n^1,Ada,5^Total:,,5^,,^Source: x,, | id | 4 | Line 3 looks like a total",
                "id,name,n^1,Ada,5^,,^Source: x,, | id | 3 | Line 4 ('Source: x') has one value below an empty row"
            })
    void firstRowIsTheHeaderIfItMayBeOne(String content, String name, int rows, String note) throws Exception {
        JsonNode summary = table.text("csv", content.replace('^', '\n'));
        assertThat(summary.at("/columns/0/name").asText()).isEqualTo(name);
        assertThat(summary.path("rows").asInt()).isEqualTo(rows);
        assertThat(summary.path("notes").toString()).contains(note);
    }

    @Test
    void tableWithTooManyColumnsIsRefused() {
        String header = IntStream.rangeClosed(0, 10_000).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
        assertThatThrownBy(() -> table.text("csv", header + "\n"))
                .hasMessage("The header has 10,001 columns, more than the 10,000 that a table may have.");
    }

    @Test
    void separatorIsTheOneThatFitsAllRows() throws Exception {
        table.text("csv", "name;net, EUR;gross, EUR\nAda;1,5;2,5\nBo;3;4\n");
        assertThat(table.rows().getFirst()).isEqualTo("{\"name\":\"Ada\",\"net, EUR\":\"1,5\",\"gross, EUR\":\"2,5\"}");
        table.text("csv", "name\n\"Lovelace, Ada\"\nSmith, Bo\n");
        assertThat(table.rows()).containsExactly("{\"name\":\"Lovelace, Ada\"}", "{\"name\":\"Smith, Bo\"}");
    }

    @Test
    void utf16WithAMarkIsRead() throws Exception {
        for (Charset charset : List.of(UTF_16LE, UTF_16BE)) {
            table.files("csv", "\uFEFFname\tcity\nZoë\tKöln 😀\n".getBytes(charset));
            assertThat(table.rows()).containsExactly("{\"name\":\"Zoë\",\"city\":\"Köln 😀\"}");
        }
    }

    @Test
    void everyColumnHasAName() throws Exception {
        JsonNode summary = table.text("csv", ",a,A,a,a_1\n1,2,3,4,5\n");
        assertThat(summary.path("columns").findValuesAsText("name")).hasSize(5).doesNotHaveDuplicates();
        assertThat(table.rows().getFirst()).contains(":1,", ":2,", ":3,", ":4,", ":5}");
    }

    @Test
    void emptyNamesAndRowsOfSeparatorsLoseNothing() throws Exception {
        JsonNode summary = table.text("csv", "day;;n\n2022-01-01;;5\n;;\n");
        assertThat(summary.path("columns").findValuesAsText("name")).containsExactly("day", "column1", "n");
        assertThat(summary.path("columns").findValuesAsText("type")).containsExactly("DATE", "VARCHAR", "BIGINT");
        assertThat(table.rows())
                .containsExactly(
                        "{\"day\":\"2022-01-01\",\"column1\":null,\"n\":5}",
                        "{\"day\":null,\"column1\":null,\"n\":null}");
    }

    @Test
    void filesOfOneTableHaveTypesTogether() throws Exception {
        JsonNode summary = table.files(
                "csv",
                "id,day,price\n7,13/04/2026,1.50\n".getBytes(UTF_8),
                "price,id,day\nn/a,007,03/04/2026\n".getBytes(UTF_8));
        assertThat(summary.path("columns").findValuesAsText("type")).containsExactly("VARCHAR", "DATE", "VARCHAR");
        assertThat(table.rows())
                .containsExactly(
                        "{\"id\":\"7\",\"day\":\"2026-04-13\",\"price\":\"1.50\"}",
                        "{\"id\":\"007\",\"day\":\"2026-04-03\",\"price\":\"n/a\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "12345678901234567890 | VARCHAR | \"12345678901234567890\"",
                "0.12345678901234567890 | VARCHAR | \"0.12345678901234567890\"",
                "1e400 | VARCHAR | \"1e400\"",
                "NaN | VARCHAR | \"NaN\"",
                "9007199254740993 | VARCHAR | \"9007199254740993\"",
                "1.0 | DOUBLE | 1.0",
                "1e5 | DOUBLE | 100000.0",
                "0.1 | DOUBLE | 0.1",
                "12 | BIGINT | 12",
                "\"007\" | VARCHAR | \"007\"",
                "\"12\" | VARCHAR | \"12\"",
                "\"true\" | VARCHAR | \"true\"",
                "\"\" | VARCHAR | \"\"",
                "\"03/04/2026\" | VARCHAR | \"03/04/2026\"",
                "\"13/04/2026\" | VARCHAR | \"13/04/2026\"",
                "\"2026-01-02\" | DATE | \"2026-01-02\"",
                "\"2026-01-02T10:30:00+01:00\" | VARCHAR | \"2026-01-02T10:30:00+01:00\"",
                "\"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\" | VARCHAR | \"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11\"",
                "true | BOOLEAN | true",
                "[1,2] | BIGINT[] | [1,2]",
                "[] | JSON[] | []",
                "{} | JSON | {}",
                "[1,12345678901234567890] | VARCHAR[] | [\"1\",\"12345678901234567890\"]",
                "[1,\"a\"] | VARCHAR[] | [\"1\",\"a\"]",
                "{\"n\":12345678901234567890} | STRUCT(n VARCHAR) | {\"n\":\"12345678901234567890\"}",
                "{\"n\":[{\"d\":\"2026-01-02\"}]} | STRUCT(n STRUCT(d DATE)[]) | {\"n\":[{\"d\":\"2026-01-02\"}]}",
                "{\"a\":1,\"A\":2} | JSON | {\"a\":1,\"A\":2}",
                "{\"a\":1,\"A\":12345678901234567890} | VARCHAR | \"{\\\"a\\\":1,\\\"A\\\":12345678901234567890}\""
            })
    void jsonValueIsKept(String value, String type, String row) throws Exception {
        JsonNode summary = table.text("jsonl", "{\"c\": " + value + "}\n");
        assertThat(type(summary).replace("\"", "")).isEqualTo(type);
        assertThat(table.rows()).containsExactly("{\"c\":" + row + "}");
    }

    @Test
    void jsonMemberOfSeveralFormsIsText() throws Exception {
        JsonNode summary = table.text("jsonl", """
                {"a": 1, "b": {"x": 1.50}, "c": 1}

                {"a": "1", "b": 2, "c": 1.0, "A": null}
                {"a": true, "b": "two", "c": null}
                """);
        assertThat(summary.path("columns").findValuesAsText("type"))
                .containsExactly("VARCHAR", "VARCHAR", "DOUBLE", "VARCHAR");
        assertThat(table.rows())
                .containsExactly(
                        "{\"a\":\"1\",\"b\":\"{\\\"x\\\":1.50}\",\"c\":1.0,\"A_1\":null}",
                        "{\"a\":\"1\",\"b\":\"2\",\"c\":1.0,\"A_1\":null}",
                        "{\"a\":\"true\",\"b\":\"two\",\"c\":null,\"A_1\":null}");
    }

    @Test
    void typeIsChosenByTheNameOfTheColumn() throws Exception {
        String content = """
                {"a": 1, "A": "2,5", "o": [1]}
                {"a": 2, "A": "3", "o": []}
                """;
        JsonNode summary =
                table.types(Map.of("A_1", "number_comma", "o", "text")).text("jsonl", content);
        assertThat(summary.path("columns").findValuesAsText("chosen")).containsExactly("null", "number_comma", "text");
        assertThat(summary.path("columns").findValuesAsText("type")).containsExactly("BIGINT", "DOUBLE", "VARCHAR");
        assertThat(table.rows().getFirst()).isEqualTo("{\"a\":1,\"A_1\":2.5,\"o\":\"[1]\"}");
        assertThatThrownBy(() -> table.types(Map.of("A", "number")).text("jsonl", content))
                .hasMessage("A type was chosen for the column 'A', which the table does not have.");
        assertThatThrownBy(() -> table.types(Map.of("A_1", "number")).text("jsonl", content))
                .hasMessageStartingWith("Line 1: '2,5' in the column 'A_1' is not a number");
        assertThatThrownBy(() -> table.types(Map.of("o", "number")).text("jsonl", content))
                .hasMessageStartingWith("Line 1: the column 'o' has a list or an object");
    }

    @Test
    void missingMembersOfObjectsAreNull() throws Exception {
        table.text("jsonl", """
                {"o": {"a": 1}, "l": [{"x": 1}, {"y": {"z": "2026-01-02"}}]}
                {"o": {"b": "x"}}
                {"o": null, "l": []}
                """);
        assertThat(table.rows())
                .containsExactly(
                        "{\"o\":{\"a\":1,\"b\":null},\"l\":[{\"x\":1,\"y\":null},{\"x\":null,\"y\":{\"z\":\"2026-01-02\"}}]}",
                        "{\"o\":{\"a\":null,\"b\":\"x\"},\"l\":null}",
                        "{\"o\":null,\"l\":[]}");
    }

    @Test
    void objectWithManyNamesStaysJson() throws Exception {
        var object = new StringBuilder("{\"o\": {\"k000\": 1.5");
        for (int i = 1; i < 300; i++) {
            object.append(", \"k%03d\": %d".formatted(i, 9_007_199_254_740_000L + i));
        }
        JsonNode summary = table.text("jsonl", object + "}}\n");
        assertThat(type(summary)).isEqualTo("JSON");
        assertThat(table.rows().getFirst()).contains("\"k000\":1.5", "\"k001\":9007199254740001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "number | 1,234.50^+007^1e3 | 1234.5^7.0^1000.0",
                "number | 1'000^2 | 1000^2",
                "number_comma | 1.234,5^-2,25^7 | 1234.5^-2.25^7.0",
                "boolean | TRUE^no^1 | true^false^true",
                "date_day_first | 03/04/2026^3.4.2026 | '2026-04-03'^'2026-04-03'",
                "date_month_first | 03/04/2026 | '2026-03-04'",
                "date | 2026/3/4 | '2026-03-04'",
                "timestamp | 2026-01-02T10:30:00+01:00^2026-01-02 10:30 | '2026-01-02 09:30:00'^'2026-01-02 10:30:00'",
                "timestamp | 0001-01-01^9999-12-31 23:59 | '0001-01-01 00:00:00'^'9999-12-31 23:59:00'",
                "text | 1^2026-01-02^true | '1'^'2026-01-02'^'true'"
            })
    void chosenTypeIsUsed(String chosen, String values, String rows) throws Exception {
        JsonNode summary = table.types(Map.of("c", chosen)).text("csv", column(quoted(values)));
        assertThat(summary.at("/columns/0/chosen").asText()).isEqualTo(chosen);
        assertThat(table.rows())
                .containsExactlyElementsOf(Arrays.stream(rows.split("\\^", -1))
                        .map(value -> "{\"c\":" + value.replace('\'', '"') + "}")
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "number | 1^12345678901234567890 | Line 3: '12345678901234567890' in the column 'c' is not a number",
                "number | 1,5 | Line 2: '1,5' in the column 'c' is not a number",
                "number_comma | 1.5 | Line 2: '1.5' in the column 'c' is not a number with a decimal comma",
                "number_comma | 0.125 | Line 2: '0.125' in the column 'c' is not a number with a decimal comma",
                "number_comma | 1234.567 | Line 2: '1234.567' in the column 'c' is not a number with a decimal comma",
                "boolean | 2 | Line 2: '2' in the column 'c' is neither true nor false",
                "date_day_first | 04/13/2026 | Line 2: '04/13/2026' in the column 'c' is not a date with the day first",
                "date | 0000-01-01 | Line 2: '0000-01-01' in the column 'c' is not a date with the year first",
                "timestamp | 0000-01-01 00:00:00 | Line 2: '0000-01-01 00:00:00' in the column 'c' is not a date",
                "timestamp | -0005-01-01T00:00:00 | Line 2: '-0005-01-01T00:00:00' in the column 'c' is not a date",
                "timestamp | 0001-01-01T00:30:00+01:00 | Line 2: '0001-01-01T00:30:00+01:00' in the column 'c' is not",
                "timestamp | 9999-12-31T23:30:00-01:00 | Line 2: '9999-12-31T23:30:00-01:00' in the column 'c' is not",
                "timestamp | soon | Line 2: 'soon' in the column 'c' is not a date and time"
            })
    void valueThatIsNotOfTheChosenTypeIsRefused(String chosen, String values, String detail) {
        assertThatThrownBy(() -> table.types(Map.of("c", chosen)).text("csv", column(quoted(values))))
                .isInstanceOf(UnreadableDocument.class)
                .hasMessageStartingWith(detail);
    }

    @Test
    void samplesAreTheFirstDifferentValues() throws Exception {
        JsonNode summary = table.text("csv", column("1.50^1.50^2^3^4"));
        assertThat(summary.at("/columns/0/samples").toString()).isEqualTo("[\"1.50\",\"2\",\"3\"]");
        assertThat(summary.path("rows").asInt()).isEqualTo(5);
    }

    @Test
    void samplesHaveWholeCharacters() throws Exception {
        JsonNode summary = table.text("csv", column("x".repeat(59) + "😀".repeat(9)));
        assertThat(summary.at("/columns/0/samples/0").asText()).isEqualTo("x".repeat(59) + "…");
    }
}
