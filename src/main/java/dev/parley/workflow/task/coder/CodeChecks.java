package dev.parley.workflow.task.coder;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates code before it is stored. */
final class CodeChecks {
    static final int MAX_NAME_LENGTH = 100;
    static final int MAX_SOURCE_LENGTH = 256 << 10;
    private static final int MAX_DESCRIPTION_LENGTH = 1_000;
    private static final int MAX_PARAMETERS = 100;

    private CodeChecks() {}

    static CodeLanguage language(@Nullable String text) {
        return CodeLanguage.of(text)
                .orElseThrow(() -> ApiProblem.invalid(
                        text == null
                                ? Violation.missing("/language")
                                : Violation.invalid("/language", "'/language' must be javascript or python.")));
    }

    static String source(@Nullable String source) {
        var checks = new RequestValidator();
        String text = checks.text(source, "/source", 1, MAX_SOURCE_LENGTH);
        checks.done();
        return text;
    }

    static CodeArtifactStore.ArtifactDraft draft(CodeArtifactResource.NewArtifact artifact) {
        var checks = new RequestValidator();
        String name = checks.name(artifact.name(), "/name", MAX_NAME_LENGTH);
        String source = checks.text(artifact.source(), "/source", 1, MAX_SOURCE_LENGTH);
        List<CodeArtifact.CodeInput> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<CodeArtifact.@Nullable CodeInput> givenInputs = listed(artifact.inputs(), "/inputs", checks);
        for (int i = 0; i < givenInputs.size(); i++) {
            CodeArtifact.CodeInput input = givenInputs.get(i);
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
        List<CodeArtifact.CodeOutput> outputs = new ArrayList<>();
        names.clear();
        List<CodeArtifact.@Nullable CodeOutput> givenOutputs = listed(artifact.outputs(), "/outputs", checks);
        for (int i = 0; i < givenOutputs.size(); i++) {
            CodeArtifact.CodeOutput output = givenOutputs.get(i);
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
        return new CodeArtifactStore.ArtifactDraft(name, source, List.copyOf(inputs), List.copyOf(outputs));
    }

    private static <T> List<@Nullable T> listed(@Nullable List<@Nullable T> given, String at, RequestValidator checks) {
        if (given == null) {
            return List.of();
        }
        checks.require(given.size() <= MAX_PARAMETERS, at, "'" + at + "' has at most " + MAX_PARAMETERS + " entries.");
        return given;
    }

    private static boolean parameter(
            RequestValidator checks,
            String at,
            Set<String> names,
            @Nullable String name,
            @Nullable Enum<?> type,
            @Nullable String description) {
        String given = checks.name(name, at + "/name", MAX_NAME_LENGTH);
        checks.require(given.isEmpty() || names.add(given), at + "/name", "Another entry has this name.");
        if (type == null) {
            checks.add(Violation.missing(at + "/type"));
        }
        if (description != null) {
            checks.text(description, at + "/description", 0, MAX_DESCRIPTION_LENGTH);
        }
        return name != null && type != null;
    }
}
