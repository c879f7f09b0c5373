package dev.parley.document.child;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broken table is refused with the line and the reason, in plain words. */
class BrokenTablesTest {
    @BeforeAll
    static void loadDriver() throws ClassNotFoundException {
        Class.forName("org.duckdb.DuckDBDriver");
    }

    @TempDir
    private Path directory;

    private String imported(String format, byte[] contents) throws Exception {
        Files.write(directory.resolve("0." + format), contents);
        var out = new StringWriter();
        byte[] oneNameWithoutText = ByteBuffer.allocate(8).putInt(1).putInt(0).array();
        new LakeFiles(directory, format, directory.resolve("table"), 384)
                .convert(new ByteArrayInputStream(oneNameWithoutText), out);
        return out.toString();
    }

    private void assertRefused(String format, byte[] contents, String detail) {
        assertThatThrownBy(() -> imported(format, contents))
                .isInstanceOf(DocumentReaderMain.UnreadableDocument.class)
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
    void ofAnotherEncoding() {
        assertRefused(
                "csv",
                "name,city\nAda,Graz\nJos\u00e9,K\u00f6ln\n".getBytes(ISO_8859_1),
                "Line 3 is not UTF-8 text. Save the file with the encoding UTF-8.");
    }

    @Test
    void withAValueOfAnotherTypeFarBelow() {
        String numbers = IntStream.range(0, 250_000).mapToObj(i -> i + "," + i).collect(Collectors.joining("\n"));
        assertRefused(
                "csv",
                ("id,amount\n" + numbers + "\n7,many\n").getBytes(UTF_8),
                "Line 250002: 'many' in the column 'amount' is not a whole number like the other values of the column.");
    }

    @Test
    void ofJsonLines() {
        assertRefused(
                "jsonl",
                "{\"a\": 1}\n{\"a\": 2}\n{\"a\" 3}\n".getBytes(UTF_8),
                "Line 3 is not valid JSON: unexpected character.");
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
