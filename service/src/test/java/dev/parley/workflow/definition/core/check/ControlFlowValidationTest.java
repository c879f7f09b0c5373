package dev.parley.workflow.definition.core.check;

import static dev.parley.workflow.definition.JsonEdit.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.Examples;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.part.ControlFlow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conditions, joins, items and iterations in the agent document. */
class ControlFlowValidationTest {
    private final Map<String, Object> tree = document();

    /** Task {@code a} with an ARRAY input {@code list}, connected to {@code b}. */
    private static Map<String, Object> document() {
        Map<String, Object> list = Map.of(
                "name",
                "list",
                "type",
                "ARRAY",
                "description",
                "d",
                "source",
                "human_input",
                "items",
                Map.of("type", "INTEGER"));
        Map<String, Object> in = Map.of(
                "name", "in", "type", "STRING", "description", "d", "source", "system_generated", "required", true);
        return new HashMap<>(Map.of(
                "name",
                "Flow",
                "assignment_rules",
                List.of(Map.of(
                        "rule_type", "Human Feedback", "assignment_type", "User", "assignee_id", Examples.USER.text())),
                "tasks",
                new ArrayList<>(List.of(task("a", list), task("b", in))),
                "connections",
                List.of(Map.of(
                        "from", Map.of("task", "a", "output", "out"), "to", Map.of("task", "b", "input", "in")))));
    }

    private static Map<String, Object> task(String id, Map<String, Object> input) {
        return new HashMap<>(Map.of(
                "id",
                id,
                "kind",
                "AI",
                "name",
                id,
                "instructions",
                "Do it.",
                "input_parameters",
                new ArrayList<>(List.of(new HashMap<>(input))),
                "expected_output",
                new ArrayList<>(List.of(new HashMap<>(Map.of("name", "out", "type", "STRING", "description", "d"))))));
    }

    private List<String> violations() {
        return DefinitionValidator.validate(tree, Examples.KNOWN).errors().stream()
                .map(violation -> violation.path() + " " + violation.kind() + ": " + violation.detail())
                .toList();
    }

    @Test
    void aValidDocument() {
        set(tree, "/tasks/1/when", "tasks.a.out.startsWith('x') && trigger.human_msg != null");
        set(tree, "/tasks/1/join", "any");
        set(tree, "/tasks/1/repeat", Map.of("until", "outputs.out != ''", "max", 3));
        assertThat(violations()).isEmpty();
        Task task = definition().tasks().get(1);
        assertThat(task.controlFlow())
                .isEqualTo(new ControlFlow(
                        "tasks.a.out.startsWith('x') && trigger.human_msg != null",
                        ControlFlow.JoinRule.ANY,
                        null,
                        new ControlFlow.Repeat("outputs.out != ''", 3)));
    }

    @Test
    void anExpressionIsCheckedWithTheTypesThatItReads() {
        set(tree, "/tasks/1/when", "tasks.a.out > 5 || inputs.`in` == 'x'");
        set(tree, "/tasks/1/repeat", Map.of("until", "outputs.missing", "max", 3));
        assertThat(violations())
                .containsExactly(
                        "/tasks/1/repeat/until Invalid Type: At column 8: there is nothing named 'missing' here.",
                        "/tasks/1/when Invalid Type: At column 13: '>' cannot be applied to a text and"
                                + " an integer.");
    }

    /** They suspend the task, which a model cannot do. */
    @Test
    void toolsThatWaitWorkInAppTasksOnly() {
        KnownReferences known = new KnownReferences(
                Set.of(Examples.USER),
                Set.of(Examples.TEAM),
                Map.of(
                        1, new KnownTool("builtin", "http.request", Set.of("url")),
                        3, new KnownTool("builtin", "time.wait", Set.of(), null, true),
                        4, new KnownTool("builtin", "event.wait", Set.of(), null, true)),
                Map.of(),
                Map.of());
        set(tree, "/tasks/0/tools", List.of(1, 3, Map.of("id", 4, "approval", "always")));
        assertThat(DefinitionValidator.validate(tree, known).errors())
                .containsExactly(
                        new Violation(
                                Violation.INVALID_TYPE,
                                ViolationCode.NOT_ALLOWED,
                                "/tasks/0/tools/1",
                                "The tool 'time.wait' works in App tasks only; a model cannot call it."),
                        new Violation(
                                Violation.INVALID_TYPE,
                                ViolationCode.NOT_ALLOWED,
                                "/tasks/0/tools/2",
                                "The tool 'event.wait' works in App tasks only; a model cannot call it."));
    }

