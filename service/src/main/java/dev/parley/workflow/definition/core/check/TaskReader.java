package dev.parley.workflow.definition.core.check;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.ReadTask;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the tasks of a document. */
final class TaskReader {
    private static final DocumentProperty<String> ID = DocumentProperty.taskId("id");
    private static final DocumentProperty<TaskKind> KIND = DocumentProperty.choice("kind", TaskKind.BY_TEXT);
    private static final DocumentProperty<String> NAME = DocumentProperty.singleLine("name");
    private static final DocumentProperty<String> INSTRUCTIONS =
            DocumentProperty.text("instructions", DefinitionLimits.INSTRUCTIONS);
    private static final DocumentProperty<ErrorPolicy> ERROR_POLICY = DocumentProperty.choice(
                    "error_policy", EnumNames.of(ErrorPolicy.values(), ErrorPolicy::name))
            .optional();
    private static final DocumentProperty<List<?>> INPUTS =
            DocumentProperty.list("input_parameters", SchemaParts.arrayOf("input_parameter"));
    private static final DocumentProperty<List<?>> OUTPUTS =
            DocumentProperty.list("expected_output", SchemaParts.arrayOf("output_parameter"));

    private static final DocumentProperty<List<?>> OPTIONAL_INPUTS = INPUTS.optional();
    private static final DocumentProperty<List<?>> OPTIONAL_OUTPUTS = OUTPUTS.optional();

    /** The properties of the tasks of each kind. */
    static final Map<TaskKind, ObjectShape> TASKS = Arrays.stream(TaskKind.values())
            .collect(Collectors.toMap(kind -> kind, TaskReader::shape, (one, _) -> one, LinkedHashMap::new));

    /** The properties of a task of an unknown kind: those of all kinds. */
    private static final ObjectShape ANY_TASK = new ObjectShape(TASKS.values().stream()
            .flatMap(shape -> shape.properties().stream())
            .toList());

    private static final DocumentProperty<OutputType> OUTPUT_TYPE =
            DocumentProperty.choice("type", EnumNames.of(OutputType.values(), OutputType::name));
    private static final DocumentProperty<String> DESCRIPTION =
            DocumentProperty.text("description", DefinitionLimits.DESCRIPTION);
    static final ObjectShape OUTPUT = ObjectShape.of(NAME.optional(), OUTPUT_TYPE, DESCRIPTION);

    private static final Pattern ID_PATTERN = Pattern.compile(TaskId.PATTERN);

    private final @Nullable KnownReferences known;
    private final ViolationCollector violations;
    private final InputReader inputReader;
    private final Map<String, JsonPointer> ids = new HashMap<>();

    TaskReader(@Nullable KnownReferences known, ViolationCollector violations) {
        this.known = known;
        this.violations = violations;
        this.inputReader = new InputReader(known, violations);
    }

    private static ObjectShape shape(TaskKind kind) {
        List<DocumentProperty<?>> properties = new ArrayList<>(
                List.of(ID, KIND.as(SchemaParts.map("const", kind.text())), NAME, INSTRUCTIONS, ERROR_POLICY));
        properties.addAll(ControlFlowReader.PROPERTIES);
        properties.addAll(kind.ownProperties());
        properties.add(kind.requiresParameters() ? INPUTS : OPTIONAL_INPUTS);
        properties.add(kind.requiresParameters() ? OUTPUTS : OPTIONAL_OUTPUTS);
        return new ObjectShape(properties);
    }

    ReadTask read(ObjectReader task) {
        int before = violations.list().size();
        TaskId id = id(task);
        ObjectReader fields = id == null ? task : task.named("the task '" + id + "'");
        TaskKind kind = fields.read(KIND);
        fields.refuseOthers(kind == null ? ANY_TASK : TASKS.getOrDefault(kind, ANY_TASK));
        String name = fields.read(NAME);
        String instructions = fields.read(INSTRUCTIONS);
        ErrorPolicy errorPolicy = fields.read(ERROR_POLICY);
        boolean required = kind != null && kind.requiresParameters();
        List<ReadTask.ReadInput> inputs = inputs(fields, required ? INPUTS : OPTIONAL_INPUTS);
        List<ReadTask.ReadOutput> outputs = outputs(fields, required ? OUTPUTS : OPTIONAL_OUTPUTS);
        ControlFlow flow = ControlFlowReader.read(fields, inputs);
        Function<TaskBasics, Task> ofKind = kind == null ? null : kind.read(fields, known, flow, inputs, outputs);
        boolean isForEach = fields.has(ControlFlowReader.FOR_EACH.name());
        TaskBasics basics = id == null || (isForEach && flow.forEach() == null)
                ? null
                : basics(id, name, instructions, inputs, outputs, errorPolicy, flow);
        boolean isValid = violations.list().size() == before && name != null && instructions != null;
        Task valid = isValid && basics != null && ofKind != null ? ofKind.apply(basics) : null;
        return new ReadTask(
                fields.at(),
                id,
                ReadTask.byName(inputs),
                ReadTask.byName(outputs),
                isForEach,
                fields.has(ControlFlowReader.REPEAT.name()),
                flow,
                basics,
                valid);
    }

