package dev.parley.workflow.task.coder;

import dev.parley.http.RequestValidator;
import dev.parley.http.json.RawJson;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.check.InputReader;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import dev.parley.workflow.task.coder.sandbox.SandboxRun;
import dev.parley.workflow.task.coder.sandbox.SandboxUnavailable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Runs code with given inputs, in the sandbox and under the rules of a real run, without storing anything. */
@Singleton
final class DryRun {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Sandbox sandbox;

    DryRun(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** The result of a dry run. */
    @Schema(name = "CodeDryRun")
    record ShownValue(
            @Schema(
                    description =
                            "The result of main; null if main failed. Outputs that are not as declared are shown with the error.")
            @Nullable
            RawJson result,

            @Nullable FailedRun error,

            @Schema(description = "The console output, at most 64 KiB.")
            String console,

            @Schema(description = "The time that the code ran, without the start of its interpreter.")
            long durationMs) {}

    /** The error of a failed run. */
    @Schema(name = "CodeError")
    record FailedRun(
            @Schema(examples = "Code error") String error,
            String detail,

            @Schema(description = "The detail without the line")
            String message,

            @Schema(description = "Line of the code; null if unknown.") @Nullable
            Integer line) {}

    ShownValue run(
            OrganizationId organization,
            CodeLanguage language,
            String source,
            List<CodeArtifact.CodeInput> declared,
            List<CodeArtifact.CodeOutput> outputs,
            Map<String, @Nullable Object> inputs) {
        Map<String, @Nullable Object> checked = inputs(declared, inputs);
        SandboxRun ended;
        try {
            ended = sandbox.run(organization, language, source, StrictJson.write(checked), Sandbox.REQUEST_PATIENCE);
        } catch (SandboxUnavailable e) {
            throw ApiProblem.unavailable(e.detail(), RETRY_AFTER);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("This node shuts down.", RETRY_AFTER);
        }
        long took = ended.took().toMillis();
        SandboxRun.RunFailure failure = ended.failure();
        if (failure != null || ended.result() == null) {
            FailedRun failed = failure == null
                    ? new FailedRun("Code error", "The code returned nothing.", "The code returned nothing.", null)
                    : new FailedRun(failure.title(), failure.detail(), failure.message(), failure.line());
            return new ShownValue(null, failed, ended.console(), took);
        }
        CheckedOutputs checkedOutputs =
                CheckedOutputs.of(outputs.isEmpty() ? null : parameters(outputs), ended.result());
        String invalid = checkedOutputs.error();
        return new ShownValue(
                new RawJson(StrictJson.write(checkedOutputs.values())),
                invalid == null ? null : new FailedRun("Invalid output", invalid, invalid, null),
                ended.console(),
                took);
    }

    /** Validated by the value rules if the code declares inputs; unchanged otherwise. */
    private static Map<String, @Nullable Object> inputs(
            List<CodeArtifact.CodeInput> declared, Map<String, @Nullable Object> values) {
        if (declared.isEmpty()) {
            return values;
        }
        Map<String, @Nullable Object> undeclared = new HashMap<>(values);
        Map<String, @Nullable Object> checked = new LinkedHashMap<>();
        List<Violation> violations = new ArrayList<>();
        JsonPointer at = JsonPointer.ROOT.to("inputs");
        for (CodeArtifact.CodeInput input : declared) {
            String name = input.name();
            Object value = undeclared.remove(name);
            if (value != null) {
                ArrayItems items = input.items() == null
                        ? null
                        : InputReader.readItems(input.items(), at.to(name), "the input '" + name + "'", violations);
                checked.put(name, ValueRules.coerce(input.type(), items, List.of(), value, at.to(name), violations));
            } else if (Boolean.FALSE.equals(input.required())) {
                checked.put(name, null);
            } else {
                violations.add(Violation.missing(at.to(name).toString()));
            }
        }
        undeclared
                .keySet()
                .forEach(name -> violations.add(Violation.invalid(
                        ViolationCode.UNKNOWN_FIELD,
                        at.to(name).toString(),
                        "The code declares no input of this name.")));
        new RequestValidator().addAll(violations).done();
        return checked;
    }

    private static List<OutputParameter> parameters(List<CodeArtifact.CodeOutput> declared) {
        return declared.stream()
                .map(output -> new OutputParameter(output.name(), output.type(), ""))
                .toList();
    }
}