    @Test
    void toolsMayNeedAnApproval() {
        set(
                tree,
                "/tasks/0/tools",
                List.of(
                        1,
                        Map.of("id", 7, "approval", "always"),
                        Map.of("id", 8, "approval", "when", "when", "arguments.amount > 100")));
        KnownReferences known = Examples.KNOWN;
        assertThat(DefinitionValidator.readStored(tree).required().tasks().getFirst())
                .isInstanceOfSatisfying(AiTask.class, task -> assertThat(task.tools())
                        .containsExactly(
                                new AgentTool(1, AgentTool.ApprovalRule.NEVER, null),
                                new AgentTool(7, AgentTool.ApprovalRule.ALWAYS, null),
                                new AgentTool(8, AgentTool.ApprovalRule.WHEN, "arguments.amount > 100")));
        set(
                tree,
                "/tasks/0/tools",
                List.of(
                        "1",
                        Map.of("approval", "always"),
                        Map.of("id", 1, "approval", "sometimes"),
                        Map.of("id", 1, "approval", "when"),
                        Map.of("id", 1, "approval", "always", "when", "true"),
                        Map.of("id", 1, "ask", true)));
        assertThat(DefinitionValidator.validate(tree, known).errors())
                .extracting(Violation::path)
                .contains(
                        "/tasks/0/tools/0",
                        "/tasks/0/tools/1/id",
                        "/tasks/0/tools/2/approval",
                        "/tasks/0/tools/3/when",
                        "/tasks/0/tools/4/when",
                        "/tasks/0/tools/5/ask");
        set(tree, "/tasks/0/tools", List.of(Map.of("id", 1, "approval", "when", "when", "argument.amount > 100")));
        assertThat(DefinitionValidator.readStored(tree).errors())
                .extracting(Violation::path)
                .containsExactly("/tasks/0/tools/0/when");
    }

    @Test
    void onlyDirectPredecessorsCanBeRead() {
        set(tree, "/tasks/0/when", "tasks.b.out == 'x'");
        assertThat(violations())
                .containsExactly("/tasks/0/when Invalid Type: At column 1: there is nothing named 'tasks' here.");
    }

    @Test
    void aTaskRunsForEachItemOfAnArray() {
        set(tree, "/tasks/0/for_each", Map.of("input", "list", "max_parallel", 5, "on_error", "collect"));
        assertThat(violations())
                .containsExactly(
                        "/connections/0 Invalid Type: The output 'out' of the task 'a' is of type ARRAY of STRING, and"
                                + " the input 'in' of the task 'b' is of type STRING; ARRAY of STRING connects only to"
                                + " ARRAY of STRING.");
        set(tree, "/tasks/1/input_parameters/0/type", "ARRAY");
        set(tree, "/tasks/1/input_parameters/0/items", Map.of("type", "INTEGER"));
        assertThat(violations()).hasSize(1);
        set(tree, "/tasks/1/input_parameters/0/items", Map.of("type", "STRING"));
        assertThat(violations()).isEmpty();
        assertThat(definition().tasks().getFirst().controlFlow().forEach())
                .isEqualTo(new ControlFlow.ForEach("list", 5, ControlFlow.ItemErrorRule.COLLECT));
    }

    @Test
    void anOutputConnectsToAnArrayOnlyFromATaskWithItems() {
        set(tree, "/tasks/1/input_parameters/0/type", "ARRAY");
        set(tree, "/tasks/1/input_parameters/0/items", Map.of("type", "STRING"));
        assertThat(violations()).hasSize(1).first().asString().contains("STRING connects only to STRING");
    }

