package dev.parley.workflow.definition.core.check;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.ReadTask;
import dev.parley.workflow.definition.core.TaskGraph;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.Dependency;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and validates connections and dependencies. */
final class ConnectionValidator {
    private static final DocumentProperty<String> TASK = DocumentProperty.taskId("task");
    private static final DocumentProperty<String> OUTPUT = DocumentProperty.text("output", DefinitionLimits.NAME);
    private static final DocumentProperty<String> INPUT = DocumentProperty.text("input", DefinitionLimits.NAME);
    private static final ObjectShape FROM_OUTPUT = ObjectShape.of(TASK, OUTPUT);
    private static final ObjectShape TO_INPUT = ObjectShape.of(TASK, INPUT);
    private static final DocumentProperty<Object> FROM = DocumentProperty.any("from", FROM_OUTPUT.schema());
    private static final DocumentProperty<Object> TO = DocumentProperty.any("to", TO_INPUT.schema());
    static final ObjectShape CONNECTION = ObjectShape.of(FROM, TO);

    private static final DocumentProperty<String> FROM_TASK = DocumentProperty.taskId("from");
    private static final DocumentProperty<String> TO_TASK = DocumentProperty.taskId("to");
    static final ObjectShape DEPENDENCY = ObjectShape.of(FROM_TASK, TO_TASK);

    static final DocumentProperty<List<?>> CONNECTIONS = DocumentProperty.list(
                    "connections", SchemaParts.arrayOf("connection"))
            .optional();
    static final DocumentProperty<List<?>> DEPENDENCIES = DocumentProperty.list(
                    "dependencies", SchemaParts.arrayOf("dependency"))
            .optional();

    /** The longest cycle that a violation lists in full. */
    private static final int MAX_SHOWN_TASKS = 20;

    private record InputEnd(TaskId task, String input) {}

    private final List<ReadTask> tasks;
    private final ViolationCollector violations;
    private final Map<String, ReadTask> byId = new HashMap<>();
    private final Set<TaskId> tied = new HashSet<>();
    private final Map<InputEnd, JsonPointer> incoming = new HashMap<>();
    private final List<TaskGraph.Edge> edges = new ArrayList<>();
    private final Map<TaskGraph.Edge, JsonPointer> edgeAt = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Dependency> dependencies = new ArrayList<>();

    ConnectionValidator(List<ReadTask> tasks, ViolationCollector violations) {
        this.tasks = tasks;
        this.violations = violations;
        for (ReadTask task : tasks) {
            if (task.id() != null) {
                byId.put(task.id().value(), task);
            }
        }
    }

    List<Connection> connections() {
        return connections;
    }

    /** The order of tasks that connections and dependencies require. */
    List<TaskGraph.Edge> edges() {
        return edges;
    }

    List<Dependency> dependencies() {
        return dependencies;
    }

    void read(ObjectReader root) {
        root.forEach(CONNECTIONS, "the connection", this::connection);
        root.forEach(DEPENDENCIES, "the dependency", this::dependency);
    }

    /** The checks that need all connections and dependencies. */
    void check() {
        for (ReadTask task : tasks) {
            task.inputs().values().forEach(input -> checkSystemGenerated(task, input));
            if (tasks.size() > 1 && task.id() != null && !tied.contains(task.id())) {
                violations.missing(
                        ViolationCode.NOT_CONNECTED,
                        task.at(),
                        "Connect the task '" + task.id() + "' to another task: it has no connection or dependency.");
            }
        }
        List<TaskId> ids =
                tasks.stream().map(ReadTask::id).filter(Objects::nonNull).toList();
        for (TaskGraph.Cycle cycle : TaskGraph.of(ids, edges).cycles()) {
            violations.cyclic(
                    edgeAt.getOrDefault(cycle.closing(), JsonPointer.ROOT.to("connections")),
                    "Tasks wait for each other: " + written(cycle.path()) + ".",
                    cycle.path().stream().map(TaskId::value).toList());
        }
    }

