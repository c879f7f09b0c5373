package dev.parley.datalake.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import dev.parley.datalake.store.DataLake;
import dev.parley.http.RequestValidator;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.ViolationCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the query parameter {@code filter}: a JSON array of comparisons of a column with a text. */
final class ColumnFilters {
    static final String EXAMPLE = "[{\"column\":\"amount\",\"op\":\">=\",\"value\":\"100\"}]";
    private static final String PARAMETER = "filter";
    private static final int MAX_FILTERS = 20;
    private static final int MAX_VALUE_LENGTH = 200;

    private ColumnFilters() {}

    static List<RowFilter.Compare> read(@Nullable String text, DataLake lake, RequestValidator validator) {
        List<RowFilter.Compare> filters = new ArrayList<>();
        if (text == null) {
            return filters;
        }
        JsonNode nodes;
        try {
            nodes = StrictJson.mapper().readTree(text);
        } catch (JsonProcessingException _) {
            nodes = StrictJson.mapper().missingNode();
        }
        boolean isList = nodes.isArray() && nodes.size() <= MAX_FILTERS;
        validator.requireParameter(
                isList,
                ViolationCode.INVALID_FORMAT,
                PARAMETER,
                "'filter' must be a JSON array of at most " + MAX_FILTERS + " comparisons, such as " + EXAMPLE + ".");
        if (isList) {
            nodes.forEach(node -> {
                RowFilter.Compare filter = filter(node, lake, validator);
                if (filter != null) {
                    filters.add(filter);
                }
            });
        }
        return filters;
    }

    private static RowFilter.@Nullable Compare filter(JsonNode node, DataLake lake, RequestValidator validator) {
        String name = node.path("column").asText();
        DataLake.Column column = lake.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
        RowFilter.Operator operator =
                RowFilter.Operator.BY_TEXT.get(node.path("op").asText());
        if (column == null || operator == null || operator == RowFilter.Operator.IN) {
            validator.requireParameter(
                    false,
                    ViolationCode.REQUIRED,
                    PARAMETER,
                    "Each filter needs the name of a column and an operator other than 'in'.");
            return null;
        }
        if (!operator.needsValue()) {
            return new RowFilter.Compare(name, operator, List.of(), null);
        }
        String value = node.path("value").asText();
        boolean isText = operator == RowFilter.Operator.CONTAINS || operator == RowFilter.Operator.STARTS_WITH;
        ColumnType type = isText ? ColumnType.TEXT : ColumnType.of(column.type());
        boolean isValid = !value.isEmpty()
                && value.length() <= MAX_VALUE_LENGTH
                && value.indexOf('\0') < 0
                && type.accepts(value);
        validator.requireParameter(
                isValid,
                ViolationCode.WRONG_TYPE,
                PARAMETER,
                "'" + name + "' can be compared with " + (type == ColumnType.OTHER ? "a text" : type.expected())
                        + " of at most " + MAX_VALUE_LENGTH + " characters.");
        return isValid ? new RowFilter.Compare(name, operator, List.of(value), null) : null;
    }
}
