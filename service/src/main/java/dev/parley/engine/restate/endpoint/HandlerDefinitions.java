package dev.parley.engine.restate.endpoint;

import dev.restate.sdk.Context;
import dev.restate.sdk.HandlerRunner;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.InvocationRetryPolicy;
import dev.restate.serde.Serde;
import dev.restate.serde.SerdeFactory;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Creates handlers that take and return bytes, each run on a virtual thread. */
public final class HandlerDefinitions {
    private static final Executor VIRTUAL_THREADS = Executors.newVirtualThreadPerTaskExecutor();

    /** Without an end: a handler that Restate gives up would leave its instance unfinished for ever. */
    private static final InvocationRetryPolicy.Builder RETRIES = InvocationRetryPolicy.builder()
            .initialInterval(Duration.ofMillis(100))
            .exponentiationFactor(2.0)
            .maxInterval(Duration.ofSeconds(10))
            .maxAttempts(Integer.MAX_VALUE);

    private HandlerDefinitions() {}

    /** The code of a handler. */
    public @FunctionalInterface interface HandlerBody<C extends Context> {
        byte[] run(C ctx, byte[] in);
    }

    /** The journal of a handler that has ended is not kept: the instance's history is in PostgreSQL. */
    public static <C extends Context> HandlerDefinition<byte[], byte[]> of(
            String name, HandlerType type, HandlerBody<C> body) {
        HandlerRunner<byte[], byte[]> runner = HandlerRunner.of(
                (C ctx, byte[] in) -> body.run(ctx, in),
                SerdeFactory.NOOP,
                HandlerRunner.Options.withExecutor(VIRTUAL_THREADS));
        return HandlerDefinition.of(name, type, Serde.RAW, Serde.RAW, runner)
                .configure(handler -> handler.journalRetention(Duration.ZERO).invocationRetryPolicy(RETRIES));
    }
}
