package dev.parley.workflow.definition.core.check;

import static dev.parley.workflow.definition.JsonEdit.get;
import static dev.parley.workflow.definition.JsonEdit.remove;
import static dev.parley.workflow.definition.JsonEdit.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.value.InputParameter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule about the agent document: each case breaks a valid example in one place and expects one violation. */
class DefinitionValidatorTest {
    private static final String MISSING = "Missing Required Field";
    private static final String TYPE = "Invalid Type";
    private static final String CYCLE = "Cyclic Dependency";
    private static final String ASSIGNMENT = "Invalid Assignment";

    private static final String INVOICE = "invoice-approval";
    private static final String CURRENCY = "currency-report";
    private static final String ORDER = "order-check";
    private static final String LAKE = "stock-forecast";
    private static final String IN = "/tasks/0/input_parameters/0";
    private static final String OUT = "/tasks/0/expected_output/0";

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource({
        "root",
        "assignmentRules",
        "tasks",
        "taskKinds",
        "inputParameters",
        "arraysAndObjects",
        "configuredValues",
        "outputParameters",
        "dataSources",
        "connections",
        "dependencies",
        "systemValues"
    })
    void oneMistakeGivesOneFault(String example, String what, Consumer<Object> edit, String kind, String pointer) {
        Map<String, Object> tree = Examples.tree(example);
        edit.accept(tree);

        ValidationResult validation = DefinitionValidator.validate(tree, Examples.KNOWN);

        assertThat(validation.errors())
                .extracting(Violation::kind, Violation::path)
                .as(validation.errors().toString())
                .containsExactly(tuple(kind, pointer));
        assertThat(validation.definition()).isNull();
        assertThat(validation.valid()).isFalse();
    }

    static Stream<Arguments> root() {
        return Stream.of(
                without(INVOICE, "/name", MISSING),
                with(INVOICE, "/name", null, MISSING),
                with(INVOICE, "/name", " \n", MISSING),
                with(INVOICE, "/name", 3, TYPE),
                with(INVOICE, "/name", "x".repeat(201), TYPE),
                with(INVOICE, "/name", "a\u0000", TYPE),
                with(INVOICE, "/description", List.of(), TYPE),
                with(INVOICE, "/description", "x".repeat(10_001), TYPE),
                with(INVOICE, "/tools", List.of(), TYPE),
                with(INVOICE, "/a~b", 1, TYPE, "/a~0b"),
                edited("one-task", "no tasks", tree -> remove(tree, "/tasks"), MISSING, "/tasks"),
                edited("one-task", "tasks = []", tree -> set(tree, "/tasks", List.of()), MISSING, "/tasks"),
                edited("one-task", "tasks = {}", tree -> set(tree, "/tasks", Map.of()), TYPE, "/tasks"),
                edited("one-task", "tasks = ''", tree -> set(tree, "/tasks", ""), TYPE, "/tasks"),
                with("one-task", "/limits", 1, TYPE),
                with("one-task", "/limits", Map.of("tool_calls", 0), TYPE, "/limits/tool_calls"),
                with("one-task", "/tasks/0/limits", Map.of("cost", 0), TYPE, "/tasks/0/limits/cost"),
                with("one-task", "/tasks/0/limits", Map.of("calls", 1), TYPE, "/tasks/0/limits/calls"),
                with("one-task", "/connections", "none", TYPE),
                with("one-task", "/dependencies", Map.of(), TYPE));
    }

    static Stream<Arguments> assignmentRules() {
        String rule = "/assignment_rules/0";
        return Stream.of(
                without(INVOICE, "/assignment_rules", ASSIGNMENT),
                with(INVOICE, "/assignment_rules", null, ASSIGNMENT),
                with(INVOICE, "/assignment_rules", List.of(), ASSIGNMENT),
                with(INVOICE, "/assignment_rules", Map.of(), ASSIGNMENT),
                with(INVOICE, rule, "Team", ASSIGNMENT),
                without(INVOICE, rule + "/rule_type", ASSIGNMENT),
                with(INVOICE, rule + "/rule_type", "human feedback", ASSIGNMENT),
                without(INVOICE, rule + "/assignment_type", ASSIGNMENT),
                with(INVOICE, rule + "/assignment_type", "Group", ASSIGNMENT),
                without(INVOICE, rule + "/assignee_id", ASSIGNMENT),
                with(INVOICE, rule + "/assignee_id", 3, ASSIGNMENT),
                with(INVOICE, rule + "/assignee_id", "4", ASSIGNMENT),
                with(INVOICE, rule + "/assignee_id", "03", ASSIGNMENT),
                with(INVOICE, rule + "/assignee_id", "99999999999999999999", ASSIGNMENT),
                with(INVOICE, rule + "/assignee_id", Examples.USER.text(), ASSIGNMENT),
                with(INVOICE, "/assignment_rules/1/assignee_id", "3", ASSIGNMENT),
                with(INVOICE, "/assignment_rules/1/assignee_id", "f".repeat(32), ASSIGNMENT),
                with(INVOICE, rule + "/assignee", "3", ASSIGNMENT));
    }

