package dev.parley.workflow.definition.core.part;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.expression.core.ExpressionCompiler;
import dev.parley.workflow.expression.core.ExpressionIssue;
import dev.parley.workflow.expression.core.ExpressionScope;
import dev.parley.workflow.expression.core.ExpressionType;
import dev.parley.workflow.expression.core.ExpressionType.AnyObject;
import dev.parley.workflow.expression.core.ExpressionType.ListOf;
import dev.parley.workflow.expression.core.ExpressionType.Scalar;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The variables of the expressions in a definition, and the check of an expression. */
public final class ExpressionScopes {
    /** The prefix of inputs that get an output of the task's previous iteration. */
    public static final String PREVIOUS = "previous.";

    public static final String INPUTS = "inputs";
    public static final String TASKS = "tasks";
    private static final String TRIGGER = "trigger";
    private static final String OUTPUTS = "outputs";
    private static final String ARGUMENTS = "arguments";

    private ExpressionScopes() {}

    /**
     * Reports the errors of an expression.
     *
     * @param scope null to check the syntax only
     */
    public static void check(
            String expression, @Nullable ExpressionScope scope, JsonPointer at, ViolationCollector violations) {
        List<ExpressionIssue> issues = scope == null
                ? ExpressionCompiler.syntaxIssues(expression)
                : ExpressionCompiler.compile(expression, scope).issues();
        for (ExpressionIssue issue : issues) {
            String line = issue.line() == 1 ? "" : "line " + issue.line() + ", ";
            violations.invalid(
                    ViolationCode.INVALID_SYNTAX,
                    at,
                    "At " + line + "column " + issue.column() + ": " + issue.message() + ".",
                    Map.of("line", issue.line(), "column", issue.column(), "message", issue.message()));
        }
    }

    /**
     * The scope of {@code when}: {@code inputs.<name>}, {@code tasks.<predecessor>.<output>}, {@code trigger.human_msg}
     * and {@code trigger.file_urls}. Inputs whose values are read from a store when the task starts are not in it.
     *
     * @param connected the names of the task's inputs that have a connection
     * @param predecessors the direct predecessors of the task
     */
    public static ExpressionScope ofCondition(
            TaskBasics task, Set<String> connected, Collection<TaskBasics> predecessors) {
        Map<List<String>, ExpressionType> variables = new HashMap<>();
        for (InputParameter input : task.inputParameters()) {
            if (isKnown(input, connected.contains(input.name()))) {
                variables.put(List.of(INPUTS, input.name()), type(input.type(), input.items()));
            }
        }
        for (TaskBasics predecessor : predecessors) {
            boolean isList = predecessor.controlFlow().forEach() != null;
            for (OutputParameter output : predecessor.expectedOutput()) {
                ExpressionType type = type(output.type());
                variables.put(
                        List.of(TASKS, predecessor.id().value(), output.name()), isList ? new ListOf(type) : type);
            }
        }
        variables.put(List.of(TRIGGER, SystemValue.HUMAN_MSG.text()), Scalar.STRING);
        variables.put(List.of(TRIGGER, SystemValue.FILE_URLS.text()), new ListOf(Scalar.STRING));
        return new ExpressionScope(variables);
    }

    /** The scope of {@code until}: {@code outputs.<name>}. */
    public static ExpressionScope ofOutputs(TaskBasics task) {
        Map<List<String>, ExpressionType> variables = new HashMap<>();
        task.expectedOutput().forEach(output -> variables.put(List.of(OUTPUTS, output.name()), type(output.type())));
        return new ExpressionScope(variables);
    }

    /** The scope of the approval of a tool call: {@code arguments}, whose members have any type. */
    public static ExpressionScope ofArguments() {
        return new ExpressionScope(Map.of(List.of(ARGUMENTS), new AnyObject()));
    }

    /** The names of the inputs that decide whether and how often a task runs: not all of them are arguments. */
    public static Set<String> inputsOf(ControlFlow flow) {
        Set<String> names = new HashSet<>();
        if (flow.when() != null) {
            ExpressionCompiler.selections(flow.when()).stream()
                    .filter(path -> path.size() > 1 && path.getFirst().equals(INPUTS))
                    .forEach(path -> names.add(path.get(1)));
        }
        if (flow.forEach() != null) {
            names.add(flow.forEach().input());
        }
        return names;
    }

    /** Whether a condition refers to a value of the trigger. */
    public static boolean readsTrigger(@Nullable String condition, SystemValue value) {
        return condition != null
                && condition.contains(TRIGGER)
                && ExpressionCompiler.selections(condition).contains(List.of(TRIGGER, value.text()));
    }

    /** The argument that an input supplies: {@code previous.<name>} supplies {@code <name>} unless both exist. */
    public static String argument(String input, Collection<?> arguments) {
        String name = input.startsWith(PREVIOUS) ? input.substring(PREVIOUS.length()) : input;
        return arguments.contains(input) || !arguments.contains(name) ? input : name;
    }

    /** Whether the value is known before the task starts. */
    private static boolean isKnown(InputParameter input, boolean connected) {
        if (input.dataSource().kind() == DataSource.DataSourceKind.DATA_LAKE) {
            return false;
        }
        if (connected || input.source() != InputSource.SYSTEM_GENERATED) {
            return true;
        }
        SystemValue value = SystemValue.named(input.name()).orElse(null);
        return value != null && value != SystemValue.CONVERSATION_HISTORY;
    }

    private static ExpressionType type(ValueType type, @Nullable ArrayItems items) {
        return switch (type) {
            case BOOLEAN -> Scalar.BOOLEAN;
            case INTEGER -> Scalar.INTEGER;
            case FLOAT -> Scalar.FLOAT;
            case STRING -> Scalar.STRING;
            case OBJECT -> new AnyObject();
            case ARRAY -> new ListOf(items == null ? Scalar.STRING : type(items.type(), items.items()));
        };
    }

    private static ExpressionType type(OutputType type) {
        return type == OutputType.DATETIME ? Scalar.DATETIME : type(type.valueType(), null);
    }
}
