package dev.parley.workflow.definition.core.check;

import dev.parley.problem.ViolationCode;
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
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.ControlFlow.Repeat;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.expression.core.ExpressionCompiler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the control flow of a task. {@link ConditionValidator} checks the expressions. */
final class ControlFlowReader {
    static final DocumentProperty<String> WHEN =
            DocumentProperty.text("when", ExpressionCompiler.MAX_LENGTH).optional();
    private static final DocumentProperty<JoinRule> JOIN = DocumentProperty.choice(
                    "join", EnumNames.lowerCase(JoinRule.values()))
            .optional();

    private static final DocumentProperty<String> INPUT = DocumentProperty.text("input", DefinitionLimits.NAME);
    private static final DocumentProperty<Integer> MAX_PARALLEL = DocumentProperty.integer(
                    "max_parallel", 1, DefinitionLimits.PARALLEL_ITEMS)
            .optional();
    private static final DocumentProperty<ItemErrorRule> ON_ERROR = DocumentProperty.choice(
                    "on_error", EnumNames.lowerCase(ItemErrorRule.values()))
            .optional();
    static final ObjectShape FOR_EACH_SHAPE = ObjectShape.of(INPUT, MAX_PARALLEL, ON_ERROR);

    static final DocumentProperty<String> UNTIL = DocumentProperty.text("until", ExpressionCompiler.MAX_LENGTH);
    private static final DocumentProperty<Integer> MAX =
            DocumentProperty.integer("max", 1, DefinitionLimits.ITERATIONS);
    static final ObjectShape REPEAT_SHAPE = ObjectShape.of(UNTIL, MAX);

    static final DocumentProperty<Object> FOR_EACH =
            DocumentProperty.any("for_each", SchemaParts.ref("for_each")).optional();
    static final DocumentProperty<Object> REPEAT =
            DocumentProperty.any("repeat", SchemaParts.ref("repeat")).optional();

    /** The properties of tasks of every kind. */
    static final List<DocumentProperty<?>> PROPERTIES = List.of(WHEN, JOIN, FOR_EACH, REPEAT);

    private ControlFlowReader() {}

    /** Invalid parts are reported, and read as absent. */
    static ControlFlow read(ObjectReader task, List<ReadTask.ReadInput> inputs) {
        JoinRule join = task.read(JOIN);
        return new ControlFlow(
                task.read(WHEN), join == null ? JoinRule.ALL : join, forEach(task, inputs), repeat(task));
    }

    private static @Nullable ForEach forEach(ObjectReader task, List<ReadTask.ReadInput> inputs) {
        ObjectReader fields = task.part(FOR_EACH, FOR_EACH_SHAPE);
        if (fields == null) {
            return null;
        }
        ViolationCollector violations = task.violations();
        String input = fields.read(INPUT);
        Integer maxParallel = fields.read(MAX_PARALLEL);
        ItemErrorRule onError = fields.read(ON_ERROR);
        if (input == null) {
            return null;
        }
        JsonPointer at = fields.at().to(INPUT.name());
        ReadTask.ReadInput items = inputs.stream()
                .filter(one -> Objects.equals(one.name(), input))
                .findFirst()
                .orElse(null);
        if (items == null) {
            violations.invalid(
                    ViolationCode.NOT_FOUND,
                    at,
                    "There is no input '" + PlainJson.shown(input) + "' of " + task.owner() + ".",
                    Map.of("input", PlainJson.shown(input)));
        } else if (items.type() != null && items.type() != ValueType.ARRAY) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    at,
                    "A task runs for each item of an ARRAY, and the input '" + PlainJson.shown(input) + "' is of type "
                            + items.type() + ".",
                    Map.of("from", items.type().name(), "to", ValueType.ARRAY.name()));
        }
        return new ForEach(
                input,
                maxParallel == null ? DefinitionLimits.DEFAULT_PARALLEL_ITEMS : maxParallel,
                onError == null ? ItemErrorRule.FAIL : onError);
    }

    private static @Nullable Repeat repeat(ObjectReader task) {
        ObjectReader fields = task.part(REPEAT, REPEAT_SHAPE);
        if (fields == null) {
            return null;
        }
        String until = fields.read(UNTIL);
        Integer max = fields.read(MAX);
        return until == null || max == null ? null : new Repeat(until, max);
    }
}
