package dev.parley.workflow.task.coder;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.ArrayItems;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.ValueType;
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
        var validator = new RequestValidator();
        String text = validator.text(source, "/source", 1, MAX_SOURCE_LENGTH);
        validator.done();
        return text;
    }

    static CodeArtifactStore.ArtifactDraft draft(CodeArtifactResource.NewArtifact artifact) {
        var validator = new RequestValidator();
        String name = validator.name(artifact.name(), "/name", MAX_NAME_LENGTH);
        String source = validator.text(artifact.source(), "/source", 1, MAX_SOURCE_LENGTH);
        List<CodeArtifact.CodeInput> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<CodeArtifact.@Nullable CodeInput> givenInputs = listed(artifact.inputs(), "/inputs", validator);
        for (int i = 0; i < givenInputs.size(); i++) {
            CodeArtifact.CodeInput input = givenInputs.get(i);
            if (parameter(
                            validator,
                            "/inputs/" + i,
                            names,
                            input == null ? null : input.name(),
                            input == null ? null : input.type(),
                            input == null ? null : input.description())
                    && input != null
                    && hasValidItems(input, JsonPointer.ROOT.to("inputs").to(i).to("items"), validator)) {
                inputs.add(input);
            }
        }
        List<CodeArtifact.CodeOutput> outputs = outputs(artifact.outputs(), validator);
        validator.done();
        return new CodeArtifactStore.ArtifactDraft(name, source, List.copyOf(inputs), outputs);
    }

    static List<CodeArtifact.CodeOutput> outputs(@Nullable List<CodeArtifact.@Nullable CodeOutput> given) {
        var validator = new RequestValidator();
        List<CodeArtifact.CodeOutput> outputs = outputs(given, validator);
        validator.done();
        return outputs;
    }

    private static List<CodeArtifact.CodeOutput> outputs(
            @Nullable List<CodeArtifact.@Nullable CodeOutput> given, RequestValidator validator) {
        List<CodeArtifact.CodeOutput> outputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<CodeArtifact.@Nullable CodeOutput> givenOutputs = listed(given, "/outputs", validator);
        for (int i = 0; i < givenOutputs.size(); i++) {
            CodeArtifact.CodeOutput output = givenOutputs.get(i);
            if (parameter(
                            validator,
                            "/outputs/" + i,
                            names,
                            output == null ? null : output.name(),
                            output == null ? null : output.type(),
                            output == null ? null : output.description())
                    && output != null) {
                outputs.add(output);
            }
        }
        return List.copyOf(outputs);
    }

    private static boolean hasValidItems(CodeArtifact.CodeInput input, JsonPointer at, RequestValidator validator) {
        if (input.items() == null) {
            return true;
        }
        List<Violation> violations = new ArrayList<>();
        if (input.type() == ValueType.ARRAY) {
            ArrayItems.read(input.items(), at, "the input '" + input.name() + "'", violations);
        } else {
            violations.add(Violation.invalid(at.toString(), "Only an ARRAY has items."));
        }
        validator.addAll(violations);
        return violations.isEmpty();
    }

    private static <T> List<@Nullable T> listed(
            @Nullable List<@Nullable T> given, String at, RequestValidator validator) {
        if (given == null) {
            return List.of();
        }
        validator.require(
                given.size() <= MAX_PARAMETERS, at, "'" + at + "' has at most " + MAX_PARAMETERS + " entries.");
        return given;
    }

    private static boolean parameter(
            RequestValidator validator,
            String at,
            Set<String> names,
            @Nullable String name,
            @Nullable Enum<?> type,
            @Nullable String description) {
        String given = validator.name(name, at + "/name", MAX_NAME_LENGTH);
        validator.require(given.isEmpty() || names.add(given), at + "/name", "Another entry has this name.");
        if (type == null) {
            validator.add(Violation.missing(at + "/type"));
        }
        if (description != null) {
            validator.text(description, at + "/description", 0, MAX_DESCRIPTION_LENGTH);
        }
        return name != null && type != null;
    }
}
