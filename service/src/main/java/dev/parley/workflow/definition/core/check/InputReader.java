package dev.parley.workflow.definition.core.check;

import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.ReadTask;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.DataSource.DataSourceKind;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an input parameter. */
public final class InputReader {
    private static final DocumentProperty<String> NAME = DocumentProperty.singleLine("name");
    private static final DocumentProperty<ValueType> TYPE =
            DocumentProperty.choice("type", EnumNames.of(ValueType.values(), ValueType::name));
    private static final DocumentProperty<String> DESCRIPTION =
            DocumentProperty.text("description", DefinitionLimits.DESCRIPTION);
    private static final DocumentProperty<Boolean> REQUIRED =
            DocumentProperty.flag("required").optional();
    private static final DocumentProperty<InputSource> SOURCE =
            DocumentProperty.choice("source", EnumNames.lowerCase(InputSource.values()));
    private static final DocumentProperty<Object> VALUE = DocumentProperty.any(
                    "value",
                    SchemaParts.map("description", "Of the parameter's type; required for a task_config input."))
            .optional();
    private static final DocumentProperty<Object> ITEMS =
            DocumentProperty.any("items", SchemaParts.ref("items")).optional();
    private static final DocumentProperty<List<?>> REQUIRED_PROPERTIES =
            DocumentProperty.list("properties", SchemaParts.arrayOf("property"));
    private static final DocumentProperty<List<?>> PROPERTIES = REQUIRED_PROPERTIES.optional();
    private static final DocumentProperty<DataSourceKind> DATA_SOURCE = DocumentProperty.choice(
                    "data_source", EnumNames.of(DataSourceKind.values(), DataSourceKind::name))
            .optional();
    private static final DocumentProperty<String> DATA_LAKE_ID =
            DocumentProperty.text("data_lake_id", DefinitionLimits.NAME).optional();
    private static final DocumentProperty<Object> FILTER =
            DocumentProperty.any("filter", SchemaParts.ref("row_filter")).optional();
    private static final DocumentProperty<List<?>> COLUMNS = DocumentProperty.list(
                    "columns", SchemaParts.map("type", "array", "items", SchemaParts.text(DefinitionLimits.NAME)))
            .optional();
    private static final DocumentProperty<Integer> LIMIT =
            DocumentProperty.integer("limit", 1, DataSource.MAX_LIMIT).optional();

    static final ObjectShape INPUT = ObjectShape.of(
            NAME,
            TYPE,
            DESCRIPTION,
            REQUIRED,
            SOURCE,
            VALUE,
            ITEMS,
            PROPERTIES,
            DATA_SOURCE,
            DATA_LAKE_ID,
            FILTER,
            COLUMNS,
            LIMIT);
    static final ObjectShape ARRAY_ITEMS = ObjectShape.of(TYPE, ITEMS, PROPERTIES);

    /** The type of an object's property, which has no nested values. */
    private static final DocumentProperty<ValueType> PROPERTY_TYPE =
            DocumentProperty.choice("type", EnumNames.of(ValueType.ofProperties(), ValueType::name));

    static final ObjectShape OBJECT_PROPERTY = ObjectShape.of(NAME, PROPERTY_TYPE, DESCRIPTION, REQUIRED);

    private static final List<DocumentProperty<?>> LAKE_PROPERTIES = List.of(DATA_LAKE_ID, FILTER, COLUMNS, LIMIT);

    private final @Nullable KnownReferences known;
    private final ViolationCollector violations;

    InputReader(@Nullable KnownReferences known, ViolationCollector violations) {
        this.known = known;
        this.violations = violations;
    }

    /**
     * Reads the {@code items} of an ARRAY outside of a workflow document.
     *
     * @param owner the ARRAY's name in sentences, such as {@code "the input 'rows'"}
     * @return null after a violation
     */
    public static @Nullable ArrayItems readItems(
            @Nullable Object node, JsonPointer at, String owner, List<Violation> violations) {
        int before = violations.size();
        ArrayItems items = new InputReader(null, ViolationCollector.in(violations, false)).items(node, at, owner, 1);
        return violations.size() > before ? null : items;
    }

