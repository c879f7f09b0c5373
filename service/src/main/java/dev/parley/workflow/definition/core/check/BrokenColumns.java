package dev.parley.workflow.definition.core.check;

import dev.parley.datalake.core.ColumnType;
import dev.parley.datalake.core.RowFilter;
import dev.parley.id.DataLakeId;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The columns of a data lake that a definition needs and that a new table lacks or has with another type. */
public final class BrokenColumns {
    private final DataLakeId lake;
    private final Map<String, ColumnType> types;
    private final Set<String> missing = new LinkedHashSet<>();
    private final Set<String> incomparable = new LinkedHashSet<>();

    private BrokenColumns(DataLakeId lake, Map<String, ColumnType> types) {
        this.lake = lake;
        this.types = types;
    }

    /**
     * Why a definition cannot read the new table, such as "needs the missing column 'amount'".
     *
     * @param types the columns of the new table
     */
    public static List<String> of(WorkflowDefinition definition, DataLakeId lake, Map<String, ColumnType> types) {
        var columns = new BrokenColumns(lake, types);
        definition.tasks().forEach(task -> task.inputParameters().forEach(columns::check));
        List<String> reasons = new ArrayList<>();
        if (!columns.missing.isEmpty()) {
            reasons.add("needs the missing column" + (columns.missing.size() == 1 ? " '" : "s '")
                    + String.join("', '", columns.missing) + "'");
        }
        reasons.addAll(columns.incomparable);
        return reasons;
    }

    private void check(InputParameter input) {
        DataSource source = input.dataSource();
        Optional<DataLakeId> read = Optional.ofNullable(source.dataLakeId()).flatMap(DataLakeId::parse);
        if (!read.equals(Optional.of(lake))) {
            return;
        }
        source.columns().forEach(this::requireColumn);
        ArrayItems items = input.items();
        if (source.columns().isEmpty() && items != null) {
            items.properties().stream()
                    .filter(ObjectProperty::required)
                    .forEach(property -> requireColumn(property.name()));
        }
        if (source.filter() != null) {
            check(source.filter());
        }
    }

    private void requireColumn(String column) {
        if (!types.containsKey(column)) {
            missing.add(column);
        }
    }

    private void check(RowFilter filter) {
        switch (filter) {
            case RowFilter.All(List<RowFilter> all) -> all.forEach(this::check);
            case RowFilter.Any(List<RowFilter> any) -> any.forEach(this::check);
            case RowFilter.Not(RowFilter not) -> check(not);
            case RowFilter.Compare compare -> check(compare);
        }
    }

    private void check(RowFilter.Compare compare) {
        ColumnType type = types.get(compare.column());
        boolean asText = compare.operator() == RowFilter.Operator.CONTAINS
                || compare.operator() == RowFilter.Operator.STARTS_WITH;
        if (type == null) {
            missing.add(compare.column());
        } else if (!asText && !compare.values().stream().allMatch(type::accepts)) {
            incomparable.add("filters by '" + compare.column() + "', which can now be compared with " + type.expected()
                    + " only");
        }
    }
}
