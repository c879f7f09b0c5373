package dev.parley.workflow.task.coder;

import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.definition.core.CoderTask;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import dev.parley.workflow.task.coder.sandbox.SandboxRun;
import dev.parley.workflow.task.coder.sandbox.SandboxUnavailable;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;

/**
 * Runs Coder tasks: an artifact's code gets the inputs and returns the outputs. Code that failed would fail again, so
 * only an unavailable sandbox is retried.
 */
@Singleton
public final class CoderExecutor implements TaskExecutor {
    private final CodeArtifacts artifacts;
    private final ConsoleStore consoles;
    private final Sandbox sandbox;
    private final Clock clock;

    public CoderExecutor(CodeArtifacts artifacts, Database database, Sandbox sandbox, Clock clock) {
        this.artifacts = artifacts;
        this.consoles = database.statements(ConsoleStore.class);
        this.sandbox = sandbox;
        this.clock = clock;
    }

    @Override
    public TaskKind kind() {
        return TaskKind.CODER;
    }

    /** The sandbox itself stops the code. */
    @Override
    public Duration limit() {
        return sandbox.limits().patience().plusSeconds(60);
    }

    @Override
    public TaskResult run(TaskRun run) throws TaskFailure, InterruptedException {
        CoderTask task = (CoderTask) run.task();
        CodeArtifacts.Code code = artifacts
                .codeFor(run.organization(), run.workflow(), run.workflowVersion(), task.codeArtifactId())
                .orElseThrow(() -> TaskFailure.permanent(
                        "Missing code",
                        "There is no code artifact with the id " + task.codeArtifactId() + " in the organization."));
        SandboxRun ended;
        try {
            ended = sandbox.run(run.organization(), code.language(), code.source(), StrictJson.write(run.inputs()));
        } catch (SandboxUnavailable e) {
            throw TaskFailure.of("Unavailable", e.detail(), true, null, e);
        }
        if (!ended.console().isEmpty()) {
            consoles.store(
                    run.organization(),
                    run.instance(),
                    task.id().value(),
                    run.attempt(),
                    ended.console(),
                    clock.instant());
        }
        SandboxRun.RunFailure error = ended.failure();
        String result = ended.result();
        if (error != null || result == null) {
            throw error == null
                    ? TaskFailure.permanent("Code error", "The code returned nothing.")
                    : TaskFailure.permanent(error.title(), error.detail());
        }
        CheckedOutputs outputs = CheckedOutputs.of(task.expectedOutput(), result);
        if (outputs.error() != null) {
            throw TaskFailure.permanent("Invalid output", outputs.error());
        }
        return new TaskResult(outputs.values());
    }
}
