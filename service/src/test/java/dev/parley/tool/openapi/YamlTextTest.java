package dev.parley.tool.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML as other parsers of OpenAPI descriptions read it. */
class YamlTextTest {
    private final List<String> warnings = new ArrayList<>();

    private String read(String yaml) throws ToolFailure {
        return StrictJson.write(YamlText.read(yaml, 1_000_000, warnings));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            on: off                  | {"on":"off"}
            yes: no                  | {"yes":"no"}
            y: n                     | {"y":"n"}
            a: True                  | {"a":true}
            true: FALSE              | {"true":false}
            a: ~                     | {"a":null}
            null: null               | {"null":null}
            a: 2015-09-21            | {"a":"2015-09-21"}
            a: 2001-12-14T21:59:43Z  | {"a":"2001-12-14T21:59:43Z"}
            2026-01-01: 1            | {"2026-01-01":1}
            200: ok                  | {"200":"ok"}
            1.10: a                  | {"1.10":"a"}
            a: 007                   | {"a":"007"}
            a: -012                  | {"a":"-012"}
            a: 08.50                 | {"a":"08.50"}
            a: 0                     | {"a":0}
            a: -1                    | {"a":-1}
            a: +49                   | {"a":"+49"}
            a: 0.50                  | {"a":0.50}
            a: 1.10                  | {"a":1.10}
            a: 0x1F                  | {"a":31}
            a: 0o17                  | {"a":15}
            a: 1_000                 | {"a":"1_000"}
            a: 12:30:45              | {"a":"12:30:45"}
            a: 12345678901234567890  | {"a":12345678901234567890}
            a: .inf                  | {"a":".inf"}
            a: .NaN                  | {"a":".NaN"}
            a: 1e999999999           | {"a":"1e999999999"}
            a: !!str 5               | {"a":"5"}
            a: "5"                   | {"a":"5"}
            """)
    void scalarsAreThoseOfTheCoreSchema(String yaml, String json) throws ToolFailure {
        assertThat(read(yaml)).isEqualTo(json);
        assertThat(read(yaml + "\r\n")).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%YAML 1.2\n---\na: 1\nb: [x, y]\n...\n",
                "%YAML 1.1\n---\na: 1\nb: [x, y]\n",
                "---\na: 1\nb: [x, y]\n...",
                "# c\n\na:\t1\t# c\nb: \t[x,\ty]\t\n",
                "a:\t1\t# c\nb:\t\n-\tx\n-\ty\t# 😀\n\t\n",
                "a: 1\r\nb:\r\n  - x\r\n  - y\r\n",
                "a: 1\nb: [\n  x,\n\n  # c\n  y,\n]\n",
                "{a: 1, b: [x,\ny]}",
                "{\"a\":1,\"b\":[\"x\",\"y\"],}",
                "? a\n: 1\n? b\n: - x\n  - y\n",
                "'a': 1\n\"b\": [\"x\", 'y']",
            })
    void documentsOfAllFormsAreRead(String yaml) throws ToolFailure {
        assertThat(read(yaml)).isEqualTo("{\"a\":1,\"b\":[\"x\",\"y\"]}");
        assertThat(warnings).isEmpty();
    }

    @Test
    void tabsInValuesAreKept() throws ToolFailure {
        assertThat(read("a:\t\"x\ty\"\t\nb: |\n  x\ty\n")).isEqualTo("{\"a\":\"x\\ty\",\"b\":\"x\\ty\\n\"}");
        assertThatThrownBy(() -> read("a:\n\tb: 1\n")).isInstanceOf(ToolFailure.class);
    }

    @Test
    void anchorsAndMergeKeysAreRead() throws ToolFailure {
        assertThat(read("""
                base: &base {a: 1, b: 2}
                more: &more
                  c: 3
                one:
                  b: 5
                  <<: *base
                several:
                  <<: [*base, *more]
                  d: 4
                twice:
                  <<: *base
                  <<: *more
                plain: *more
                quoted: {"<<": 1}
                """)).isEqualTo("""
                {"base":{"a":1,"b":2},"more":{"c":3},"one":{"b":5,"a":1},\
                "several":{"d":4,"a":1,"b":2,"c":3},"twice":{"a":1,"b":2,"c":3},"plain":{"c":3},"quoted":{"<<":1}}""");
        assertThat(warnings).isEmpty();
    }

    @Test
    void manyAliasesAreRead() throws ToolFailure {
        String yaml = "a: &a {x: 1}\n";
        for (int i = 0; i < 500; i++) {
            yaml += "b" + i + ": {<<: *a, y: *a}\n";
        }

        assertThat(read(yaml)).contains("\"b499\":{\"y\":{\"x\":1},\"x\":1}");
    }

    @Test
    void ofARepeatedKeyTheLastValueCountsWithAWarning() throws ToolFailure {
        assertThat(read("r:\n  200: one\n  '200': two\n")).isEqualTo("{\"r\":{\"200\":\"two\"}}");
        assertThat(warnings).containsExactly("The key '200' occurs twice in 'r'; the last one counts.");

        var description = OpenApiDescription.read("{\"openapi\": \"3.0.0\", \"paths\": {}, \"paths\": {\"/a\": {}}}");
        assertThat(description.warnings()).hasSize(1);
        assertThat(description.root().toString()).contains("/a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: &a [*a]", "a: *b", "a: [", "? [a]\n: 1", "a: 1\n---\nb: 2"})
    void whatIsNoDescriptionIsRefused(String yaml) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ToolFailure.class);
    }
}
