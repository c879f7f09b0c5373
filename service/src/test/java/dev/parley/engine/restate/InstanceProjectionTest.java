package dev.parley.engine.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.engine.restate.projection.InstanceProjection;
import dev.parley.http.Page;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.attempt.AttemptStatements;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceJson;
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
    void changesThatAreProjectedTogetherAreOneRowAndReadOneByOne() {
        WorkflowId workflow =
                Workflows.of(tenant).ai("a").ai("b").after("a", "b").publish();
        InstanceChange start = started(tenant, workflow, null);
        InstanceChange first = next(start, succeeded("a"), attempt(start, "a"));
        InstanceChange second = next(first, succeeded("b"), attempt(start, "b"));
        List<InstanceChange> all = List.of(start, first, second);
        projection.write(all);
        projection.write(all);
        assertThat(rows(start, "workflow_instance_log", "instance_id")).isEqualTo(1);
        InstanceReader reader = Tenant.bean(InstanceReader.class);
        WorkflowInstanceId id = start.header().id();
        Page<InstanceReader.LogRow> page = reader.log(tenant.organization(), id, 0, 2);
        assertThat(page.items()).extracting(InstanceReader.LogRow::event).containsExactly("Started", "TaskSucceeded");
        assertThat(page.items().getFirst().steps()).contains("RUNNING");
        assertThat(page.next()).isEqualTo("2");
        assertThat(reader.log(tenant.organization(), id, 2, 2).items())
                .extracting(row -> InstanceJson.readDelta(row.delta()))
                .containsExactly(second.delta());
        var attempts = Tenant.bean(Database.class).statements(AttemptStatements.class);
        List<TaskAttempt> stored = attempts.list(tenant.organization(), id, null, null, 1);
        assertThat(stored).extracting(one -> one.key().task()).containsExactly("a");
        assertThat(attempts.list(
                        tenant.organization(), id, null, stored.getFirst().key().id(), 1))
                .extracting(one -> one.key().task())
                .containsExactly("b");
        assertThat(attempts.usage(tenant.organization(), List.of(id)).get(id))
                .isEqualTo(new ModelUsage(20, 10, 4, 2, 0));
        assertThat(reader.find(tenant.organization(), id).orElseThrow().state()).isEqualTo(second.state());
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
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                "Hello",
                "user:x",
                null,
                now,
                now.plusSeconds(600),
                null);
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

    private static TaskAttempt attempt(InstanceChange of, String task) {
        var key = new TaskAttempt.AttemptKey(
                of.header().organization(),
                of.header().id(),
                TaskAttemptId.next(),
                task,
                null,
                1,
                of.header().createdAt());
        return new TaskAttempt(
                key,
                AttemptStatus.COMPLETED,
                of.header().createdAt(),
                new ModelUsage(10, 5, 2, 1, 0),
                TaskAttempt.unknown(key).content(),
                false);
    }

    private static InstanceChange next(InstanceChange before, InstanceEvent event) {
        return next(before, event, null);
    }

    private static InstanceChange next(InstanceChange before, InstanceEvent event, @Nullable TaskAttempt attempt) {
        var decision = (Decision) Transition.apply(
                before.state(), event, before.state().updatedAt().plusMillis(1));
        return InstanceChange.of(before.header(), event, decision, attempt, null);
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
