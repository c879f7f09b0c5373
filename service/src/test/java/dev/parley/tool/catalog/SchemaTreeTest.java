package dev.parley.tool.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.SchemaTree;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTreeTest {
    private static String tree(String json) {
        Map<String, Object> schema = StrictJson.readObject(json);
        return StrictJson.write(SchemaTree.of(schema, schema));
    }

    @Test
    void referencesAreWrittenOut() {
        assertThat(tree("""
                {"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}""")).isEqualTo("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}");
    }

    @Test
    void referencesToElsewhereAcceptAnything() {
        assertThat(tree("{\"properties\":{\"a\":{\"$ref\":\"http://127.0.0.1/schema\"}}}"))
                .isEqualTo("{\"properties\":{\"a\":{}}}");
    }

    @Test
    void openApiSpecificKeywordsAreTranslated() {
        assertThat(tree("{\"type\":\"integer\",\"nullable\":true,\"minimum\":3,\"exclusiveMinimum\":true}"))
                .isEqualTo("{\"type\":[\"integer\",\"null\"],\"exclusiveMinimum\":3}");
    }

    @Test
    void malformedKeywordsAreLeftOut() {
        assertThat(tree("{\"type\":5,\"required\":\"x\",\"pattern\":\"(\",\"minLength\":-1,\"items\":7,\"$id\":\"x\"}"))
                .isEqualTo("{\"items\":{}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\":\"#\"}",
                "{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}}}",
                "{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/b\"},"
                        + "{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"anyOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/a\"}]}}}",
            })
    @Timeout(5)
    void recursiveSchemasStaySmall(String schema) {
        assertThat(tree(schema).length()).isLessThan(200_000);
        assertThat(ToolArgumentValidator.violations(tree(schema), Map.of("a", Map.of("a", Map.of("a", 1))), ""))
                .isEmpty();
    }

    @Test
    void aPatternThatWouldTakeForeverGivesUp() {
        String schema = "{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}";

        assertThat(CpuTime.of(() -> assertThat(ToolArgumentValidator.violations(
                                schema, Map.of("a", "a".repeat(60) + "!"), "/arguments"))
                        .hasSize(1)))
                .isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void faultsNameTheirPlace() {
        String schema = "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}";

        assertThat(ToolArgumentValidator.violations(schema, Map.of("a", java.util.List.of("x", 3)), "/arguments"))
                .extracting("path")
                .containsExactly("/arguments/a/1");
    }
}
