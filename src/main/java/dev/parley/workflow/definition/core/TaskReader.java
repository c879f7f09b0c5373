package dev.parley.workflow.definition.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tasks of a document. */
final class TaskReader {
    static final Map<String, ErrorPolicy> ERROR_POLICIES = EnumNames.of(ErrorPolicy.values(), ErrorPolicy::name);
    static final Map<String, OutputType> OUTPUT_TYPES = EnumNames.of(OutputType.values(), OutputType::name);
    private static final Set<String> OUTPUT_FIELDS = Set.of("name", "type", "description");
    private static final Pattern ID = Pattern.compile(TaskId.PATTERN);

    private final @Nullable KnownReferences known;
    private final ViolationCollector faults;
    private final InputReader inputReader;
    private final Map<String, JsonPointer> ids = new HashMap<>();

    TaskReader(@Nullable KnownReferences known, ViolationCollector faults) {
        this.known = known;
        this.faults = faults;
        this.inputReader = new InputReader(known, faults);
    }

    @Nullable
    ReadTask read(@Nullable Object node, JsonPointer at) {
        int before = faults.list().size();
        ObjectReader fields = ObjectReader.of(node, at, "the task", faults);
        if (fields == null) {
            return null;
        }
        TaskId id = id(fields);
        if (id != null) {
            fields = fields.named("the task '" + id + "'");
        }
        TaskKind kind = fields.choice("kind", TaskKind.WORDS);
        fields.refuseOthers(kind == null ? TaskKind::anyHas : kind::has);
        String name = fields.name("name");
        String instructions = fields.text("instructions", DefinitionLimits.INSTRUCTIONS);
        ErrorPolicy errorPolicy = fields.optionalChoice("error_policy", ERROR_POLICIES);
        boolean required = kind != null && kind.parametersRequired();
        List<ReadTask.ReadInput> inputs = inputs(fields, required);
        List<ReadTask.ReadOutput> outputs = outputs(fields, required);
        KindSpecificFields own = own(fields, kind);
        Integer due = kind == TaskKind.HUMAN
                ? fields.optionalInteger(TaskKind.DUE_IN_MINUTES, 1, DefinitionLimits.DUE_IN_MINUTES)
                : null;
        Task task = null;
        if (faults.list().size() == before && id != null && kind != null && name != null && instructions != null) {
            List<InputParameter> in = inputs.stream()
                    .map(ReadTask.ReadInput::parameter)
                    .map(Objects::requireNonNull)
                    .toList();
            List<OutputParameter> out = outputs.stream()
                    .map(ReadTask.ReadOutput::parameter)
                    .map(Objects::requireNonNull)
                    .toList();
            task = switch (kind) {
                case AI -> new AiTask(id, name, instructions, in, out, errorPolicy, own.tools);
                case HUMAN -> new HumanTask(id, name, instructions, in, out, errorPolicy, due);
                case APP ->
                    new AppTask(id, name, instructions, in, out, errorPolicy, own.provider, own.toolName, own.id);
                case CODER -> new CoderTask(id, name, instructions, in, out, errorPolicy, own.id);
            };
        }
        return new ReadTask(at, id, ReadTask.inputsByName(inputs), ReadTask.outputsByName(outputs), task);
    }

    private @Nullable TaskId id(ObjectReader fields) {
        String id = fields.text("id", DefinitionLimits.NAME);
        if (id == null) {
            return null;
        }
        JsonPointer at = fields.at().to("id");
        if (!ID.matcher(id).matches()) {
            faults.invalid(
                    at,
                    "A task's id has 1 to 64 of the characters a-z, 0-9, _ and -, and this is '" + ValueRules.shown(id)
                            + "'.");
            return null;
        }
        JsonPointer earlier = ids.putIfAbsent(id, at);
        if (earlier != null) {
            faults.invalid(at, "The id '" + id + "' is taken by another task, at " + earlier + ".");
            return null;
        }
        return new TaskId(id);
    }