    ReadTask.ReadInput read(ObjectReader input, String task) {
        int before = violations.list().size();
        String name = input.read(NAME);
        ObjectReader fields =
                name == null ? input : input.named("the input '" + PlainJson.shown(name) + "' of " + task);
        JsonPointer at = fields.at();
        fields.refuseOthers(INPUT);
        ValueType type = fields.read(TYPE);
        String description = fields.read(DESCRIPTION);
        boolean required = Boolean.TRUE.equals(fields.read(REQUIRED));
        InputSource source = fields.read(SOURCE);
        ArrayItems items = items(fields, type, 1);
        List<ObjectProperty> properties = properties(fields, type, false);
        DataSource dataSource = dataSource(fields, type);
        boolean fromDataLake = dataSource.kind() == DataSourceKind.DATA_LAKE;
        boolean isShaped = violations.list().size() == before;
        Object given = fields.raw("value");
        Object value = given == null || type == null || !isShaped
                ? null
                : ValueRules.coerce(type, items, properties, given, at.to("value"), violations.list());
        if (required && source == InputSource.TASK_CONFIG && !fromDataLake && !fields.has("value")) {
            violations.missing(
                    ViolationCode.REQUIRED, at.to("value"), "The value of " + fields.owner() + " is required.");
        }
        InputParameter parameter = violations.list().size() > before || name == null || type == null || source == null
                ? null
                : new InputParameter(
                        name,
                        type,
                        String.valueOf(description),
                        required,
                        source,
                        items,
                        properties,
                        value,
                        dataSource);
        return new ReadTask.ReadInput(at, name, type, source, required, fromDataLake, parameter);
    }

    private @Nullable ArrayItems items(ObjectReader fields, @Nullable ValueType type, int depth) {
        if (type != ValueType.ARRAY) {
            if (type != null && fields.has("items")) {
                violations.invalid(
                        ViolationCode.NOT_ALLOWED,
                        fields.at().to("items"),
                        "Only an ARRAY has items, and this is of type " + type + ".",
                        Map.of("type", type.name()));
            }
            return null;
        }
        JsonPointer at = fields.at().to("items");
        if (!fields.has("items")) {
            violations.missing(
                    ViolationCode.REQUIRED,
                    at,
                    "The field 'items' of " + fields.owner() + " is required, since it is an ARRAY.");
            return null;
        }
        return items(fields.raw("items"), at, fields.owner(), depth);
    }

    /** Reads the type of the items of an ARRAY. */
    @Nullable
    ArrayItems items(@Nullable Object node, JsonPointer at, String owner, int depth) {
        if (depth > DefinitionLimits.ITEMS_DEPTH) {
            violations.invalid(
                    ViolationCode.TOO_DEEP,
                    at,
                    "Items may be nested at most " + DefinitionLimits.ITEMS_DEPTH + " deep.",
                    Map.of("max", DefinitionLimits.ITEMS_DEPTH));
            return null;
        }
        ObjectReader inner = ObjectReader.of(node, at, "the items", violations);
        if (inner == null) {
            return null;
        }
        inner = inner.named("the items of " + owner);
        inner.refuseOthers(ARRAY_ITEMS);
        ValueType itemType = inner.read(TYPE);
        ArrayItems itemsOfItems = items(inner, itemType, depth + 1);
        List<ObjectProperty> properties = properties(inner, itemType, true);
        return itemType == null ? null : new ArrayItems(itemType, itemsOfItems, properties);
    }

    /**
     * @param ofItem whether properties are required: they are for an ARRAY's object items, while an OBJECT may have any
     *     shape
     */
    private List<ObjectProperty> properties(ObjectReader fields, @Nullable ValueType type, boolean ofItem) {
        if (type != ValueType.OBJECT) {
            if (type != null && fields.has("properties")) {
                violations.invalid(
                        ViolationCode.NOT_ALLOWED,
                        fields.at().to("properties"),
                        "Only an OBJECT has properties, and this is of type " + type
                                + (type == ValueType.ARRAY ? ": those of its items stand in 'items'." : "."),
                        Map.of("type", type.name()));
            }
            return List.of();
        }
        List<ObjectProperty> properties = new ArrayList<>();
        Set<String> names = new HashSet<>();
        fields.forEach(ofItem ? REQUIRED_PROPERTIES : PROPERTIES, "the property", element -> {
            ObjectProperty property = property(element);
            if (property != null) {
                properties.add(property);
                if (!names.add(property.name())) {
                    violations.invalid(
                            ViolationCode.ALREADY_USED,
                            element.at().to("name"),
                            "There is a property '" + PlainJson.shown(property.name()) + "' already.",
                            Map.of("value", PlainJson.shown(property.name())));
                }
            }
        });
        return properties;
    }

