package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.HumanTask;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.AssignmentRule.AssignmentType;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.ControlFlow.Repeat;
import dev.parley.workflow.definition.core.part.Dependency;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.part.UsageLimits;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds workflows for tests: every task has one STRING output, {@code out}, by default. */
public final class WorkflowBuilder {
    private static final AssignmentRule FEEDBACK =
            new AssignmentRule(RuleType.HUMAN_FEEDBACK, AssignmentType.TEAM, "3");
    private static final AssignmentRule EXCEPTION = new AssignmentRule(RuleType.EXCEPTION, AssignmentType.TEAM, "4");

    private final List<AssignmentRule> rules = new ArrayList<>(List.of(FEEDBACK));
    private final List<Task> tasks = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Dependency> dependencies = new ArrayList<>();
    private ControlFlow flow = ControlFlow.ONCE;

    public static TaskId id(String name) {
        return new TaskId(name);
    }

    public static InputParameter asks(String name, ValueType type) {
        return input(name, type, true, InputSource.HUMAN_INPUT, null);
    }

    public static InputParameter input(
            String name, ValueType type, boolean required, InputSource source, @Nullable Object value) {
        return new InputParameter(
                name, type, "The " + name, required, source, null, List.of(), value, DataSource.MEMORY);
    }

    /** A fixed ARRAY of texts called {@code items}. */
    public static InputParameter items(List<String> values) {
        return new InputParameter(
                "items",
                ValueType.ARRAY,
                "The items",
                true,
                InputSource.TASK_CONFIG,
                new ArrayItems(ValueType.STRING, null, List.of()),
                List.of(),
                values,
                DataSource.MEMORY);
    }

    public static OutputParameter output(String name, OutputType type) {
        return new OutputParameter(name, type, "The " + name);
    }

    public WorkflowBuilder withExceptionRule() {
        rules.add(EXCEPTION);
        return this;
    }

    /** The control flow of the tasks that follow. */
    public WorkflowBuilder with(ControlFlow next) {
        flow = next;
        return this;
    }

    public WorkflowBuilder when(String condition) {
        return with(new ControlFlow(condition, JoinRule.ALL, null, null));
    }

    public WorkflowBuilder join(JoinRule join) {
        return with(new ControlFlow(null, join, null, null));
    }

    public WorkflowBuilder forEach(String input, int maxParallel, ItemErrorRule onError) {
        return with(new ControlFlow(null, JoinRule.ALL, new ForEach(input, maxParallel, onError), null));
    }

    public WorkflowBuilder repeat(String until, int max) {
        return with(new ControlFlow(null, JoinRule.ALL, null, new Repeat(until, max)));
    }

    public WorkflowBuilder once() {
        return with(ControlFlow.ONCE);
    }

    public WorkflowBuilder ai(String id, InputParameter... inputs) {
        return ai(id, null, inputs);
    }

    public WorkflowBuilder ai(String id, @Nullable ErrorPolicy policy, InputParameter... inputs) {
        return ai(id, policy, List.of(output("out", OutputType.STRING)), inputs);
    }

    public WorkflowBuilder ai(
            String id, @Nullable ErrorPolicy policy, List<OutputParameter> outputs, InputParameter... inputs) {
        tasks.add(new AiTask(
                new TaskBasics(id(id), "Task " + id, "Do it", List.of(inputs), outputs, policy, flow), List.of()));
        return this;
    }

    public WorkflowBuilder human(String id, InputParameter... inputs) {
        return human(id, null, inputs);
    }

    public WorkflowBuilder human(String id, @Nullable ErrorPolicy policy, InputParameter... inputs) {
        List<OutputParameter> outputs = List.of(output("out", OutputType.STRING));
        tasks.add(new HumanTask(
                new TaskBasics(id(id), "Task " + id, "Decide", List.of(inputs), outputs, policy, flow), null));
        return this;
    }

    public WorkflowBuilder after(String before, String after) {
        dependencies.add(new Dependency(id(before), id(after)));
        return this;
    }

    public WorkflowBuilder connect(String from, String output, String to, String input) {
        connections.add(new Connection(id(from), output, id(to), input));
        return this;
    }

    public ExecutionPlan plan() {
        return ExecutionPlan.of(
                new WorkflowDefinition("Flow", "A flow", rules, tasks, connections, dependencies, UsageLimits.NONE));
    }
}
