package dev.parley.workflow.instance.run.task;

import dev.parley.datalake.read.LakeReader;
import dev.parley.document.DocumentException;
import dev.parley.document.ReaderLimits;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.task.TaskFailure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a data lake as the value of an input. */
@Singleton
public final class LakeRows {
    private static final ReaderLimits LIMITS = ReaderLimits.ofTask(Duration.ofSeconds(60));

    private final LakeReader lakes;

    public LakeRows(LakeReader lakes) {
        this.lakes = lakes;
    }

    /**
     * The rows as objects, as lists of column values, or as the values of one column, depending on the items' type.
     *
     * @param others the task's other inputs, which the filter may compare with
     */
    @Nullable
    Object rows(StoredInstance instance, Task task, String name, Map<String, @Nullable Object> others)
            throws TaskFailure, InterruptedException {
        InputParameter input = TaskRunner.input(task, name);
        DataSource source = input.dataSource();
        LakeReader.Rows read;
        try {
            read = lakes.read(
                    instance.header().organization(),
                    Objects.requireNonNull(source.dataLakeId()),
                    source.filter(),
                    source.columns(),
                    source.limit(),
                    others,
                    LIMITS);
        } catch (DocumentException e) {
            throw TaskFailure.of("Data lake", "Input '" + name + "': " + e.detail(), e.isTransient(), null, e);
        }
        List<Violation> violations = new ArrayList<>();
        Object value = ValueRules.input(input, shaped(input, read), JsonPointer.ROOT.to(name), violations);
        if (!violations.isEmpty()) {
            Violation first = violations.getFirst();
            throw TaskFailure.permanent(first.kind(), "Input '" + first.field() + "': " + first.detail());
        }
        return value;
    }

    private static List<?> shaped(InputParameter input, LakeReader.Rows read) throws TaskFailure {
        ArrayItems items = Objects.requireNonNull(input.items(), "an ARRAY has items");
        if (items.type() == ValueType.OBJECT) {
            return read.rows();
        }
        if (items.type() == ValueType.ARRAY) {
            return read.rows().stream()
                    .map(row -> new ArrayList<>(row.values()))
                    .toList();
        }
        if (read.columns().size() != 1) {
            throw TaskFailure.permanent(
                    "Invalid Type",
                    "Input '" + input.name() + "': items of type " + items.type()
                            + " are the values of one column, and 'columns' does not name exactly one.");
        }
        String column = read.columns().getFirst();
        List<@Nullable Object> values = new ArrayList<>();
        read.rows().forEach(row -> values.add(row.get(column)));
        return values;
    }
}