    /** Null if an input or an output has violations. */
    private static @Nullable TaskBasics basics(
            TaskId id,
            @Nullable String name,
            @Nullable String instructions,
            List<ReadTask.ReadInput> inputs,
            List<ReadTask.ReadOutput> outputs,
            @Nullable ErrorPolicy errorPolicy,
            ControlFlow flow) {
        List<InputParameter> in = inputs.stream()
                .map(ReadTask.ReadInput::parameter)
                .filter(Objects::nonNull)
                .toList();
        List<OutputParameter> out = outputs.stream()
                .map(ReadTask.ReadOutput::parameter)
                .filter(Objects::nonNull)
                .toList();
        boolean isValid = in.size() == inputs.size() && out.size() == outputs.size();
        return isValid ? new TaskBasics(id, orEmpty(name), orEmpty(instructions), in, out, errorPolicy, flow) : null;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private @Nullable TaskId id(ObjectReader fields) {
        String id = fields.read(ID);
        if (id == null) {
            return null;
        }
        JsonPointer at = fields.at().to("id");
        if (!ID_PATTERN.matcher(id).matches()) {
            violations.invalid(
                    ViolationCode.INVALID_FORMAT,
                    at,
                    "A task's id has 1 to 64 of the characters a-z, 0-9, _ and -, and this is '" + PlainJson.shown(id)
                            + "'.");
            return null;
        }
        JsonPointer earlier = ids.putIfAbsent(id, at);
        if (earlier != null) {
            violations.invalid(
                    ViolationCode.ALREADY_USED,
                    at,
                    "The id '" + id + "' is taken by another task, at " + earlier + ".",
                    Map.of("value", id, "other", earlier.toString()));
            return null;
        }
        return new TaskId(id);
    }

    private List<ReadTask.ReadInput> inputs(ObjectReader fields, DocumentProperty<List<?>> property) {
        List<ReadTask.ReadInput> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        fields.forEach(property, "the input parameter", element -> {
            ReadTask.ReadInput input = inputReader.read(element, fields.owner());
            inputs.add(input);
            refuseTwice(input.name(), names, input.at(), "input", fields);
        });
        return inputs;
    }

    private List<ReadTask.ReadOutput> outputs(ObjectReader fields, DocumentProperty<List<?>> property) {
        List<ReadTask.ReadOutput> outputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        FileNames fileNames = new FileNames(fields.raw(property.name()));
        fields.forEach(property, "the output parameter", element -> {
            ReadTask.ReadOutput output = output(element, fileNames);
            outputs.add(output);
            refuseTwice(output.name(), names, output.at(), "output", fields);
        });
        return outputs;
    }

    private void refuseTwice(
            @Nullable String name, Set<String> names, JsonPointer at, String what, ObjectReader fields) {
        if (name != null && !names.add(name)) {
            violations.invalid(
                    ViolationCode.ALREADY_USED,
                    at.to("name"),
                    "There is an %s '%s' of %s already.".formatted(what, PlainJson.shown(name), fields.owner()),
                    Map.of("value", PlainJson.shown(name)));
        }
    }

    /** Generates names for a task's unnamed file outputs. */
    private static final class FileNames {
        private final Set<String> given = new HashSet<>();
        private int last;

        FileNames(@Nullable Object outputs) {
            for (Object output : outputs instanceof List<?> list ? list : List.of()) {
                if (output instanceof Map<?, ?> members && members.get("name") instanceof String name) {
                    given.add(name);
                }
            }
        }

        String next() {
            String name;
            do {
                last++;
                name = last == 1 ? "file" : "file_" + last;
            } while (given.contains(name));
            return name;
        }
    }

    private static ReadTask.ReadOutput output(ObjectReader fields, FileNames fileNames) {
        fields.refuseOthers(OUTPUT);
        OutputType type = fields.read(OUTPUT_TYPE);
        boolean nameless = type != null && type.isFile() && !fields.has("name");
        String name = nameless ? fileNames.next() : fields.read(NAME);
        String description = fields.read(DESCRIPTION);
        OutputParameter parameter = name == null || type == null || description == null
                ? null
                : new OutputParameter(name, type, description);
        return new ReadTask.ReadOutput(fields.at(), name, type, parameter);
    }
}
