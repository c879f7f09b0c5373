package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.engine.restate.endpoint.HandlerDefinitions;
import dev.restate.sdk.Context;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.serde.Serde;
import java.time.Duration;
import java.util.List;

/**
 * Executes tasks: one message starts an attempt, whose report is a message to its instance. An attempt whose node died
 * is executed again, with the same idempotency key.
 */
final class TaskService {
    static final String NAME = "ParleyTask";
    static final String RUN = "run";

    /** Longer than any time limit of a task, within which the handler sends nothing. */
    private static final Duration MAX_EXECUTION = Duration.ofHours(25);

    private final NodeTasks tasks;

    TaskService(NodeTasks tasks) {
        this.tasks = tasks;
    }

    ServiceDefinition definition() {
        return ServiceDefinition.of(
                NAME,
                ServiceType.SERVICE,
                List.of(HandlerDefinitions.<Context>of(RUN, HandlerType.SHARED, this::run)
                        .configure(handler -> handler.ingressPrivate(true)
                                .inactivityTimeout(MAX_EXECUTION)
                                .abortTimeout(MAX_EXECUTION))));
    }

    private byte[] run(Context ctx, byte[] in) {
        TaskMessage message = EngineMessages.read(TaskMessage.class, in);
        byte[] report = ctx.run("task", Serde.RAW, () -> tasks.execute(message));
        if (report.length > 0) {
            var _ = ctx.send(InstanceObject.report(message.instance(), report));
        }
        return EngineMessages.NOTHING;
    }
}