    private List<ReadTask.ReadInput> inputs(ObjectReader fields, boolean required) {
        List<?> nodes = required ? fields.list("input_parameters") : fields.optionalList("input_parameters");
        List<ReadTask.ReadInput> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; nodes != null && i < nodes.size(); i++) {
            JsonPointer at = fields.at().to("input_parameters").to(i);
            ReadTask.ReadInput input = inputReader.read(nodes.get(i), at, fields.owner());
            if (input != null) {
                inputs.add(input);
                refuseTwice(input.name(), names, at, "input", fields);
            }
        }
        return inputs;
    }

    private List<ReadTask.ReadOutput> outputs(ObjectReader fields, boolean required) {
        List<?> nodes = required ? fields.list("expected_output") : fields.optionalList("expected_output");
        List<ReadTask.ReadOutput> outputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        FileNames fileNames = new FileNames(nodes == null ? List.of() : nodes);
        for (int i = 0; nodes != null && i < nodes.size(); i++) {
            JsonPointer at = fields.at().to("expected_output").to(i);
            ReadTask.ReadOutput output =
                    output(ObjectReader.of(nodes.get(i), at, "the output parameter", faults), fileNames);
            if (output != null) {
                outputs.add(output);
                refuseTwice(output.name(), names, at, "output", fields);
            }
        }
        return outputs;
    }

    private void refuseTwice(
            @Nullable String name, Set<String> names, JsonPointer at, String what, ObjectReader fields) {
        if (name != null && !names.add(name)) {
            faults.invalid(
                    at.to("name"),
                    "There is an %s '%s' of %s already.".formatted(what, ValueRules.shown(name), fields.owner()));
        }
    }

    /** Generates names for a task's unnamed file outputs. */
    private static final class FileNames {
        private final Set<String> given = new HashSet<>();
        private int last;

        FileNames(List<?> outputs) {
            for (Object output : outputs) {
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

    private static ReadTask.@Nullable ReadOutput output(@Nullable ObjectReader fields, FileNames fileNames) {
        if (fields == null) {
            return null;
        }
        fields.refuseOthers(OUTPUT_FIELDS::contains);
        OutputType type = fields.choice("type", OUTPUT_TYPES);
        boolean nameless = type != null && type.isFile() && !fields.has("name");
        String name = nameless ? fileNames.next() : fields.name("name");
        String description = fields.text("description", DefinitionLimits.DESCRIPTION);
        OutputParameter parameter = name == null || type == null || description == null
                ? null
                : new OutputParameter(name, type, description);
        return new ReadTask.ReadOutput(fields.at(), name, type, parameter);
    }

    /** The fields that only one kind of task has; blank or zero if invalid or absent. */
    private record KindSpecificFields(String provider, String toolName, int id, List<Integer> tools) {
        static final KindSpecificFields NONE = new KindSpecificFields("", "", 0, List.of());
    }

    private KindSpecificFields own(ObjectReader fields, @Nullable TaskKind kind) {
        return switch (kind) {
            case null -> KindSpecificFields.NONE;
            case HUMAN -> KindSpecificFields.NONE;
            case AI -> new KindSpecificFields("", "", 0, tools(fields));
            case APP -> tool(fields);
            case CODER -> codeArtifact(fields);
        };
    }

    /** The tools that a model may call. */
    private List<Integer> tools(ObjectReader fields) {
        List<?> nodes = fields.optionalList("tools");
        JsonPointer at = fields.at().to("tools");
        if (nodes.size() > DefinitionLimits.TOOLS) {
            faults.invalid(at, "A task may list at most " + DefinitionLimits.TOOLS + " tools.");
            return List.of();
        }
        Map<Integer, KnownReferences.KnownTool> existing = known == null ? null : known.tools();
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (!(nodes.get(i) instanceof Integer id) || id < 1) {
                faults.invalid(at.to(i), "A tool is named by its id, an integer from 1 to " + Integer.MAX_VALUE + ".");
            } else if (ids.contains(id)) {
                faults.invalid(at.to(i), "The tool with the id " + id + " is listed already.");
            } else {
                ids.add(id);
                if (existing != null && !existing.containsKey(id)) {
                    faults.missing(at.to(i), "There is no tool with the id " + id + " in the organization.");
                }
            }
        }
        return ids;
    }

    private KindSpecificFields tool(ObjectReader fields) {
        String provider = fields.text("provider", DefinitionLimits.NAME);
        String toolName = fields.text("tool_name", DefinitionLimits.NAME);
        Integer id = fields.id("tool_id");
        if (provider == null || toolName == null || id == null) {
            return KindSpecificFields.NONE;
        }
        Map<Integer, KnownReferences.KnownTool> tools = known == null ? null : known.tools();
        if (tools != null) {
            KnownReferences.KnownTool tool = tools.get(id);
            if (tool == null) {
                faults.missing(
                        fields.at().to("tool_id"), "There is no tool with the id " + id + " in the organization.");
            } else if (!tool.equals(new KnownReferences.KnownTool(provider, toolName))) {
                faults.missing(
                        fields.at().to("tool_id"),
                        "The tool with the id %d is '%s' of the provider '%s', not '%s' of '%s'."
                                .formatted(
                                        id,
                                        tool.name(),
                                        tool.provider(),
                                        ValueRules.shown(toolName),
                                        ValueRules.shown(provider)));
            }
        }
        return new KindSpecificFields(provider, toolName, id, List.of());
    }

    private KindSpecificFields codeArtifact(ObjectReader fields) {
        Integer id = fields.id("code_artifact_id");
        if (id == null) {
            return KindSpecificFields.NONE;
        }
        Set<Integer> artifacts = known == null ? null : known.codeArtifacts();
        if (artifacts != null && !artifacts.contains(id)) {
            faults.missing(
                    fields.at().to("code_artifact_id"),
                    "There is no code artifact with the id " + id + " in the organization.");
        }
        return new KindSpecificFields("", "", id, List.of());
    }
}
