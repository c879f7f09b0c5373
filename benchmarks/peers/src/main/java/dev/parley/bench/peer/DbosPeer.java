package dev.parley.bench.peer;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/** A DBOS Transact application: {@code POST /1} and {@code POST /10} run a workflow of so many steps to its end. */
public final class DbosPeer {
    /** DBOS runs workflows through a proxy of an interface. */
    public interface TaskWorkflow {
        String run(String text, int tasks);
    }

    private static final class StepWorkflow implements TaskWorkflow {
        private final DBOS dbos;

        StepWorkflow(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "tasks")
        public String run(String text, int tasks) {
            String output = text;
            for (int i = 1; i <= tasks; i++) {
                String input = output;
                output = dbos.runStep(() -> TaskChain.runTask(input), "step_" + i);
            }
            return TaskChain.result(DBOS.workflowId(), output);
        }
    }

    private DbosPeer() {}

    /** Arguments: port, JDBC URL, database user, database password. */
    public static void main(String[] args) {
        var dbos = new DBOS(DBOSConfig.defaults("parley-bench")
                .withDatabaseUrl(args[1])
                .withDbUser(args[2])
                .withDbPassword(args[3]));
        TaskWorkflow workflow = dbos.registerProxy(TaskWorkflow.class, new StepWorkflow(dbos));
        dbos.launch();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
        vertx.createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
                .requestHandler(request -> answer(vertx, request, workflow))
                .listen(Integer.parseInt(args[0]), "127.0.0.1")
                .onFailure(failure -> {
                    System.err.println("The DBOS peer cannot listen: " + failure);
                    System.exit(1);
                });
    }

    private static void answer(Vertx vertx, HttpServerRequest request, TaskWorkflow workflow) {
        int tasks = Integer.parseInt(request.path().substring(1));
        Context eventLoop = vertx.getOrCreateContext();
        request.body()
                .onSuccess(body -> Thread.startVirtualThread(() -> {
                    try {
                        String result = workflow.run(body.toString(), tasks);
                        eventLoop.runOnContext(_ -> request.response()
                                .putHeader("Content-Type", "application/json")
                                .end(result));
                    } catch (RuntimeException e) {
                        eventLoop.runOnContext(
                                _ -> request.response().setStatusCode(500).end(e.toString()));
                    }
                }));
    }
}
