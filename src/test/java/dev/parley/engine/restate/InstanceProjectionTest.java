package dev.parley.engine.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.ExecutionPlan;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.TriggerData;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.PlanCache;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The projection alone, without a Restate server. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceProjectionTest {
    private final InstanceProjection projection = Tenant.bean(InstanceProjection.class);
    private Tenant tenant;

    @BeforeEach
    void createTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aRepeatedProjectionChangesNothing() {
        InstanceChange opened =
                started(tenant, Workflows.of(tenant).human("approve").publish(), null);
        projection.write(List.of(opened));
        projection.write(List.of(opened));
        InstanceChange answered = next(opened, answer(true));
        projection.write(List.of(answered));
        projection.write(List.of(answered));
        assertThat(rows(opened, "workflow_instance_log", "instance_id")).isEqualTo(2);
        assertThat(rows(opened, "ticket", "workflow_instance_id")).isEqualTo(1);
        assertThat(status(opened)).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aProjectionThatContainsStoredChangesAddsTheOthers() {
        WorkflowId workflow =
                Workflows.of(tenant).ai("a").ai("b").after("a", "b").publish();
        InstanceChange start = started(tenant, workflow, null);
        InstanceChange first = next(start, succeeded("a"));
        InstanceChange second = next(first, succeeded("b"));
        projection.write(List.of(start));
        projection.write(List.of(first));
        projection.write(List.of(first, second));
        assertThat(rows(start, "workflow_instance_log", "instance_id")).isEqualTo(3);
        assertThat(Tenant.bean(InstanceReader.class)
                        .find(tenant.organization(), start.header().id())
                        .orElseThrow()
                        .state())
                .isEqualTo(second.state());
    }

    @Test
    void anotherChangeOfAStoredVersionIsRefused() {
        InstanceChange opened =
                started(tenant, Workflows.of(tenant).human("approve").publish(), null);
        projection.write(List.of(opened));
        projection.write(List.of(next(opened, answer(true))));
        InstanceChange other = next(opened, answer(false));
        assertThatThrownBy(() -> projection.write(List.of(other)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version 2 of instance " + opened.header().id() + " is another change");
    }

    @Test
    void aStartWhoseCompanionFailsIsNotStored() {
        var missing = new Companion.DeliverMessage(
                tenant.organization(),
                ConversationId.parse(tenant.conversation()).orElseThrow(),
                MessageId.next(),
                false);
        InstanceChange opened =
                started(tenant, Workflows.of(tenant).human("approve").publish(), missing);
        assertThatThrownBy(() -> projection.write(List.of(opened))).isInstanceOf(ApiProblem.class);
        assertThat(rows(opened, "workflow_instance_log", "instance_id")).isZero();
        assertThat(rows(opened, "ticket", "workflow_instance_id")).isZero();
    }

    static InstanceChange started(Tenant tenant, WorkflowId workflow, @Nullable Companion companion) {
        ExecutionPlan plan = Tenant.bean(PlanCache.class)
                .published(tenant.organization(), workflow, 1)
                .orElseThrow();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        WorkflowInstanceId id = WorkflowInstanceId.next();
        var header = new InstanceHeader(
                tenant.organization(),
                id,
                workflow,
                1,
                null,
                null,
                null,
                null,
                null,
                null,
                "Hello",
                "user:x",
                now,
                now.plusSeconds(600));
        var trigger = new TriggerData(
                "Hello",
                List.of(),
                Map.of(),
                null,
                id.text(),
                tenant.organization().text(),
                now);
        InstanceState fresh = InstanceState.create(plan, trigger, now);
        var decision = (Decision) Transition.apply(fresh, new InstanceEvent.InstanceStarted(), now);
        return InstanceChange.start(header, decision, companion);
    }

    private static InstanceChange next(InstanceChange before, InstanceEvent event) {
        var decision = (Decision) Transition.apply(
                before.state(), event, before.state().updatedAt().plusMillis(1));
        return InstanceChange.of(before.header(), event, decision, null, null);
    }

    private static InstanceEvent answer(boolean approved) {
        return new InstanceEvent.TicketCompleted(new TaskId("approve"), 1, Map.of("approved", approved), "user:x");
    }

    private static InstanceEvent succeeded(String task) {
        return new InstanceEvent.TaskSucceeded(new TaskId(task), 1, Map.of("answer", "Done"), null);
    }

    private int rows(InstanceChange change, String table, String column) {
        return Tenant.bean(Database.class).with(handle -> handle.createQuery("SELECT count(*) FROM " + table
                        + " WHERE organization_id = :organization AND " + column + " = :instance")
                .bind("organization", tenant.organization())
                .bind("instance", change.header().id())
                .mapTo(Integer.class)
                .one());
    }

    private InstanceStatus status(InstanceChange change) {
        return Tenant.bean(InstanceReader.class)
                .find(tenant.organization(), change.header().id())
                .orElseThrow()
                .state()
                .status();
    }
}