    static Stream<Arguments> tasks() {
        return Stream.of(
                with("one-task", "/tasks/0", "reply", TYPE),
                without("one-task", "/tasks/0/id", MISSING),
                with("one-task", "/tasks/0/id", 1, TYPE),
                with("one-task", "/tasks/0/id", "Reply", TYPE),
                with("one-task", "/tasks/0/id", "a b", TYPE),
                with("one-task", "/tasks/0/id", "a\n", TYPE),
                with("one-task", "/tasks/0/id", "x".repeat(65), TYPE),
                edited(
                        INVOICE,
                        "an id twice",
                        tree -> set(tree, "/tasks/2", get(Examples.tree(INVOICE), "/tasks/0")),
                        TYPE,
                        "/tasks/2/id"),
                with("one-task", "/tasks/0/error_policy", "STOP", TYPE),
                with("one-task", "/tasks/0/error_policy", 1, TYPE),
                with("one-task", "/tasks/0/instruction", "misspelt", TYPE),
                with("one-task", "/tasks/0/instructions", "x".repeat(65_537), TYPE),
                with("one-task", "/tasks/0/name", "x".repeat(201), TYPE));
    }

    /** The table "Task kinds and their required fields", row by row. */
    static Stream<Arguments> taskKinds() {
        Stream.Builder<Arguments> cases = Stream.builder();
        Map<String, List<String>> places = Map.of(
                "AI", List.of("one-task", "/tasks/0"),
                "Human", List.of("onboarding", "/tasks/2"),
                "App", List.of(CURRENCY, "/tasks/0"),
                "Coder", List.of(CURRENCY, "/tasks/1"));
        places.forEach((kind, place) -> {
            for (String field : List.of("kind", "name", "instructions")) {
                cases.add(without(place.get(0), place.get(1) + "/" + field, MISSING));
                cases.add(with(place.get(0), place.get(1) + "/" + field, 7, TYPE));
            }
            cases.add(with(place.get(0), place.get(1) + "/kind", kind.toLowerCase(Locale.ROOT), TYPE));
        });
        return Stream.of(
                        cases.build(),
                        Stream.of(
                                without("one-task", "/tasks/0/input_parameters", MISSING),
                                without("one-task", "/tasks/0/expected_output", MISSING),
                                with("one-task", "/tasks/0/expected_output", "text", TYPE),
                                with("onboarding", "/tasks/2/input_parameters", "none", TYPE),
                                with("onboarding", "/tasks/2/expected_output", Map.of(), TYPE),
                                with("one-task", "/tasks/0/provider", "builtin", TYPE),
                                with("onboarding", "/tasks/2/tool_id", 1, TYPE),
                                with("onboarding", "/tasks/2/code_artifact_id", 1, TYPE),
                                with(CURRENCY, "/tasks/0/code_artifact_id", 1, TYPE),
                                with(CURRENCY, "/tasks/1/tool_name", "x", TYPE),
                                without(CURRENCY, "/tasks/0/provider", MISSING),
                                without(CURRENCY, "/tasks/0/tool_name", MISSING),
                                without(CURRENCY, "/tasks/0/tool_id", MISSING),
                                with(CURRENCY, "/tasks/0/provider", 1, TYPE),
                                with(CURRENCY, "/tasks/0/tool_name", 1, TYPE),
                                with(CURRENCY, "/tasks/0/tool_id", "1", TYPE),
                                with(CURRENCY, "/tasks/0/tool_id", new BigDecimal("1.5"), TYPE),
                                with(CURRENCY, "/tasks/0/tool_id", BigInteger.TWO.pow(80), TYPE),
                                with(CURRENCY, "/tasks/0/tool_id", -1, TYPE),
                                with(CURRENCY, "/tasks/0/tool_id", 2, MISSING),
                                with(CURRENCY, "/tasks/0/provider", "other", MISSING, "/tasks/0/tool_id"),
                                with(CURRENCY, "/tasks/0/tool_name", "other", MISSING, "/tasks/0/tool_id"),
                                without(CURRENCY, "/tasks/1/code_artifact_id", MISSING),
                                with(CURRENCY, "/tasks/1/code_artifact_id", "1", TYPE),
                                with(CURRENCY, "/tasks/1/code_artifact_id", 1L << 31, TYPE),
                                with(CURRENCY, "/tasks/1/code_artifact_id", 99, MISSING)))
                .flatMap(s -> s);
    }

