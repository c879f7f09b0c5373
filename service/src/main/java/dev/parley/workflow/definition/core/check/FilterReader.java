package dev.parley.workflow.definition.core.check;

import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the filter of a data lake input: {@code {"all": […]}}, {@code {"any": […]}}, {@code {"not": {…}}}, or a
 * comparison {@code {"column", "op", "value"}}, which may have {@code input} instead of {@code value}.
 */
final class FilterReader {
    private static final DocumentProperty<List<?>> ALL = filters("all");
    private static final DocumentProperty<List<?>> ANY = filters("any");
    private static final DocumentProperty<Object> NOT =
            DocumentProperty.any("not", SchemaParts.ref("row_filter")).optional();
    private static final DocumentProperty<String> COLUMN =
            DocumentProperty.text("column", DefinitionLimits.NAME).optional();
    private static final DocumentProperty<RowFilter.Operator> OP =
            DocumentProperty.choice("op", RowFilter.Operator.BY_TEXT).optional();
    private static final DocumentProperty<Object> VALUE = DocumentProperty.any(
                    "value", SchemaParts.map("description", "A string, number or boolean; for 'in' a list of them."))
            .optional();
    private static final DocumentProperty<String> INPUT = DocumentProperty.text("input", DefinitionLimits.NAME)
            .optional()
            .with("description", "Instead of 'value': the name of another input of the task.");

    /** Selects rows of a data lake: {@code all}, {@code any} or {@code not} of other filters, or a comparison. */
    static final ObjectShape FILTER = ObjectShape.of(ALL, ANY, NOT, COLUMN, OP, VALUE, INPUT);

    private static final int DEPTH = 8;
    private static final int COMPARISONS = 100;
    private static final int MAX_CHOICES = 1_000;

    private final @Nullable Map<String, ColumnType> columns;
    private final ViolationCollector violations;
    private int comparisons;

    /** @param columns of the data lake; null if unknown */
    FilterReader(@Nullable Map<String, ColumnType> columns, ViolationCollector violations) {
        this.columns = columns;
        this.violations = violations;
    }

    private static DocumentProperty<List<?>> filters(String name) {
        return DocumentProperty.list(name, SchemaParts.arrayOf("row_filter"))
                .optional()
                .with("minItems", 1);
    }

    static String noColumn(String column) {
        return "The data lake has no column '" + PlainJson.shown(column) + "'.";
    }

    @Nullable
    RowFilter read(@Nullable Object node, JsonPointer at, int depth) {
        ObjectReader fields = ObjectReader.of(node, at, "the filter", violations);
        if (fields == null) {
            return null;
        }
        fields.refuseOthers(FILTER);
        List<String> kinds = List.of("all", "any", "not", "column").stream()
                .filter(fields::has)
                .toList();
        if (kinds.size() != 1) {
            violations.invalid(
                    kinds.isEmpty() ? ViolationCode.REQUIRED : ViolationCode.NOT_ALLOWED,
                    at,
                    "A filter has either 'all', 'any', 'not' or 'column'.");
            return null;
        }
        if (depth > DEPTH) {
            violations.invalid(
                    ViolationCode.TOO_DEEP,
                    at,
                    "Filters may be nested at most " + DEPTH + " deep.",
                    Map.of("max", DEPTH));
            return null;
        }
        return switch (kinds.getFirst()) {
            case "all" -> {
                List<RowFilter> parts = parts(fields, ALL, depth);
                yield parts == null ? null : new RowFilter.All(parts);
            }
            case "any" -> {
                List<RowFilter> parts = parts(fields, ANY, depth);
                yield parts == null ? null : new RowFilter.Any(parts);
            }
            case "not" -> {
                RowFilter inner = read(fields.raw("not"), at.to("not"), depth + 1);
                yield inner == null ? null : new RowFilter.Not(inner);
            }
            default -> comparison(fields);
        };
    }

    private @Nullable List<RowFilter> parts(ObjectReader fields, DocumentProperty<List<?>> property, int depth) {
        String name = property.name();
        List<?> nodes = fields.elements(property);
        if (nodes.isEmpty()) {
            violations.invalid(
                    ViolationCode.TOO_FEW,
                    fields.at().to(name),
                    "There must be at least one filter in '" + name + "'.",
                    Map.of("min", 1));
            return null;
        }
        List<RowFilter> parts = new ArrayList<>();
        boolean whole = true;
        for (int i = 0; i < nodes.size() && comparisons <= COMPARISONS; i++) {
            RowFilter part = read(nodes.get(i), fields.at().to(name).to(i), depth + 1);
            whole &= part != null;
            if (part != null) {
                parts.add(part);
            }
        }
        return whole ? parts : null;
    }

