package dev.parley.workflow.task.coder;

import dev.parley.http.RequestValidator;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.check.InputReader;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.task.coder.CodeArtifact.CodeInput;
import dev.parley.workflow.task.coder.CodeArtifact.CodeOutput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks of the inputs and outputs that code declares, beyond their constraints. */
final class CodeChecks {
    private CodeChecks() {}

    static void inputs(@Nullable List<CodeInput> declared, RequestValidator validator) {
        List<CodeInput> inputs = declared == null ? List.of() : declared;
        names(inputs, CodeInput::name, "/inputs/", validator);
        for (int i = 0; i < inputs.size(); i++) {
            CodeInput input = inputs.get(i);
            if (input != null && input.items() != null) {
                JsonPointer at = JsonPointer.ROOT.to("inputs").to(i).to("items");
                List<Violation> violations = new ArrayList<>();
                InputReader.readItems(input.items(), at, "the input '" + input.name() + "'", violations);
                validator.addAll(
                        input.type() == ValueType.ARRAY
                                ? violations
                                : List.of(Violation.invalid(
                                        ViolationCode.NOT_ALLOWED, at.toString(), "Only an ARRAY has items.")));
            }
        }
    }

    static void outputs(@Nullable List<CodeOutput> declared, RequestValidator validator) {
        names(declared == null ? List.of() : declared, CodeOutput::name, "/outputs/", validator);
    }

    private static <T> void names(
            List<T> declared, Function<T, @Nullable String> name, String path, RequestValidator validator) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < declared.size(); i++) {
            String given = declared.get(i) == null ? null : name.apply(declared.get(i));
            validator.require(
                    given == null || names.add(given),
                    ViolationCode.ALREADY_USED,
                    path + i + "/name",
                    "Another entry has this name.");
        }
    }
}
