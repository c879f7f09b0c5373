package dev.parley.workflow.task.coder;

import dev.parley.http.Checks;
import dev.parley.http.RawJson;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.Pointer;
import dev.parley.workflow.definition.core.Values;
import dev.parley.workflow.task.coder.sandbox.Language;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import dev.parley.workflow.task.coder.sandbox.SandboxRun;
import dev.parley.workflow.task.coder.sandbox.SandboxUnavailable;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Tries code out with given inputs, in the sandbox and by the rules of a real run, and stores nothing. */
@Singleton
final class DryRun {
    private static final Duration LATER = Duration.ofSeconds(5);

    private final Sandbox sandbox;

    DryRun(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** What a dry run shows. */
    @Schema(name = "CodeDryRun")
    record Shown(
            @Schema(description = "What main returned; null when it failed.") @Nullable
            RawJson result,

            @Nullable Failed error,

            @Schema(description = "What the code wrote to its console, at most 64 KiB.")
            String console,

            long durationMs) {}

    /** Why there is no result. */
    @Schema(name = "CodeError")
    record Failed(
            @Schema(examples = "Code error") String error,
            String detail,

            @Schema(description = "Of the code; null where it is not known.") @Nullable
            Integer line) {}

    Shown run(
            OrganizationId organization,
            Language language,
            String source,
            List<CodeArtifact.Input> declared,
            List<CodeArtifact.Output> outputs,
            Map<String, @Nullable Object> inputs) {
        Map<String, @Nullable Object> checked = inputs(declared, inputs);
        long begun = System.nanoTime();
        SandboxRun ended;
        try {
            ended = sandbox.run(organization, language, source, StrictJson.write(checked));
        } catch (SandboxUnavailable e) {
            throw Problem.unavailable(e.sentence(), LATER);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw Problem.unavailable("The service is about to stop.", LATER);
        }
        long took = (System.nanoTime() - begun) / 1_000_000;
        SandboxRun.Failure failure = ended.failure();
        if (failure != null || ended.result() == null) {
            Failed failed = failure == null
                    ? new Failed("Code error", "The code returned nothing.", null)
                    : new Failed(failure.title(), failure.sentence(), failure.line());
            return new Shown(null, failed, ended.console(), took);
        }
        return shown(outputs, ended.result(), ended.console(), took);
    }

    private static Shown shown(List<CodeArtifact.Output> declared, String result, String console, long took) {
        List<Fault> faults = new ArrayList<>();
        try {
            Map<String, Object> made = StrictJson.readObject(result);
            Map<String, @Nullable Object> values = declared.isEmpty()
                    ? new LinkedHashMap<>(made)
                    : Values.outputs(parameters(declared), made, Pointer.ROOT, faults);
            if (faults.isEmpty()) {
                return new Shown(new RawJson(StrictJson.write(values)), null, console, took);
            }
        } catch (UncheckedIOException _) {
            faults.add(Fault.invalid("", "What 'main' returned is nested too deep or has odd numbers."));
        }
        Fault first = faults.getFirst();
        return new Shown(
                null,
                new Failed("Invalid output", "Output '" + first.field() + "': " + first.detail(), null),
                console,
                took);
    }

    /** Checked by the value rules where the code declares inputs, as they are where it declares none. */
    private static Map<String, @Nullable Object> inputs(
            List<CodeArtifact.Input> declared, Map<String, @Nullable Object> given) {
        if (declared.isEmpty()) {
            return given;
        }
        Map<String, @Nullable Object> left = new HashMap<>(given);
        Map<String, @Nullable Object> checked = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        Pointer at = Pointer.ROOT.to("inputs");
        for (CodeArtifact.Input input : declared) {
            String name = Objects.requireNonNull(input.name());
            Object value = left.remove(name);
            if (value != null) {
                checked.put(
                        name,
                        Values.coerce(
                                Objects.requireNonNull(input.type()), null, List.of(), value, at.to(name), faults));
            } else if (Boolean.FALSE.equals(input.required())) {
                checked.put(name, null);
            } else {
                faults.add(Fault.missing(at.to(name).toString()));
            }
        }
        left.keySet()
                .forEach(name ->
                        faults.add(Fault.invalid(at.to(name).toString(), "The code declares no input of this name.")));
        new Checks().addAll(faults).done();
        return checked;
    }

    private static List<OutputParameter> parameters(List<CodeArtifact.Output> declared) {
        return declared.stream()
                .map(one ->
                        new OutputParameter(Objects.requireNonNull(one.name()), Objects.requireNonNull(one.type()), ""))
                .toList();
    }
}