    private @Nullable RowFilter comparison(ObjectReader fields) {
        String column = fields.require(COLUMN);
        RowFilter.Operator operator = fields.require(OP);
        if (++comparisons > COMPARISONS) {
            violations.invalid(
                    ViolationCode.TOO_MANY,
                    fields.at(),
                    "A filter may have at most " + COMPARISONS + " comparisons.",
                    Map.of("max", COMPARISONS));
            return null;
        }
        ColumnType type = column == null ? ColumnType.OTHER : type(column, fields.at());
        if (column == null || operator == null) {
            return null;
        }
        if (!operator.needsValue()) {
            if (fields.has("value") || fields.has("input")) {
                violations.invalid(
                        ViolationCode.NOT_ALLOWED,
                        fields.at(),
                        "The operator '" + operator.text() + "' compares with nothing.");
            }
            return new RowFilter.Compare(column, operator, List.of(), null);
        }
        if (fields.has("value") == fields.has("input")) {
            violations.missing(
                    fields.has("value") ? ViolationCode.NOT_ALLOWED : ViolationCode.REQUIRED,
                    fields.at().to("value"),
                    "A comparison has either a 'value' or an 'input'.");
            return null;
        }
        if (fields.has("input")) {
            String input = fields.read(INPUT);
            return input == null ? null : new RowFilter.Compare(column, operator, List.of(), input);
        }
        List<Object> values = values(fields, operator);
        if (values == null) {
            return null;
        }
        check(values, column, operator, type, fields.at().to("value"));
        return new RowFilter.Compare(column, operator, values, null);
    }

    private ColumnType type(String column, JsonPointer at) {
        if (columns == null) {
            return ColumnType.OTHER;
        }
        ColumnType type = columns.get(column);
        if (type == null) {
            violations.invalid(
                    ViolationCode.NOT_FOUND,
                    at.to("column"),
                    noColumn(column),
                    Map.of("column", PlainJson.shown(column)));
        }
        return type == null ? ColumnType.OTHER : type;
    }

    private void check(
            List<Object> values, String column, RowFilter.Operator operator, ColumnType type, JsonPointer at) {
        boolean comparesText = operator == RowFilter.Operator.CONTAINS || operator == RowFilter.Operator.STARTS_WITH;
        ColumnType expected = comparesText && columns != null ? ColumnType.TEXT : type;
        for (int i = 0; i < values.size(); i++) {
            if (!expected.accepts(values.get(i))) {
                violations.invalid(
                        ViolationCode.WRONG_TYPE,
                        operator == RowFilter.Operator.IN ? at.to(i) : at,
                        "The column '" + PlainJson.shown(column) + "' is compared with " + expected.expected() + ".",
                        Map.of("column", PlainJson.shown(column), "expected", expected.name()));
            }
        }
    }

    private @Nullable List<Object> values(ObjectReader fields, RowFilter.Operator operator) {
        Object value = fields.raw("value");
        JsonPointer at = fields.at().to("value");
        if (operator != RowFilter.Operator.IN) {
            if (value != null && isPlain(value)) {
                return List.of(value);
            }
            violations.invalid(ViolationCode.WRONG_TYPE, at, "The value must be a string, a number or a truth value.");
            return null;
        }
        int size = value instanceof List<?> list ? list.size() : 1;
        ViolationCode code = size == 0
                ? ViolationCode.TOO_FEW
                : size > MAX_CHOICES ? ViolationCode.TOO_MANY : ViolationCode.WRONG_TYPE;
        boolean fits = code == ViolationCode.WRONG_TYPE;
        if (fits && value instanceof List<?> list && list.stream().allMatch(FilterReader::isPlain)) {
            return new ArrayList<>(list);
        }
        violations.invalid(
                code,
                at,
                "The operator 'in' needs a list of 1 to " + MAX_CHOICES + " strings, numbers or truth values.",
                fits ? Map.of("expected", "array") : Map.of("min", 1, "max", MAX_CHOICES));
        return null;
    }

    private static boolean isPlain(@Nullable Object value) {
        return (value instanceof String text
                        && DefinitionLimits.allow(text, DefinitionLimits.DESCRIPTION)
                        && PlainJson.isText(text))
                || value instanceof Number
                || value instanceof Boolean;
    }
}
