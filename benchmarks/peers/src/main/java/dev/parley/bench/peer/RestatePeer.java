package dev.parley.bench.peer;

import dev.restate.sdk.HandlerRunner;
import dev.restate.sdk.WorkflowContext;
import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.sdk.http.vertx.RestateHttpServer;
import dev.restate.serde.Serde;
import dev.restate.serde.SerdeFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * A Restate worker with the workflows {@code OneTask} and {@code TenTasks}: one handler that runs each task as a durable
 * side effect, which is the cheapest of Restate's designs for this work.
 */
public final class RestatePeer {
    private RestatePeer() {}

    /** Argument: the port at which the Restate server calls the worker. */
    public static void main(String[] args) {
        var endpoint = Endpoint.bind(workflow("OneTask", 1)).bind(workflow("TenTasks", 10));
        RestateHttpServer.listen(endpoint.build(), Integer.parseInt(args[0]));
    }

    private static ServiceDefinition workflow(String name, int tasks) {
        var onVirtualThreads = HandlerRunner.Options.withExecutor(Executors.newVirtualThreadPerTaskExecutor());
        HandlerRunner<byte[], byte[]> runner = HandlerRunner.<WorkflowContext, byte[], byte[]>of(
                (context, body) -> run(context, body, tasks), SerdeFactory.NOOP, onVirtualThreads);
        HandlerDefinition<byte[], byte[]> handler = HandlerDefinition.of(
                        "run", HandlerType.WORKFLOW, Serde.RAW, Serde.RAW, runner)
                .withAcceptContentType("*/*");
        return ServiceDefinition.of(name, ServiceType.WORKFLOW, List.of(handler));
    }

    private static byte[] run(WorkflowContext context, byte[] body, int tasks) {
        byte[] output = body;
        for (int i = 1; i <= tasks; i++) {
            byte[] input = output;
            output = context.run("step_" + i, Serde.RAW, () -> bytes(TaskChain.runTask(text(input))));
        }
        return bytes(TaskChain.result(context.key(), text(output)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
