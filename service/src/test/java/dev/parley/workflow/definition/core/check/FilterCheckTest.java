package dev.parley.workflow.definition.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.JsonEdit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Validation of data lake filters and columns against the data lake's columns. */
class FilterCheckTest {
    private static final String LAKE = "stock-forecast";
    private static final String INPUT = "/tasks/0/input_parameters/0";

    private static List<Violation> violations(String field, String json) {
        Map<String, Object> tree = Examples.tree(LAKE);
        JsonEdit.set(tree, INPUT + "/" + field, StrictJson.readTrusted(json, Object.class));
        return DefinitionValidator.validate(tree, Examples.KNOWN).errors();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'column': 'amount', 'op': '>', 'value': 10.5}",
                "{'column': 'amount', 'op': '=', 'value': '1e3'}",
                "{'column': 'amount', 'op': 'in', 'value': [1, '2']}",
                "{'column': 'paid', 'op': '=', 'value': true}",
                "{'column': 'paid', 'op': '=', 'value': 'false'}",
                "{'column': 'region', 'op': '!=', 'value': 'North'}",
                "{'column': 'day', 'op': '>=', 'value': '2026-01-02'}",
                "{'column': 'day', 'op': '<', 'value': '2026-01-02T10:30:00+01:00'}",
                "{'column': 'day', 'op': '<', 'value': '2026-01-02 10:30:00'}",
                "{'column': 'day', 'op': 'starts_with', 'value': '2026'}",
                "{'column': 'lines', 'op': '=', 'value': 1}",
                "{'column': 'amount', 'op': 'is_null'}",
                "{'column': 'amount', 'op': '>', 'input': 'region'}"
            })
    void validComparisonsAreAccepted(String filter) {
        assertThat(violations("filter", filter.replace('\'', '"'))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'column': 'Amount', 'op': '>', 'value': 1} | /column | The data lake has no column 'Amount'.",
                "{'column': 'gone', 'op': 'is_null'} | /column | no column 'gone'",
                "{'column': 'gone', 'op': '=', 'input': 'region'} | /column | no column 'gone'",
                "{'column': 'amount', 'op': '>', 'value': 'much'} | /value | a number, or a string that spells one",
                "{'column': 'amount', 'op': '=', 'value': true} | /value | a number",
                "{'column': 'amount', 'op': 'in', 'value': [1, 'x']} | /value/1 | a number",
                "{'column': 'paid', 'op': '=', 'value': 1} | /value | true or false",
                "{'column': 'region', 'op': '=', 'value': 1} | /value | a string",
                "{'column': 'region', 'op': 'contains', 'value': 1} | /value | a string",
                "{'column': 'day', 'op': '=', 'value': '2026-02-30'} | /value | a date or an RFC 3339 timestamp",
                "{'column': 'day', 'op': '=', 'value': 46024} | /value | a date or an RFC 3339 timestamp",
                "{'not': {'any': [{'column': 'x', 'op': 'is_null'}]}} | /not/any/0/column | no column 'x'"
            })
    void anUnknownColumnAndAWrongTypeAreInvalid(String filter, String path, String detail) {
        assertThat(violations("filter", filter.replace('\'', '"')))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.kind()).isEqualTo(Violation.INVALID_TYPE);
                    assertThat(fault.path()).isEqualTo(INPUT + "/filter" + path);
                    assertThat(fault.detail()).contains(detail);
                });
    }

    @Test
    void anUnknownColumnIsInvalid() {
        assertThat(violations("columns", "[\"amount\", \"gone\"]"))
                .extracting(Violation::path)
                .containsExactly(INPUT + "/columns/1");
    }

    @Test
    void aStoredFilterStaysReadable() {
        Map<String, Object> tree = Examples.tree(LAKE);
        JsonEdit.set(tree, INPUT + "/filter", Map.of("column", "gone", "op", "=", "value", 1));
        assertThat(DefinitionValidator.readStored(tree).errors()).isEmpty();
    }
}