    private static String written(List<TaskId> path) {
        if (path.size() <= MAX_SHOWN_TASKS) {
            return path.stream().map(TaskId::value).collect(Collectors.joining(" → "));
        }
        return "%s → … (%,d more) … → %s"
                .formatted(
                        written(path.subList(0, MAX_SHOWN_TASKS - 2)),
                        path.size() - MAX_SHOWN_TASKS,
                        written(path.subList(path.size() - 2, path.size())));
    }

    private void connection(ObjectReader fields) {
        fields.refuseOthers(CONNECTION);
        ObjectReader from = fields.part(FROM, "the end of a connection", FROM_OUTPUT);
        ObjectReader to = fields.part(TO, "the end of a connection", TO_INPUT);
        ReadTask source = from == null ? null : task(from, TASK);
        ReadTask target = to == null ? null : task(to, TASK);
        String outputName = from == null ? null : from.read(OUTPUT);
        String inputName = to == null ? null : to.read(INPUT);
        edge(source, target, fields.at());
        ReadTask.ReadOutput output = null;
        if (from != null && source != null && outputName != null) {
            output = source.outputs().get(outputName);
            if (output == null) {
                refuseUnknown(source, "output", outputName, from.at().to("output"));
            }
        }
        ReadTask.ReadInput input = null;
        if (to != null && target != null && inputName != null) {
            input = target.inputs().get(inputName);
            if (input == null) {
                refuseUnknown(target, "input", inputName, to.at().to("input"));
            } else {
                take(target, input, fields);
            }
        }
        if (source != null && output != null && target != null && input != null) {
            checkTypes(source, output, target, input, fields.at());
            if (source.id() != null && target.id() != null && outputName != null && inputName != null) {
                connections.add(new Connection(source.id(), outputName, target.id(), inputName));
            }
        }
    }

    private void refuseUnknown(ReadTask task, String kind, String name, JsonPointer at) {
        violations.invalid(
                ViolationCode.NOT_FOUND,
                at,
                "The task '%s' has no %s '%s'.".formatted(task.id(), kind, PlainJson.shown(name)),
                Map.of(kind, PlainJson.shown(name)));
    }

    private @Nullable ReadTask task(ObjectReader fields, DocumentProperty<String> property) {
        String id = fields.read(property);
        ReadTask task = id == null ? null : byId.get(id);
        if (id != null && task == null) {
            violations.invalid(
                    ViolationCode.NOT_FOUND,
                    fields.at().to(property.name()),
                    "There is no task '" + PlainJson.shown(id) + "'.",
                    Map.of("task", PlainJson.shown(id)));
        }
        return task;
    }

    /** An input accepts at most one connection, and only if its source allows one. */
    private void take(ReadTask target, ReadTask.ReadInput input, ObjectReader connection) {
        if (target.id() == null || input.name() == null) {
            return;
        }
        JsonPointer earlier = incoming.putIfAbsent(new InputEnd(target.id(), input.name()), connection.at());
        String end = "The input '" + PlainJson.shown(input.name()) + "' of the task '" + target.id() + "'";
        if (earlier != null) {
            violations.invalid(
                    ViolationCode.ALREADY_USED,
                    connection.at().to("to"),
                    end + " has a connection already, at " + earlier + ".",
                    Map.of("other", earlier.toString()));
        }
        if (input.source() != null && input.source() != InputSource.SYSTEM_GENERATED) {
            violations.invalid(
                    ViolationCode.NOT_ALLOWED,
                    connection.at().to("to"),
                    end + " has the source " + input.source().text()
                            + ", and only an input of the source system_generated can be connected.",
                    Map.of("source", input.source().text()));
        }
    }

    private void checkTypes(
            ReadTask source, ReadTask.ReadOutput output, ReadTask target, ReadTask.ReadInput input, JsonPointer at) {
        OutputType from = output.type();
        ValueType to = input.type();
        if (from == null || to == null || isCompatible(source, from, input)) {
            return;
        }
        String accepting = from.acceptingInputs().stream().map(ValueType::name).collect(Collectors.joining(" or "));
        String type = source.forEach() ? "ARRAY of " + from : from.name();
        violations.invalid(
                ViolationCode.TYPE_MISMATCH,
                at,
                "The output '%s' of the task '%s' is of type %s, and the input '%s' of the task '%s' is of type %s; %s connects only to %s."
                        .formatted(
                                output.name(),
                                source.id(),
                                type,
                                input.name(),
                                target.id(),
                                to,
                                type,
                                source.forEach() ? "ARRAY of " + accepting : accepting),
                Map.of("from", type, "to", to.name()));
    }

