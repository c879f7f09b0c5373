package dev.parley.workflow.instance.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.PlanCache;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guarantees of every engine. A test of an engine extends this class and provides two of its nodes. */
public abstract class EngineContract {
    protected static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(20);
    protected static final TaskId THINK = new TaskId("think");
    private static final TaskId APPROVE = new TaskId("approve");

    protected Tenant tenant;

    /** The engine of the node that starts instances. */
    protected abstract Engine engine();

    /** The engine of another node on the same data. */
    protected abstract Engine otherEngine();

    /** Ends the first node's ownership of the instance like a crash, and lets the other node take over. */
    protected abstract void crash(WorkflowInstanceId instance);

    @BeforeEach
    final void createTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aStartedInstanceRunsToItsEnd() throws Exception {
        StoredInstance settled = start(Workflows.of(tenant).ai("think").publish(), "Hello", null)
                .settled()
                .get(SETTLE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(settled.state().status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(settled.state().output()).containsKey("answer");
        assertThat(found(engine(), settled.header().id()).state()).isEqualTo(settled.state());
        assertThat(found(otherEngine(), settled.header().id()).state().version())
                .isEqualTo(settled.state().version());
    }

    @Test
    void instancesOfOtherOrganizationsAreNotFound() {
        WorkflowInstanceId id = running().header().id();
        OrganizationId stranger = Tenant.create().organization();
        assertThat(engine().find(stranger, id)).isEmpty();
        assertThatThrownBy(() -> engine().apply(stranger, id, new InstanceEvent.CancelRequested("user:x"), null)
                        .join())
                .satisfies(failure -> assertThat(problem(failure).kind()).isEqualTo(ProblemKind.NOT_FOUND));
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
    }

    @Test
    void aRequestThatDoesNotFitIsRejectedAndChangesNothing() {
        WorkflowInstanceId id = running().header().id();
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
        int version = found(engine(), id).state().version();
        TransitionResult result = engine().apply(
                        tenant.organization(), id, new InstanceEvent.PauseRequested("user:x"), null)
                .join();
        assertThat(result).isInstanceOfSatisfying(Rejection.class, rejection -> assertThat(rejection.status())
                .isEqualTo(InstanceStatus.CANCELLED));
        assertThat(found(engine(), id).state().version()).isEqualTo(version);
    }

    @Test
    void aPausedInstanceResumesWithTheResultOfItsTask() {
        WorkflowInstanceId id = start(Workflows.of(tenant).ai("think").publish(), "offline:wait 300", null)
                .instance()
                .header()
                .id();
        apply(engine(), id, new InstanceEvent.PauseRequested("user:x"));
        Tenant.eventually(
                () -> found(engine(), id).state().task(THINK).status(), status -> status == TaskStatus.COMPLETED);
        assertThat(found(engine(), id).state().status()).isEqualTo(InstanceStatus.PAUSED);
        apply(engine(), id, new InstanceEvent.ResumeRequested("user:x"));
        awaitStatus(engine(), id, InstanceStatus.COMPLETED);
    }

    @Test
    void cancellingStopsTheTaskAndDropsItsResult() {
        WorkflowInstanceId id = running().header().id();
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
        StoredInstance instance = found(engine(), id);
        assertThat(instance.state().status()).isEqualTo(InstanceStatus.CANCELLED);
        assertThat(instance.state().task(THINK).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void theTimeLimitTerminates() {
        WorkflowInstanceId id = running().header().id();
        apply(engine(), id, new InstanceEvent.TimeLimitReached());
        awaitStatus(engine(), id, InstanceStatus.TERMINATED);
    }

    @Test
    void aRetryRunsAfterItsDelay() {
        Instant started = Instant.now();
        WorkflowInstanceId id = start(Workflows.of(tenant).ai("think").publish(), "offline:unavailable", null)
                .instance()
                .header()
                .id();
        Tenant.eventually(() -> found(engine(), id).state().task(THINK).attempt(), attempt -> attempt >= 2);
        assertThat(Duration.between(started, Instant.now())).isGreaterThan(Duration.ofMillis(700));
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
    }

    @Test
    void aTicketIsOpenedOnceAndItsAnswerCompletesTheInstance() {
        WorkflowInstanceId id = waitingForAPerson();
        assertThat(tickets(id)).hasSize(1);
        assertThat(tickets(id).get(0).get("status").asText()).isEqualTo("OPEN");
        apply(engine(), id, completed());
        awaitStatus(engine(), id, InstanceStatus.COMPLETED);
        assertThat(tickets(id).get(0).get("status").asText()).isEqualTo("RESOLVED");
    }

    @Test
    void ofTwoNodesThatApplyOneAnswerOneIsRejected() {
        WorkflowInstanceId id = waitingForAPerson();
        List<CompletableFuture<TransitionResult>> results = List.of(
                engine().apply(tenant.organization(), id, completed(), null),
                otherEngine().apply(tenant.organization(), id, completed(), null));
        List<TransitionResult> outcomes =
                results.stream().map(CompletableFuture::join).toList();
        assertThat(outcomes).filteredOn(Decision.class::isInstance).hasSize(1);
        assertThat(outcomes).filteredOn(Rejection.class::isInstance).hasSize(1);
        awaitStatus(engine(), id, InstanceStatus.COMPLETED);
        assertGaplessLog(id);
    }

    @Test
    void anotherNodesChangeIsSeenAndObeyed() {
        WorkflowInstanceId id = running().header().id();
        apply(otherEngine(), id, new InstanceEvent.CancelRequested("user:x"));
        awaitStatus(engine(), id, InstanceStatus.CANCELLED);
        awaitStatus(otherEngine(), id, InstanceStatus.CANCELLED);
        assertGaplessLog(id);
    }

    @Test
    void anInstanceSurvivesItsNode() {
        WorkflowId workflow = Workflows.of(tenant)
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
        WorkflowInstanceId id =
                start(workflow, "offline:wait 400", null).instance().header().id();
        Tenant.eventually(
                () -> found(engine(), id).state().task(THINK).status(), status -> status == TaskStatus.RUNNING);
        crash(id);
        awaitStatus(otherEngine(), id, InstanceStatus.COMPLETED);
        StoredInstance instance = found(otherEngine(), id);
        assertThat(instance.state().task(new TaskId("first")).attempt()).isEqualTo(1);
        assertThat(instance.state().task(THINK).attempt())
                .as("the same attempt, with the same idempotency key")
                .isEqualTo(1);
        assertGaplessLog(id);
    }

    @Test
    void awaitSettledReturnsAtTheEndOrWhenTheTimeIsUp() throws Exception {
        StoredInstance running = running();
        WorkflowInstanceId id = running.header().id();
        Optional<StoredInstance> early = engine().awaitSettled(tenant.organization(), id, Duration.ofMillis(50));
        assertThat(early.orElseThrow().state().status()).isEqualTo(InstanceStatus.RUNNING);
        CompletableFuture<Optional<StoredInstance>> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return otherEngine().awaitSettled(tenant.organization(), id, SETTLE_TIMEOUT);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
        assertThat(waiting.get(SETTLE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .orElseThrow()
                        .state()
                        .status())
                .isEqualTo(InstanceStatus.CANCELLED);
    }

    @Test
    void runningInstancesAreCounted() {
        assertThat(engine().running(tenant.organization())).isZero();
        WorkflowInstanceId id = running().header().id();
        assertThat(engine().running(tenant.organization())).isEqualTo(1);
        apply(engine(), id, new InstanceEvent.CancelRequested("user:x"));
        Tenant.eventually(() -> engine().running(tenant.organization()), count -> count == 0);
    }

    @Test
    void aStartDeliversItsMessageOnceOrDoesNotHappen() throws Exception {
        var conversation = ConversationId.parse(tenant.conversation()).orElseThrow();
        MessageId message = received(conversation);
        var delivery = new Companion.DeliverMessage(tenant.organization(), conversation, message, false);
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        StoredInstance settled =
                start(workflow, "Hello", delivery).settled().get(SETTLE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(deliveredTo(message)).isEqualTo(settled.header().id().value());
        WorkflowInstanceId second = WorkflowInstanceId.next();
        assertThatThrownBy(() -> start(second, workflow, "Hello", delivery).join())
                .satisfies(failure -> assertThat(problem(failure).kind()).isEqualTo(ProblemKind.ALREADY_DONE));
        assertThat(engine().find(tenant.organization(), second)).isEmpty();
    }

    @Test
    void aStartStoresItsMessageOrDoesNotHappen() {
        var conversation = ConversationId.parse(tenant.conversation()).orElseThrow();
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        MessageId earlier = MessageId.next();
        MessageId message = MessageId.next();
        StoredInstance started =
                start(workflow, "Hello", storing(conversation, message)).instance();
        assertThat(deliveredTo(message)).isEqualTo(started.header().id().value());
        WorkflowInstanceId second = WorkflowInstanceId.next();
        assertThatThrownBy(() -> start(second, workflow, "Hello", storing(conversation, earlier))
                        .join())
                .satisfies(failure -> assertThat(problem(failure).kind()).isEqualTo(ProblemKind.CONFLICT));
        assertThat(engine().find(tenant.organization(), second)).isEmpty();
        assertThat(deliveredTo(earlier)).isNull();
        assertThat(newest(conversation)).isEqualTo(message.value());
    }

    private Companion storing(ConversationId conversation, MessageId message) {
        return new Companion.StoreMessage(tenant.organization(), conversation, message, "Hello", "system", null);
    }

    @Test
    void aStartClaimsItsIdempotencyKeyOnceOrDoesNotHappen() {
        var claim = new IdempotencyKeys.Claim(tenant.organization(), "POST /test", "key-1", "hash");
        var companion = new Companion.ClaimIdempotencyKey(claim, 202);
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        WorkflowInstanceId id =
                start(workflow, "Hello", companion).instance().header().id();
        assertThat(Tenant.bean(IdempotencyKeys.class)
                        .stored(claim)
                        .orElseThrow()
                        .body())
                .contains(id.text());
        WorkflowInstanceId second = WorkflowInstanceId.next();
        assertThatThrownBy(() -> start(second, workflow, "Hello", companion).join())
                .satisfies(failure -> assertThat(problem(failure).kind()).isEqualTo(ProblemKind.REQUEST_IN_PROGRESS));
        assertThat(engine().find(tenant.organization(), second)).isEmpty();
    }

    /** A new instance whose only task runs for a minute. */
    protected final StoredInstance running() {
        return start(Workflows.of(tenant).ai("think").publish(), "offline:wait 60000", null)
                .instance();
    }

    private WorkflowInstanceId waitingForAPerson() {
        WorkflowInstanceId id = start(Workflows.of(tenant).human("approve").publish(), "Hello", null)
                .instance()
                .header()
                .id();
        awaitStatus(engine(), id, InstanceStatus.PAUSED);
        return id;
    }

    private static InstanceEvent completed() {
        return new InstanceEvent.TicketCompleted(APPROVE, 1, Map.of("approved", true), "user:x");
    }

    private Engine.StartedInstance start(WorkflowId workflow, String message, @Nullable Companion companion) {
        return start(WorkflowInstanceId.next(), workflow, message, companion).join();
    }

    protected final CompletableFuture<Engine.StartedInstance> start(
            WorkflowInstanceId id, WorkflowId workflow, String message, @Nullable Companion companion) {
        ExecutionPlan plan = Tenant.bean(PlanCache.class)
                .published(tenant.organization(), workflow, 1)
                .orElseThrow();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
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
                message,
                "user:x",
                null,
                now,
                now.plusSeconds(600),
                null);
        var trigger = new TriggerData(
                message,
                List.of(),
                Map.of(),
                null,
                id.text(),
                tenant.organization().text(),
                now);
        return engine().start(header, plan, trigger, new InstanceEvent.InstanceStarted(), companion);
    }

    protected final void apply(Engine engine, WorkflowInstanceId id, InstanceEvent event) {
        assertThat(engine.apply(tenant.organization(), id, event, null).join()).isInstanceOf(Decision.class);
    }

    protected final StoredInstance found(Engine engine, WorkflowInstanceId id) {
        return engine.find(tenant.organization(), id).orElseThrow();
    }

    protected final void awaitStatus(Engine engine, WorkflowInstanceId id, InstanceStatus status) {
        Tenant.eventually(() -> found(engine, id).state().status(), status::equals);
    }

    private JsonNode tickets(WorkflowInstanceId id) {
        JsonNode items = tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/tickets?assignee=all")
                .send()
                .expect(200)
                .json()
                .get("items");
        items.forEach(ticket ->
                assertThat(ticket.at("/workflow_instance_id").asText()).isEqualTo(id.text()));
        return items;
    }

    protected final void assertGaplessLog(WorkflowInstanceId id) {
        List<Integer> versions = Tenant.bean(Database.class).with(handle -> handle.createQuery(
                        "SELECT version FROM workflow_instance_change WHERE organization_id = :organization"
                                + " AND instance_id = :id ORDER BY version")
                .bind("organization", tenant.organization())
                .bind("id", id)
                .mapTo(Integer.class)
                .list());
        for (int i = 0; i < versions.size(); i++) {
            assertThat(versions.get(i)).isEqualTo(i + 1);
        }
    }

    /** A user's message that no worker knows. */
    private MessageId received(ConversationId conversation) {
        MessageId message = MessageId.next();
        Tenant.bean(Database.class)
                .change(handle ->
                        handle.execute("""
                INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                    created_by, created_at, updated_at)
                VALUES (?, ?, ?, 'USER_INPUT', 'TEXT', 'Hello', 'RECEIVED', 'system', now(), now())
                """, tenant.organization().value(), conversation.value(), message.value()));
        return message;
    }

    private @Nullable UUID deliveredTo(MessageId message) {
        return Tenant.bean(Database.class).with(handle -> handle.createQuery("""
                                SELECT workflow_instance_id FROM message
                                WHERE organization_id = :organization AND id = :id AND status = 'DELIVERED'
                                """)
                .bind("organization", tenant.organization())
                .bind("id", message)
                .mapTo(UUID.class)
                .findOne()
                .orElse(null));
    }

    private UUID newest(ConversationId conversation) {
        return Tenant.bean(Database.class).with(handle -> handle.createQuery("""
                                SELECT newest_message FROM conversation
                                WHERE organization_id = :organization AND id = :id
                                """)
                .bind("organization", tenant.organization())
                .bind("id", conversation)
                .mapTo(UUID.class)
                .one());
    }

    private static ApiProblem problem(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        assertThat(cause).isInstanceOf(ApiProblem.class);
        return (ApiProblem) cause;
    }
}
