package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.store.InstanceKey;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An instance whose next state is never computed, on nodes that end while they compute it. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SetAsideInstanceTest {
    private Tenant tenant;
    private WorkflowInstanceId instance;

    @BeforeEach
    void anInstanceOnThisNode() {
        tenant = Tenant.create();
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        instance = WorkflowInstanceId.parse(tenant.post(
                                "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                                Map.of("human_msg", "offline:wait 600000"))
                        .expect(202)
                        .text("/workflow_instance_id"))
                .orElseThrow();
    }

    @Test
    void instanceThatDoesNotReturnOnTwoNodesIsSetAside() {
        NodeId first = Tenant.bean(NodeLease.class).id();
        try (NodeLease second = node();
                NodeLease third = node();
                NodeLease fourth = node()) {
            endsWhileHandling(first, second, 1);
            endsWhileHandling(second.id(), third, 2);
            SecondEngine.moveInstance(instance, third.id(), fourth.id());
            LocalEngine engine = SecondEngine.on(fourth, Clock.systemUTC(), Duration.ofMinutes(10));
            engine.startWork();
            Tenant.eventually(() -> engine.watchdog().isSetAside(key()), isSetAside -> isSetAside);
            assertThatThrownBy(() -> pause(engine))
                    .cause()
                    .isInstanceOf(ApiProblem.class)
                    .hasMessageContaining("set aside");
            tenant.post(path() + "/pause", Map.of()).expect(409);
            cancel();
            engine.stopWork();
        }
    }

    @Test
    void handlingThatDoesNotReturnIsGivenUpAndItsRequestsAreAnswered() {
        try (NodeLease second = node()) {
            LocalEngine engine = SecondEngine.on(second, new StuckClock(true), Duration.ofSeconds(1));
            engine.startWork();
            SecondEngine.moveInstance(instance, Tenant.bean(NodeLease.class).id(), second.id());
            pauseInVain(engine);
            Tenant.eventually(() -> engine.watchdog().isSetAside(key()), isSetAside -> isSetAside);
            cancel();
            engine.stopWork();
        }
    }

    /** Each time the instance is loaded again, its recovery returns. */
    @Test
    void reportThatNeverReturnsIsGivenUpTwice() {
        try (NodeLease second = node()) {
            LocalEngine engine = SecondEngine.on(second, new StuckClock(false), Duration.ofSeconds(1));
            engine.startWork();
            SecondEngine.moveInstance(instance, Tenant.bean(NodeLease.class).id(), second.id());
            pauseInVain(engine);
            Tenant.eventually(() -> engine.work().find(key()).flatMap(InstanceWorker::current), Optional::isPresent);
            engine.watchdog().readSetAside();
            assertThat(unreturned()).isOne();
            pauseInVain(engine);
            Tenant.eventually(() -> engine.watchdog().isSetAside(key()), isSetAside -> isSetAside);
            cancel();
            engine.stopWork();
        }
    }

    private void pauseInVain(LocalEngine engine) {
        assertThatThrownBy(() -> pause(engine)).cause().isInstanceOf(ApiProblem.class);
    }

    private void pause(LocalEngine engine) throws Exception {
        var _ = engine.apply(tenant.organization(), instance, new InstanceEvent.PauseRequested("user:kim"), null)
                .get(1, TimeUnit.MINUTES);
    }

    @Test
    void instanceThatHandlesAnEventIsNotSuspectedAnyMore() throws Exception {
        NodeId first = Tenant.bean(NodeLease.class).id();
        try (NodeLease second = node();
                NodeLease third = node()) {
            endsWhileHandling(first, second, 1);
            LocalEngine engine = SecondEngine.on(third, Clock.systemUTC(), Duration.ofMinutes(10));
            engine.startWork();
            engine.watchdog().readSetAside();
            SecondEngine.moveInstance(instance, second.id(), third.id());
            pause(engine);
            Tenant.eventually(this::unreturned, count -> count == 0);
            cancel();
            engine.stopWork();
        }
    }

    private static NodeLease node() {
        var node = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(10));
        node.fenced(node.id());
        return node;
    }

    /** A node takes the instance over, does not return from its handling, and ends. */
    private void endsWhileHandling(NodeId from, NodeLease node, int count) {
        LocalEngine engine = SecondEngine.on(node, new StuckClock(true), Duration.ofMinutes(10));
        engine.startWork();
        SecondEngine.moveInstance(instance, from, node.id());
        Tenant.eventually(this::unreturned, now -> now == count);
        engine.stopWork();
    }

    private int unreturned() {
        return Tenant.bean(Database.class)
                .with(handle -> handle.createQuery("SELECT unreturned_handlings FROM workflow_instance WHERE id = :id")
                        .bind("id", instance)
                        .mapTo(Integer.class)
                        .one());
    }

    private void cancel() {
        tenant.post(path() + "/cancel", Map.of()).expect(200);
        assertThat(tenant.get(path() + "/status").expect(200).text("/status")).isEqualTo("CANCELLED");
    }

    private InstanceKey key() {
        return new InstanceKey(tenant.organization(), instance);
    }

    private String path() {
        return "/workflow_instances/" + instance;
    }

    /** Does not return to a handling until its thread is interrupted. */
    private static final class StuckClock extends Clock {
        private final boolean alsoInRecoveries;

        StuckClock(boolean alsoInRecoveries) {
            this.alsoInRecoveries = alsoInRecoveries;
        }

        @Override
        public Instant instant() {
            if (isIn(WatchedTransition.class.getName(), "watch")
                    && (alsoInRecoveries || !isIn(InstanceWorker.class.getName(), "recover"))) {
                try {
                    TimeUnit.DAYS.sleep(1);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return Instant.now();
        }

        private static boolean isIn(String type, String method) {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(type)
                                    && frame.getMethodName().equals(method)));
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