    /** The outputs of a task that runs for each item are arrays. */
    private static boolean isCompatible(ReadTask source, OutputType from, ReadTask.ReadInput input) {
        if (!source.forEach()) {
            return input.type() != null && from.fits(input.type());
        }
        ArrayItems items = input.parameter() == null ? null : input.parameter().items();
        return input.type() == ValueType.ARRAY && (items == null || from.fits(items.type()));
    }

    private void dependency(ObjectReader fields) {
        fields.refuseOthers(DEPENDENCY);
        ReadTask from = task(fields, FROM_TASK);
        ReadTask to = task(fields, TO_TASK);
        edge(from, to, fields.at());
        if (from != null && to != null && from.id() != null && to.id() != null) {
            dependencies.add(new Dependency(from.id(), to.id()));
        }
    }

    /** An edge with one unknown end still counts for its other end, so that one mistake causes one violation. */
    private void edge(@Nullable ReadTask from, @Nullable ReadTask to, JsonPointer at) {
        TaskId fromId = from == null ? null : from.id();
        TaskId toId = to == null ? null : to.id();
        if (fromId != null && !fromId.equals(toId)) {
            tied.add(fromId);
        }
        if (toId != null && !toId.equals(fromId)) {
            tied.add(toId);
        }
        if (fromId != null && toId != null) {
            TaskGraph.Edge edge = new TaskGraph.Edge(fromId, toId);
            edges.add(edge);
            edgeAt.putIfAbsent(edge, at);
        }
    }

    /** A system_generated input has a connection, is a system value by its name, or comes from a data lake. */
    private void checkSystemGenerated(ReadTask task, ReadTask.ReadInput input) {
        if (input.source() != InputSource.SYSTEM_GENERATED || input.fromDataLake() || input.name() == null) {
            return;
        }
        if (task.id() == null || incoming.containsKey(new InputEnd(task.id(), input.name()))) {
            return;
        }
        if (task.repeats() && input.name().startsWith(ExpressionScopes.PREVIOUS)) {
            checkPrevious(task, input, input.name());
            return;
        }
        SystemValue value = SystemValue.named(input.name()).orElse(null);
        if (value == null && input.required()) {
            violations.missing(
                    ViolationCode.NOT_CONNECTED,
                    input.at(),
                    "Connect the required input '%s' of the task '%s' to an output, or choose another source for it."
                            .formatted(PlainJson.shown(input.name()), task.id()));
        }
        if (value != null && input.parameter() != null && !value.fits(input.parameter())) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    input.at().to("type"),
                    "The system value '%s' is of type %s, and the input '%s' of the task '%s' is of type %s."
                            .formatted(value.text(), value.types(), value.text(), task.id(), input.type()),
                    Map.of("from", value.types(), "to", String.valueOf(input.type())));
        }
    }

    /** An input that gets an output of the task's previous iteration. */
    private void checkPrevious(ReadTask task, ReadTask.ReadInput input, String inputName) {
        String name = inputName.substring(ExpressionScopes.PREVIOUS.length());
        ReadTask.ReadOutput output = task.outputs().get(name);
        if (output == null) {
            refuseUnknown(task, "output", name, input.at().to("name"));
        } else if (output.type() != null
                && input.type() != null
                && !output.type().fits(input.type())) {
            violations.invalid(
                    ViolationCode.TYPE_MISMATCH,
                    input.at().to("type"),
                    "The output '%s' of the task '%s' is of type %s, and its input '%s' is of type %s."
                            .formatted(name, task.id(), output.type(), PlainJson.shown(inputName), input.type()),
                    Map.of("from", output.type().name(), "to", input.type().name()));
        }
    }
}