    private static @Nullable ObjectProperty property(ObjectReader fields) {
        fields.refuseOthers(OBJECT_PROPERTY);
        String name = fields.read(NAME);
        ValueType type = fields.read(PROPERTY_TYPE);
        String description = fields.read(DESCRIPTION);
        boolean required = Boolean.TRUE.equals(fields.read(REQUIRED));
        return name == null || type == null || description == null
                ? null
                : new ObjectProperty(name, type, description, required);
    }

    private DataSource dataSource(ObjectReader fields, @Nullable ValueType type) {
        DataSourceKind kind = fields.read(DATA_SOURCE);
        if (kind != DataSourceKind.DATA_LAKE) {
            for (DocumentProperty<?> property : LAKE_PROPERTIES) {
                String field = property.name();
                if (fields.has(field)) {
                    violations.invalid(
                            ViolationCode.NOT_ALLOWED,
                            fields.at().to(field),
                            "The field '" + field + "' of " + fields.owner() + " needs 'data_source' DATA_LAKE.");
                }
            }
            return DataSource.MEMORY;
        }
        if (type != null && type != ValueType.ARRAY) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    fields.at().to("type"),
                    "An input from a data lake must be of type ARRAY, and it is " + type + ".",
                    Map.of("from", ValueType.ARRAY.name(), "to", type.name()));
        }
        String id = fields.require(DATA_LAKE_ID);
        Map<String, ColumnType> types =
                id == null || known == null ? null : known.dataLakes().get(id);
        if (id != null && known != null && types == null) {
            violations.missing(
                    ViolationCode.NOT_FOUND,
                    fields.at().to("data_lake_id"),
                    "There is no data lake with the id '" + PlainJson.shown(id) + "' in the organization.",
                    Map.of("id", PlainJson.shown(id)));
        }
        RowFilter filter = fields.has("filter")
                ? new FilterReader(types, violations)
                        .read(fields.raw("filter"), fields.at().to("filter"), 1)
                : null;
        return new DataSource(kind, id, filter, columns(fields, types), limit(fields));
    }

    private List<String> columns(ObjectReader fields, @Nullable Map<String, ColumnType> types) {
        List<String> columns = new ArrayList<>();
        List<?> names = fields.elements(COLUMNS);
        JsonPointer at = fields.at().to("columns");
        if (names.size() > DataSource.MAX_COLUMNS) {
            violations.invalid(
                    ViolationCode.TOO_MANY,
                    at,
                    "There may be at most " + DataSource.MAX_COLUMNS + " columns.",
                    Map.of("max", DataSource.MAX_COLUMNS));
            return List.of();
        }
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i) instanceof String name
                    && !name.isBlank()
                    && DefinitionLimits.allow(name, DefinitionLimits.NAME)
                    && PlainJson.isText(name)
                    && !columns.contains(name)) {
                columns.add(name);
                if (types != null && !types.containsKey(name)) {
                    violations.invalid(
                            ViolationCode.NOT_FOUND,
                            at.to(i),
                            FilterReader.noColumn(name),
                            Map.of("column", PlainJson.shown(name)));
                }
            } else {
                violations.invalid(
                        names.get(i) instanceof String name && columns.contains(name)
                                ? ViolationCode.ALREADY_USED
                                : ViolationCode.WRONG_TYPE,
                        at.to(i),
                        "A column is named by a string, and only once.");
            }
        }
        return columns;
    }

    private @Nullable Integer limit(ObjectReader fields) {
        Object limit = fields.raw("limit");
        if (limit == null) {
            return null;
        }
        if (limit instanceof Integer rows && rows >= 1 && rows <= DataSource.MAX_LIMIT) {
            return rows;
        }
        violations.invalid(
                ViolationCode.OUT_OF_RANGE,
                fields.at().to("limit"),
                "The field 'limit' of " + fields.owner() + " must be a whole number from 1 to " + DataSource.MAX_LIMIT
                        + ".",
                Map.of("min", 1, "max", DataSource.MAX_LIMIT));
        return null;
    }
}
