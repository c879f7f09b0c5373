package dev.parley.reader.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broken table is refused with the line and the reason, in plain words. */
class BrokenTablesTest {
    @TempDir
    private Path directory;

    private String imported(String format, byte[] contents) throws Exception {
        return new TestImport(directory).files(format, contents).toString();
    }

    private void assertRefused(String format, byte[] contents, String detail) {
        assertThatThrownBy(() -> imported(format, contents))
                .isInstanceOf(UnreadableDocument.class)
                .hasMessage(detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,b^1,2^3,4,5^6,7|Line 3 has 3 values, but the header has 2 columns.",
                "a;b;c^1;2;3^4;5^|Line 3 has 2 values, but the header has 3 columns.",
                "a,b^^1,2^ ^x|Line 5 has 1 value, but the header has 2 columns.",
                "a,b^1,\"x^2,y^|Line 2 has a quotation mark that is never closed.",
                "a,b^\"1^2\",2^3,\"x\"y^|Line 4 has text after a closing quotation mark. Write a quotation mark within a"
                        + " value twice.",
            })
    void ofACsvFile(String contents, String detail) {
        assertRefused("csv", contents.replace('^', '\n').getBytes(UTF_8), detail);
    }

    @Test
    void withHalfACharacter() {
        assertRefused(
                "jsonl",
                "{\"a\": \"\\ud83d\"}\n".getBytes(UTF_8),
                "A value of the column 'a' has half of a character (\\ud83d).");
    }

    @Test
    void ofAnotherEncoding() {
        assertRefused(
                "csv",
                "name,city\nAda,Graz\nJos\u00e9,K\u00f6ln\n".getBytes(ISO_8859_1),
                "Line 3 is not UTF-8 text. Save the file with the encoding UTF-8.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\": 1}^{\"a\": 2}^{\"a\" 3}|Line 3 is not valid JSON: Unexpected character",
                "{\"a\": 1, \"a\": 2}|Line 1 is not valid JSON: Duplicate field 'a'.",
                "{\"a\": {\"b\": 1, \"b\": 2}}|Line 1 is not valid JSON: Duplicate field 'b'.",
                "{\"a\": 1} {\"a\": 2}|Line 1 is not valid JSON: it goes on after the end of the object.",
                "{\"a\": 1}^^[1]|Line 3 is not a JSON object.",
                "{\"a\": 1}^{\"a\":|Line 2 is not valid JSON: Unexpected end",
                "{\"a\": {\"in\\u0000b\": 1}}|The column 'a' has a NUL character in its name."
            })
    void ofJsonLines(String contents, String detail) {
        assertThatThrownBy(() -> imported("jsonl", contents.replace('^', '\n').getBytes(UTF_8)))
                .isInstanceOf(UnreadableDocument.class)
                .hasMessageStartingWith(detail);
    }

    @Test
    void ofARowThatIsTooLong() {
        assertRefused(
                "csv",
                ("a,b\n1,2\n3," + "x".repeat(2_100_000) + "\n").getBytes(UTF_8),
                "Line 3 is longer than the 2 MB that a line may have.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b\n1,\"x, \"\"y\"\"\nz\"\n\n2,\n",
                "\uFEFF\"a, b\",\u00e9\u20ac\r\n1,\"\ud83d\ude00\"\r\n",
                "a\tb\n1,2\t3\n",
                "a,b\n5\" pipe,2\n"
            })
    void correctFilesHaveTwoColumns(String contents) throws Exception {
        assertThat(imported("csv", contents.getBytes(UTF_8)).split("\"name\"", -1))
                .hasSize(3);
    }
}
