package dev.parley.engine.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.FreePort;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.egress.EgressRules;
import dev.parley.engine.restate.projection.InstanceProjection;
import dev.parley.engine.restate.projection.RestateServices;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.EngineContract;
import dev.parley.workflow.instance.store.InstanceChange;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine contract for the engine on Restate. Two nodes have one address, as behind a balancer: the first one has
 * it until it crashes, then the other one takes it.
 */
@Tag("all")
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class RestateEngineTest extends EngineContract {
    private static final int ENDPOINT_PORT = FreePort.next();
    private static TestRestate server;

    private RestateEngine engine;
    private RestateEngine otherEngine;

    @BeforeEach
    void startNodes() {
        if (server == null) {
            server = TestRestate.start();
        }
        engine = node(ENDPOINT_PORT, Transition::apply);
        otherEngine = node(ENDPOINT_PORT, Transition::apply);
        engine.startWork();
    }

    @Test
    void requestsThatRestateDidNotSignAreRefused() throws IOException {
        var connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + ENDPOINT_PORT + "/discover")
                .toURL()
                .openConnection();
        assertThat(connection.getResponseCode()).isEqualTo(401);
    }

    @Test
    void whileRestateIsAwayRequestsAreRefusedAndAfterwardsNothingIsLost() {
        WorkflowId workflow = twoTasks();
        long before = executions();
        List<WorkflowInstanceId> started = IntStream.range(0, 8)
                .mapToObj(_ -> start(WorkflowInstanceId.next(), workflow, "offline:wait 300", null)
                        .join()
                        .instance()
                        .header()
                        .id())
                .toList();
        WorkflowInstanceId last = started.getLast();
        Tenant.eventually(
                () -> found(engine, last).state().task(THINK).status(), status -> status == TaskStatus.RUNNING);
        server.kill();
        WorkflowInstanceId refused = WorkflowInstanceId.next();
        assertAway(start(refused, workflow, "Hello", null));
        assertAway(engine.apply(tenant.organization(), last, new InstanceEvent.CancelRequested("user:x"), null));
        assertThat(engine.find(tenant.organization(), last)).isPresent();
        server.restart();
        started.forEach(id -> awaitStatus(engine, id, InstanceStatus.COMPLETED));
        started.forEach(this::assertGaplessLog);
        assertThat(engine.find(tenant.organization(), refused)).isEmpty();
        assertThat(executions() - before)
                .as("the tasks in flight were executed again, no others")
                .isBetween(16L, 24L);
    }

    private static void assertAway(CompletableFuture<?> request) {
        assertThatThrownBy(request::join).cause().isInstanceOfSatisfying(ApiProblem.class, problem -> {
            assertThat(problem.kind()).isEqualTo(ProblemKind.UNAVAILABLE);
            assertThat(problem.detail()).startsWith("The workflow engine cannot be reached");
        });
    }

    /** Two tasks that each do what the message says. */
    private WorkflowId twoTasks() {
        return Workflows.of(tenant)
                .ai("first")
                .task(
                        "think",
                        Map.of(
                                "kind",
                                "AI",
                                "input_parameters",
                                List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output",
                                List.of(Workflows.output("result", "STRING"))))
                .after("first", "think")
                .publish();
    }

    /** The number of attempts that were executed to their end, also if their result was lost. */
    private static long executions() {
        return Metrics.globalRegistry.find("parley.task.runs").tag("outcome", "succeeded").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void aChangedRuleBreaksNoRunningInstance() {
        WorkflowInstanceId executing = start(WorkflowInstanceId.next(), twoTasks(), "offline:wait 800", null)
                .join()
                .instance()
                .header()
                .id();
        WorkflowInstanceId waiting = start(
                        WorkflowInstanceId.next(),
                        Workflows.of(tenant).human("approve").publish(),
                        "Hello",
                        null)
                .join()
                .instance()
                .header()
                .id();
        Tenant.eventually(
                () -> found(engine, executing).state().task(THINK).status(), status -> status == TaskStatus.RUNNING);
        engine.stopWork();
        Instant later = Instant.now().plusSeconds(3_600);
        RestateEngine changed =
                node(ENDPOINT_PORT, (state, event, at) -> Transition.apply(state, event, at.plusSeconds(3_600)));
        changed.startWork();
        try {
            awaitStatus(changed, waiting, InstanceStatus.PAUSED);
            apply(
                    changed,
                    waiting,
                    new InstanceEvent.TicketCompleted(new TaskId("approve"), 1, Map.of("approved", true), "user:x"));
            for (WorkflowInstanceId id : List.of(executing, waiting)) {
                awaitStatus(changed, id, InstanceStatus.COMPLETED);
                assertThat(found(changed, id).state().updatedAt())
                        .as("the time of the other rule")
                        .isAfter(later.minusSeconds(1));
                assertGaplessLog(id);
            }
        } finally {
            changed.stopWork();
        }
    }

    @Test
    void aNewAddressOfTheEndpointTakesOverTheTasksOfTheOldOne() {
        WorkflowInstanceId id = start(WorkflowInstanceId.next(), twoTasks(), "offline:wait 1500", null)
                .join()
                .instance()
                .header()
                .id();
        Tenant.eventually(() -> found(engine, id).state().task(THINK).status(), status -> status == TaskStatus.RUNNING);
        RestateEngine moved = node(FreePort.next(), Transition::apply);
        moved.startWork();
        try {
            engine.stopWork();
            awaitStatus(moved, id, InstanceStatus.COMPLETED);
            assertThat(found(moved, id).state().task(THINK).attempt()).isEqualTo(1);
            assertGaplessLog(id);
        } finally {
            moved.stopWork();
        }
    }

    @Test
    void anInstanceThatRestateHasLostCanOnlyBeEnded() {
        WorkflowId workflow = Workflows.of(tenant)
                .human("approve")
                .ai("think")
                .after("approve", "think")
                .publish();
        InstanceChange lost = InstanceProjectionTest.started(tenant, workflow, null);
        Tenant.bean(InstanceProjection.class).write(List.of(lost));
        WorkflowInstanceId id = lost.header().id();
        var answer = new InstanceEvent.TicketCompleted(new TaskId("approve"), 1, Map.of("approved", true), "user:x");
        assertThatThrownBy(() ->
                        engine.apply(tenant.organization(), id, answer, null).join())
                .cause()
                .hasMessageContaining("The workflow engine does not know the instance");
        apply(engine, id, new InstanceEvent.Terminated("Lost", "user:x"));
        awaitStatus(engine, id, InstanceStatus.TERMINATED);
    }

    @Test
    void taskDelaysNoRequestAndRunsOnce() {
        long before = executions();
        WorkflowInstanceId id = start(WorkflowInstanceId.next(), twoTasks(), "offline:wait 1500", null)
                .join()
                .instance()
                .header()
                .id();
        apply(engine, id, new InstanceEvent.PauseRequested("user:x"));
        assertThat(executions()).as("the first task goes on").isEqualTo(before);
        apply(engine, id, new InstanceEvent.ResumeRequested("user:x"));
        awaitStatus(engine, id, InstanceStatus.COMPLETED);
        assertThat(executions() - before).isEqualTo(2);
        assertThat(found(engine, id).state().task(THINK).attempt()).isEqualTo(1);
        assertGaplessLog(id);
    }

    @Test
    void otherNodeContinuesAfterAHandlerThatDies() throws Exception {
        var third = new TaskId("third");
        var died = new CountDownLatch(1);
        engine.stopWork();
        engine = node(ENDPOINT_PORT, (state, event, at) -> {
            if (event instanceof InstanceEvent.TaskReport report
                    && report.task().equals(third)) {
                died.countDown();
                throw new IllegalStateException("This node dies after the third task.");
            }
            return Transition.apply(state, event, at);
        });
        engine.startWork();
        WorkflowId workflow = Workflows.of(tenant)
                .ai("first")
                .ai("second")
                .ai("third")
                .ai("fourth")
                .after("first", "second")
                .after("second", "third")
                .after("third", "fourth")
                .publish();
        long before = executions();
        WorkflowInstanceId id = start(WorkflowInstanceId.next(), workflow, "Hello", null)
                .join()
                .instance()
                .header()
                .id();
        assertThat(died.await(SETTLE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        crash(id);
        Tenant.eventually(
                () -> otherEngine.find(tenant.organization(), id).map(found -> found.state()
                        .status()),
                Optional.of(InstanceStatus.COMPLETED)::equals);
        assertThat(executions() - before).as("each task once").isEqualTo(4);
        assertGaplessLog(id);
    }

    @Test
    void theInstancesWithATaskOnANodeAreCounted() {
        WorkflowInstanceId id = running().header().id();
        Tenant.eventually(engine::instancesHere, count -> count == 1);
        apply(engine, id, new InstanceEvent.CancelRequested("user:x"));
        Tenant.eventually(engine::instancesHere, count -> count == 0);
    }

    private static RestateEngine node(int port, TransitionRule rule) {
        var settings = new Settings.Restate(
                server.ingress(),
                server.admin(),
                "127.0.0.1",
                port,
                URI.create("http://127.0.0.1:" + port),
                Optional.of(server.identityKey()));
        return new RestateEngine(
                Tenant.bean(RestateServices.class),
                settings,
                Tenant.bean(NodeLease.class),
                Tenant.bean(Vertx.class),
                Tenant.bean(EgressRules.class),
                rule);
    }

    @AfterEach
    void stopNodes() {
        engine.stopWork();
        otherEngine.stopWork();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Override
    protected Engine engine() {
        return engine;
    }

    @Override
    protected Engine otherEngine() {
        return otherEngine;
    }

    @Override
    protected void crash(WorkflowInstanceId instance) {
        engine.stopWork();
        otherEngine.listen();
    }
}
