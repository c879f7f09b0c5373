package dev.parley.workflow.task.coder;

import dev.parley.http.Checks;
import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import dev.parley.workflow.task.coder.sandbox.Language;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What code must be to be stored. */
final class CodeChecks {
    static final int LONGEST_NAME = 100;
    static final int LONGEST_SOURCE = 256 << 10;
    private static final int LONGEST_DESCRIPTION = 1_000;
    private static final int MOST_PARAMETERS = 100;

    private CodeChecks() {}

    static Language language(@Nullable String text) {
        return Language.of(text)
                .orElseThrow(() -> Problem.invalid(
                        text == null
                                ? Fault.missing("/language")
                                : Fault.invalid("/language", "'/language' must be javascript or python.")));
    }

    static String source(@Nullable String source) {
        var checks = new Checks();
        String text = checks.text(source, "/source", 1, LONGEST_SOURCE);
        checks.done();
        return text;
    }

    static CodeArtifactStore.Draft draft(CodeArtifactResource.New wanted) {
        var checks = new Checks();
        String name = checks.name(wanted.name(), "/name", LONGEST_NAME);
        String source = checks.text(wanted.source(), "/source", 1, LONGEST_SOURCE);
        List<CodeArtifact.Input> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<CodeArtifact.@Nullable Input> givenInputs = listed(wanted.inputs(), "/inputs", checks);
        for (int i = 0; i < givenInputs.size(); i++) {
            CodeArtifact.Input input = givenInputs.get(i);
            if (parameter(
                            checks,
                            "/inputs/" + i,
                            names,
                            input == null ? null : input.name(),
                            input == null ? null : input.type(),
                            input == null ? null : input.description())
                    && input != null) {
                inputs.add(input);
            }
        }
        List<CodeArtifact.Output> outputs = new ArrayList<>();
        names.clear();
        List<CodeArtifact.@Nullable Output> givenOutputs = listed(wanted.outputs(), "/outputs", checks);
        for (int i = 0; i < givenOutputs.size(); i++) {
            CodeArtifact.Output output = givenOutputs.get(i);
            if (parameter(
                            checks,
                            "/outputs/" + i,
                            names,
                            output == null ? null : output.name(),
                            output == null ? null : output.type(),
                            output == null ? null : output.description())
                    && output != null) {
                outputs.add(output);
            }
        }
        checks.done();
        return new CodeArtifactStore.Draft(name, source, List.copyOf(inputs), List.copyOf(outputs));
    }

    private static <T> List<@Nullable T> listed(@Nullable List<@Nullable T> given, String at, Checks checks) {
        if (given == null) {
            return List.of();
        }
        checks.require(
                given.size() <= MOST_PARAMETERS, at, "'" + at + "' has at most " + MOST_PARAMETERS + " entries.");
        return given;
    }

    private static boolean parameter(
            Checks checks,
            String at,
            Set<String> names,
            @Nullable String name,
            @Nullable Enum<?> type,
            @Nullable String description) {
        String given = checks.name(name, at + "/name", LONGEST_NAME);
        checks.require(given.isEmpty() || names.add(given), at + "/name", "The name is taken by another entry.");
        if (type == null) {
            checks.add(Fault.missing(at + "/type"));
        }
        if (description != null) {
            checks.text(description, at + "/description", 0, LONGEST_DESCRIPTION);
        }
        return name != null && type != null;
    }
}