    static Stream<Arguments> inputParameters() {
        return Stream.of(
                with(INVOICE, IN, 1, TYPE),
                without(INVOICE, IN + "/name", MISSING),
                with(INVOICE, IN + "/name", 1, TYPE),
                without(INVOICE, IN + "/type", MISSING),
                with(INVOICE, IN + "/type", "DATETIME", TYPE),
                with(INVOICE, IN + "/type", "string", TYPE),
                without(INVOICE, IN + "/description", MISSING),
                with(INVOICE, IN + "/description", 1, TYPE),
                with(INVOICE, IN + "/required", "true", TYPE),
                without(INVOICE, IN + "/source", MISSING),
                with(INVOICE, IN + "/source", "human", TYPE),
                with(INVOICE, IN + "/default", "x", TYPE),
                with(ORDER, "/tasks/0/input_parameters/1/name", "order", TYPE));
    }

    static Stream<Arguments> arraysAndObjects() {
        String object = "/tasks/0/input_parameters/1";
        String nested = "/tasks/0/input_parameters/3/items";
        return Stream.of(
                without(ORDER, IN + "/items", MISSING),
                with(ORDER, IN + "/items", "OBJECT", TYPE),
                without(ORDER, IN + "/items/type", MISSING),
                with(ORDER, IN + "/items/type", "DATE", TYPE),
                with(ORDER, IN + "/items/name", "x", TYPE),
                without(ORDER, IN + "/items/properties", MISSING),
                with(ORDER, IN + "/items/items", Map.of("type", "STRING"), TYPE),
                with(ORDER, IN + "/properties", List.of(), TYPE),
                without(ORDER, nested + "/items", MISSING),
                with(ORDER, nested + "/properties", List.of(), TYPE),
                with(ORDER, nested + "/items/properties", List.of(), TYPE),
                edited(
                        ORDER,
                        "items 17 deep",
                        tree -> set(tree, IN + "/items", nest(17)),
                        TYPE,
                        IN + "/items".repeat(17)),
                with(INVOICE, IN + "/items", Map.of("type", "STRING"), TYPE),
                with(INVOICE, IN + "/properties", List.of(), TYPE),
                with(ORDER, object + "/items", Map.of("type", "STRING"), TYPE),
                with(ORDER, object + "/properties", Map.of(), TYPE),
                with(ORDER, object + "/properties/0", "name", TYPE),
                without(ORDER, object + "/properties/0/name", MISSING),
                without(ORDER, object + "/properties/0/type", MISSING),
                with(ORDER, object + "/properties/0/type", "ARRAY", TYPE),
                with(ORDER, object + "/properties/0/type", "OBJECT", TYPE),
                without(ORDER, object + "/properties/0/description", MISSING),
                with(ORDER, object + "/properties/0/required", 1, TYPE),
                with(ORDER, object + "/properties/0/items", Map.of(), TYPE),
                with(ORDER, object + "/properties/1/name", "name", TYPE));
    }

    static Stream<Arguments> configuredValues() {
        String prices = "/tasks/0/input_parameters/2";
        String settings = "/tasks/0/input_parameters/4";
        return Stream.of(
                without("travel-request", "/tasks/0/input_parameters/4/value", MISSING),
                with("travel-request", "/tasks/0/input_parameters/4/value", null, MISSING),
                with("travel-request", "/tasks/0/input_parameters/4/value", 3, TYPE),
                with("travel-request", "/tasks/0/input_parameters/1/value", "three", TYPE),
                with(LAKE, "/tasks/0/input_parameters/1/value", "NaN", TYPE),
                with(ORDER, prices + "/value/1/price", "free", TYPE),
                with(ORDER, prices + "/value/0/price", null, MISSING),
                with(ORDER, prices + "/value/1", null, TYPE),
                with(ORDER, prices + "/value", "[]", TYPE),
                with(ORDER, "/tasks/0/input_parameters/3/value/0/1", "x", TYPE),
                with(ORDER, settings + "/value/strict", "no", TYPE),
                without(ORDER, settings + "/value/tolerance", MISSING));
    }

