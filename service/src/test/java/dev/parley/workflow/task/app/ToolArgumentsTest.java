package dev.parley.workflow.task.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.RawJson;
import dev.parley.tool.catalog.Tool;
import dev.parley.workflow.definition.core.part.ControlFlow;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolArgumentsTest {
    private static final Map<String, @Nullable Object> INPUTS = Map.of("question", "Why?", "limit", 2);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "x": 1                                                           | true
            "additionalProperties": true                                     | true
            "additionalProperties": {"type": "integer"}                      | true
            "additionalProperties": {"type": "string"}                       | false
            "additionalProperties": false                                    | false
            "unevaluatedProperties": false                                   | false
            "propertyNames": {"maxLength": 10}                               | true
            "propertyNames": {"enum": ["question"]}                          | false
            "maxProperties": 1                                               | false
            "patternProperties": {"^l": {}}, "additionalProperties": false   | true
            "patternProperties": {"^x": {}}, "additionalProperties": false   | false
            "allOf": [{"properties": {"limit": {"type": "integer"}}}]        | true
            "required": ["missing"], "additionalProperties": false           | false
            "required": ["missing"]                                          | true
            """)
    void anInputOfTheConditionIsSentIfTheToolAcceptsIt(String keywords, boolean isSent) {
        Tool tool = tool(
                "{\"type\": \"object\", \"properties\": {\"question\": {\"type\": \"string\"}}, " + keywords + "}");
        assertThat(ToolArguments.of(INPUTS, tool, when("inputs.limit > 1")).keySet())
                .isEqualTo(isSent ? INPUTS.keySet() : Set.of("question"));
        assertThat(ToolArguments.of(INPUTS, tool, ControlFlow.ONCE))
                .as("without a condition, the schema decides at the call")
                .isEqualTo(INPUTS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"type": "object"}                                                       | true
            {"type": "object", "additionalProperties": false}                        | false
            {"type": "object", "properties": {}, "additionalProperties": false}      | false
            """)
    void aToolWithoutDeclaredArgumentsIsNoException(String schema, boolean isSent) {
        assertThat(ToolArguments.of(Map.of("limit", 2), tool(schema), when("inputs.limit > 1"))
                        .isEmpty())
                .isNotEqualTo(isSent);
    }

    private static Tool tool(String schema) {
        return new Tool(9, "ask", "acme", 7, "Ask", "", new RawJson(schema), null, true, null, null);
    }

    private static ControlFlow when(String condition) {
        return new ControlFlow(condition, ControlFlow.JoinRule.ALL, null, null);
    }
}