    @Test
    void thePartsAreChecked() {
        set(tree, "/tasks/0/join", "some");
        set(tree, "/tasks/0/for_each", Map.of("input", "none", "max_parallel", 0, "extra", 1));
        set(tree, "/tasks/1/for_each", Map.of("input", "in"));
        set(tree, "/tasks/1/repeat", Map.of("max", 0));
        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors())
                .extracting(Violation::path)
                .containsExactlyInAnyOrder(
                        "/tasks/0/join",
                        "/tasks/0/for_each/extra",
                        "/tasks/0/for_each/input",
                        "/tasks/0/for_each/max_parallel",
                        "/tasks/1/for_each/input",
                        "/tasks/1/repeat/max",
                        "/tasks/1/repeat/until",
                        "/connections/0");
    }

    @Test
    void aTaskThatRepeatsMayReadItsPreviousOutputs() {
        set(
                tree,
                "/tasks/1/input_parameters",
                List.of(
                        Map.of("name", "in", "type", "STRING", "description", "d", "source", "system_generated"),
                        Map.of(
                                "name",
                                "previous.out",
                                "type",
                                "STRING",
                                "description",
                                "d",
                                "source",
                                "system_generated",
                                "required",
                                true),
                        Map.of(
                                "name",
                                "previous.other",
                                "type",
                                "STRING",
                                "description",
                                "d",
                                "source",
                                "system_generated")));
        set(tree, "/tasks/1/repeat", Map.of("until", "outputs.out == 'x'", "max", 2));
        assertThat(violations())
                .containsExactly("/tasks/1/input_parameters/2/name Invalid Type: The task 'b' has no output 'other'.");
    }

    @Test
    void manyConditionsAreCheckedInTime() {
        List<Object> tasks = new ArrayList<>();
        List<Object> dependencies = new ArrayList<>();
        for (int i = 0; i < DefinitionLimits.TASKS; i++) {
            Map<String, Object> task =
                    task("t" + i, Map.of("name", "n", "type", "INTEGER", "description", "d", "source", "human_input"));
            task.put("when", "inputs.n > " + i);
            tasks.add(task);
            if (i > 0) {
                dependencies.add(Map.of("from", "t" + (i - 1), "to", "t" + i));
            }
        }
        tree.put("tasks", tasks);
        tree.put("dependencies", dependencies);
        tree.remove("connections");
        assertThat(CpuTime.of(() -> assertThat(violations()).isEmpty())).isLessThan(Duration.ofSeconds(5));
    }

    private WorkflowDefinition definition() {
        @Nullable
        WorkflowDefinition definition =
                DefinitionValidator.validate(tree, Examples.KNOWN).definition();
        if (definition == null) {
            throw new AssertionError(violations());
        }
        return definition;
    }

    @Test
    void anExpressionIsCheckedTogetherWithTheRestOfItsTask() {
        set(tree, "/tasks/1/name", "");
        set(tree, "/tasks/1/when", "tasks.a.out > 5");
        set(tree, "/tasks/0/instructions", 7);
        set(tree, "/tasks/0/tools", List.of(Map.of("id", 1, "approval", "when", "when", "arguments.")));
        assertThat(violations())
                .extracting(text -> text.substring(0, text.indexOf(' ')))
                .contains("/tasks/0/instructions", "/tasks/0/tools/0/when", "/tasks/1/name", "/tasks/1/when");
    }

    @Test
    void onlyTheSyntaxIsCheckedWhereTheVariablesAreUnknown() {
        set(tree, "/tasks/0/expected_output/0/type", "NUMBER");
        set(tree, "/tasks/1/when", "tasks.a.out > 5");
        assertThat(violations()).noneMatch(text -> text.startsWith("/tasks/1/when"));
        set(tree, "/tasks/1/when", "tasks.a.out >");
        assertThat(violations()).anyMatch(text -> text.startsWith("/tasks/1/when"));
    }
}