    /** The table "Output parameter", row by row. */
    static Stream<Arguments> outputParameters() {
        String file = "/tasks/1/expected_output/0";
        return Stream.of(
                with("one-task", OUT, "text", TYPE),
                without("one-task", OUT + "/name", MISSING),
                with("one-task", OUT + "/name", 1, TYPE),
                without("one-task", OUT + "/type", MISSING),
                with("one-task", OUT + "/type", "ARRAY", TYPE),
                without("one-task", OUT + "/description", MISSING),
                with("one-task", OUT + "/required", true, TYPE),
                without("meeting-minutes", file + "/description", MISSING),
                with("meeting-minutes", file + "/name", " ", MISSING),
                with("meeting-minutes", file + "/name", "approved_at", TYPE, "/tasks/1/expected_output/1/name"));
    }

    static Stream<Arguments> dataSources() {
        return Stream.of(
                without(LAKE, IN + "/data_lake_id", MISSING),
                with(LAKE, IN + "/data_lake_id", 1, TYPE),
                with(LAKE, IN + "/data_lake_id", "purchases", MISSING),
                with(LAKE, "/tasks/0/input_parameters/1/data_lake_id", "sales", TYPE),
                edited(
                        LAKE,
                        "a STRING from a data lake",
                        tree -> {
                            set(tree, IN + "/type", "STRING");
                            remove(tree, IN + "/items");
                        },
                        TYPE,
                        IN + "/type"));
    }

    static Stream<Arguments> connections() {
        String first = "/connections/0";
        return Stream.of(
                with(INVOICE, first + "/label", "x", TYPE),
                with(INVOICE, first + "/from/output", "sum", TYPE),
                with(INVOICE, first + "/from/input", "sum", TYPE),
                with(INVOICE, "/connections/2/to/input", "when", TYPE),
                with(INVOICE, "/connections/2/to/task", "pay", TYPE),
                with(INVOICE, "/connections/2/from", "extract", TYPE),
                without(INVOICE, "/connections/2/to", MISSING),
                without(INVOICE, "/connections/2/from/task", MISSING),
                without(INVOICE, "/connections/2/to/input", MISSING),
                with(INVOICE, "/connections/2/to/input", "currency", TYPE, "/connections/2/to"),
                with(INVOICE, "/tasks/1/input_parameters/0/type", "INTEGER", TYPE, first),
                with(INVOICE, "/tasks/0/expected_output/1/type", "BOOLEAN", TYPE, "/connections/1"),
                with(INVOICE, "/tasks/1/input_parameters/0/source", "human_input", TYPE, first + "/to"),
                without(INVOICE, first, MISSING, "/tasks/1/input_parameters/0"),
                edited(
                        "onboarding",
                        "an untied task",
                        tree -> {
                            remove(tree, "/dependencies/3");
                            remove(tree, "/dependencies/1");
                        },
                        MISSING,
                        "/tasks/2"));
    }

    static Stream<Arguments> dependencies() {
        return Stream.of(
                with(INVOICE, "/dependencies/0", "laptop", TYPE),
                with(INVOICE, "/dependencies/0/from", 1, TYPE),
                with(INVOICE, "/dependencies/0/from", "nobody", TYPE),
                without(INVOICE, "/dependencies/0/to", MISSING),
                with(INVOICE, "/dependencies/0/why", "so", TYPE),
                edited(
                        INVOICE,
                        "a dependency against a connection",
                        tree -> set(tree, "/dependencies/1", Map.of("from", "approve", "to", "extract")),
                        CYCLE,
                        "/dependencies/1"),
                edited(
                        INVOICE,
                        "a task after itself",
                        tree -> set(tree, "/dependencies/1", Map.of("from", "approve", "to", "approve")),
                        CYCLE,
                        "/dependencies/1"));
    }

    static Stream<Arguments> systemValues() {
        return Stream.of(
                with("one-task", IN + "/name", "human_message", MISSING, IN),
                with("one-task", IN + "/type", "INTEGER", TYPE));
    }

    @Test
    void aCycleIsReportedWithItsPath() {
        Map<String, Object> tree = Examples.tree(INVOICE);
        set(tree, "/dependencies/1", Map.of("from", "approve", "to", "extract"));

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .singleElement()
                .satisfies(fault -> assertThat(fault.detail()).contains("extract → approve → extract"));
    }

    @Test
    void incompatibleTypesAreReportedWithBothEnds() {
        Map<String, Object> tree = Examples.tree(INVOICE);
        set(tree, "/tasks/1/input_parameters/0/type", "BOOLEAN");

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault.detail()).contains("'total'", "'extract'", "'approve'", "FLOAT", "BOOLEAN"));
    }

    @Test
    void allFaultsAreReportedAtOnceInTheOrderOfTheDocument() {
        Map<String, Object> tree = Examples.tree("ten-tasks");
        set(tree, "/tasks/2/name", null);
        set(tree, "/tasks/9/name", 7);
        set(tree, "/connections/0/extra", 1);
        set(tree, "/assignment_rules", List.of());
        set(tree, "/tasks/10", Map.of("id", "step_11"));

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .extracting(fault -> fault.kind() + " " + fault.path())
                .containsExactly(
                        "Invalid Assignment /assignment_rules",
                        "Invalid Type /connections/0/extra",
                        "Missing Required Field /tasks/2/name",
                        "Invalid Type /tasks/9/name",
                        "Missing Required Field /tasks/10",
                        "Missing Required Field /tasks/10/instructions",
                        "Missing Required Field /tasks/10/kind",
                        "Missing Required Field /tasks/10/name");
    }

    @Test
    void aUserIdMayHaveHyphensAndIsKeptWithout() {
        Map<String, Object> tree = Examples.tree(INVOICE);
        set(tree, "/assignment_rules/1/assignee_id", Examples.USER.value().toString());

        WorkflowDefinition definition =
                DefinitionValidator.validate(tree, Examples.KNOWN).required();

        assertThat(definition.assignmentRules().get(1).assigneeId()).isEqualTo(Examples.USER.text());
    }

    @Test
    void aFileOutputWithoutANameIsCalledFile() {
        assertThat(Examples.definition("meeting-minutes")
                        .tasks()
                        .get(1)
                        .expectedOutput()
                        .getFirst()
                        .name())
                .isEqualTo("file");
    }

    @Test
    void valuesOfTheDefinitionAreCoerced() {
        List<InputParameter> inputs =
                Examples.definition(ORDER).tasks().getFirst().inputParameters();

        assertThat(inputs.get(2).value())
                .isEqualTo(List.of(
                        Map.of("sku", "A-1", "price", new BigDecimal("12.5")),
                        Map.of("sku", "B-7", "price", new BigDecimal("99.90"))));
        assertThat(inputs.get(4).value()).isEqualTo(Map.of("tolerance", new BigDecimal("0.5"), "strict", false));
    }

    @Test
    void aStoredDocumentStaysReadableAfterItsReferencesAreDeleted() {
        Map<String, Object> tree = Examples.tree(CURRENCY);
        KnownReferences nothing = new KnownReferences(Set.of(), Set.of(), Map.of(), Map.of(), Map.of());

        assertThat(DefinitionValidator.validate(tree, nothing).errors())
                .extracting(Violation::path)
                .containsExactly("/assignment_rules/0/assignee_id", "/tasks/0/tool_id", "/tasks/1/code_artifact_id");
        assertThat(DefinitionValidator.readStored(tree).errors()).isEmpty();
    }

    @Test
    void aNonObjectIsRejectedAsAWhole() {
        for (Object document : Arrays.asList(null, "text", 3, true, List.of())) {
            assertThat(DefinitionValidator.validate(document, Examples.KNOWN).errors())
                    .extracting(Violation::kind, Violation::path)
                    .containsExactly(tuple(TYPE, ""));
        }
    }

    @Test
    void aDocumentWithFaultsHasNoDefinition() {
        assertThatThrownBy(() ->
                        DefinitionValidator.validate(Map.of(), Examples.KNOWN).required())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDocumentNestedTooDeepIsRefused() {
        Map<String, Object> tree = Examples.tree(ORDER);
        set(tree, IN + "/items", nest(100_000));

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .extracting(Violation::path)
                .containsExactly(IN + "/items".repeat(17));
    }

    private static Object nest(int levels) {
        Object items = Map.of("type", "STRING");
        for (int i = 1; i < levels; i++) {
            items = Map.of("type", "ARRAY", "items", items);
        }
        return items;
    }

    private static Arguments without(String example, String pointer, String kind) {
        return without(example, pointer, kind, pointer);
    }

    private static Arguments without(String example, String pointer, String kind, String fault) {
        return edited(example, "without " + pointer, tree -> remove(tree, pointer), kind, fault);
    }

    private static Arguments with(String example, String pointer, @Nullable Object value, String kind) {
        return with(example, pointer, value, kind, pointer);
    }

    private static Arguments with(String example, String pointer, @Nullable Object value, String kind, String fault) {
        String shown = String.valueOf(value);
        String what = "with " + pointer + " = " + shown.substring(0, Math.min(20, shown.length()));
        return edited(example, what, tree -> set(tree, pointer, value), kind, fault);
    }

    private static Arguments edited(String example, String what, Consumer<Object> edit, String kind, String fault) {
        return arguments(example, what, edit, kind, fault);
    }
}
