package dev.parley.workflow.task.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.id.NodeId;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.node.NodeLease;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.ModelChoice;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.part.UsageLimits;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.journal.EndedJournalJob;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.ApprovalRequest;
import dev.parley.workflow.task.InstanceUsage;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskOutcome;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskWait;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attempts that share a journal: what one has paid for, the next does not call again. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AgentJournalTest {
    private static final int CALLS = 4;
    private static final String KIM = "user:kim";
    private static final Instant AT = Instant.parse("2026-01-31T12:00:00Z");

    private final Tenant tenant = Tenant.create();
    private AgentServer agent;
    private EndpointChatModel model;
    private AttemptRecording recording;
    private AgentTool.ApprovalRule approval = AgentTool.ApprovalRule.NEVER;
    private PendingToolCall decided;
    private UsageLimits limits = UsageLimits.NONE;
    private UsageLimits instanceLimits = UsageLimits.NONE;

    @BeforeEach
    void startAgent() throws IOException {
        agent = new AgentServer(CALLS);
        model = new EndpointChatModel(
                agent.modelUrl(), "", "agent", Duration.ofSeconds(20), new EgressRules(EgressAllow.none()));
        recording = AiTaskRun.recording(tenant, _ -> {});
    }

    @AfterEach
    void close() throws Exception {
        model.close();
        agent.close();
    }

    private AiTask task() {
        var parameter = new InputParameter(
                "text", ValueType.STRING, "d", true, InputSource.HUMAN_INPUT, null, List.of(), null, DataSource.MEMORY);
        return new AiTask(
                new TaskBasics(
                        new TaskId("t"),
                        "T",
                        "Answer.",
                        List.of(parameter),
                        List.of(new OutputParameter("answer", OutputType.STRING, "d")),
                        null,
                        ControlFlow.ONCE),
                List.of(new AgentTool(1, approval, null)),
                limits,
                ModelChoice.DEFAULT);
    }

    private Object attempt(TaskJournal journal) throws Exception {
        recording = new AttemptRecording(recording.key(), _ -> {});
        var usage = new InstanceUsage(instanceLimits, null, recording::usage);
        TaskOutcome outcome =
                AiTaskRun.of(tenant, model, task(), Map.of("text", "RUN r"), recording, journal, usage, decided);
        return switch (outcome) {
            case TaskResult result -> result.outputs().get("answer");
            case ApprovalRequest request -> request.call();
            case TaskWait wait -> wait;
        };
    }

    private Object attempt(int attempt, int run) throws Exception {
        return attempt(AiTaskRun.journal(recording, attempt, run));
    }

    /** Ends an attempt at a step, as a lost database does: what follows is not journaled. */
    private void loseAt(int attempt, String step) {
        TaskJournal journal = AiTaskRun.journal(recording, attempt, 1);
        agent.before(now -> {
            if (now.equals(step)) {
                Thread.sleep(Long.MAX_VALUE);
            }
        });
        Thread running = Thread.ofVirtual().start(() -> {
            try {
                Object _ = attempt(journal);
            } catch (Exception _) {
                // Interrupted, like an execution of a node that ends.
            }
        });
        Tenant.eventually(() -> waits(step), waits -> waits);
        running.interrupt();
        try {
            running.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        agent.before(_ -> {});
    }

    private boolean waits(String step) {
        int number = Integer.parseInt(step.replaceAll("\\D", ""));
        return step.startsWith("model")
                ? agent.of("r").replies().contains(number)
                : agent.of("r").keys().containsKey(number);
    }

    private List<Integer> toolCalls() {
        return IntStream.range(0, CALLS)
                .mapToObj(number ->
                        agent.of("r").keys().getOrDefault(number, List.of()).size())
                .toList();
    }

    @Test
    void aLaterAttemptContinuesAfterTheLastCallAndRepeatsTheOneInFlight() throws Exception {
        loseAt(1, "tool 2");
        assertThat(agent.of("r").replies()).containsExactly(0, 1, 2);
        assertThat(AiTaskRun.journal(recording, 1, 1).usage().inputTokens())
                .as("what the lost execution paid")
                .isEqualTo(300);
        loseAt(2, "model 4");
        assertThat(attempt(3, 1)).isEqualTo("done");
        assertThat(agent.of("r").replies()).containsExactly(0, 1, 2, 3, 4, 4);
        assertThat(toolCalls()).containsExactly(1, 1, 2, 1);
        assertThat(agent.of("r").keys().get(2)).hasSize(2).containsOnly("key-of-run-1-5");
        TaskAttempt last = recording.attempt(AttemptStatus.COMPLETED, null, null);
        assertThat(last.usage().inputTokens()).as("of this attempt alone").isEqualTo(100);
        assertThat(last.content().toolCalls()).hasSize(CALLS).allMatch(TaskAttempt.RecordedToolCall::replayed);
        assertThat(last.content().messages()).hasSize(2);
    }

    @Test
    void aNewRunKeepsTheToolCallsAndAsksForAnotherAnswer() throws Exception {
        agent.answerWith("no JSON");
        assertThatThrownBy(() -> attempt(1, 1)).isInstanceOf(TaskFailure.class);
        assertThat(agent.of("r").replies()).containsExactly(0, 1, 2, 3, 4, 4, 4);
        assertThatThrownBy(() -> attempt(2, 1)).as("the same run").isInstanceOf(TaskFailure.class);
        assertThat(agent.of("r").replies()).hasSize(7);
        agent.answerWith("{\"answer\": \"better\"}");
        assertThat(attempt(3, 2)).isEqualTo("better");
        assertThat(agent.of("r").replies()).containsExactly(0, 1, 2, 3, 4, 4, 4, 4);
        assertThat(toolCalls()).containsOnly(1);
    }

    @Test
    void aModelCallThatFailedIsRepeated() throws Exception {
        agent.before(step -> {
            if (step.equals("tool 1")) {
                agent.failOnce();
            }
        });
        assertThatThrownBy(() -> attempt(1, 1)).isInstanceOf(TaskFailure.class);
        agent.before(_ -> {});
        assertThat(attempt(2, 2)).isEqualTo("done");
        assertThat(agent.of("r").replies()).containsExactly(0, 1, 2, 3, 4);
        assertThat(toolCalls()).containsOnly(1);
    }

    @ParameterizedTest
    @CsvSource({
        "2, , , , 2 tool calls, 3",
        ", 2, , , 2 model calls, 2",
        ", , 220, , 220 tokens, 2",
        ", , , 0.0004, a cost of 0.0004, 2"
    })
    void aLimitStopsBeforeTheNextCall(
            Integer toolCalls, Integer modelCalls, Long tokens, BigDecimal cost, String limit, int replies) {
        limits = new UsageLimits(modelCalls, toolCalls, tokens, cost);
        assertThatLimitIsReached("The limit of the task is " + limit, replies);
        limits = UsageLimits.NONE;
        instanceLimits = new UsageLimits(modelCalls, toolCalls, tokens, cost);
        recording = AiTaskRun.recording(tenant, _ -> {});
        assertThatLimitIsReached("The limit of the instance is " + limit, 2 * replies);
    }

    private void assertThatLimitIsReached(String detail, int replies) {
        assertThatThrownBy(() -> attempt(1, 1)).isInstanceOfSatisfying(TaskFailure.class, failure -> {
            assertThat(failure.title()).isEqualTo("Limit reached");
            assertThat(failure.detail()).startsWith(detail);
            assertThat(failure.isTransient()).isFalse();
        });
        assertThat(agent.of("r").replies()).hasSize(replies);
    }

    @Test
    void theCallsOfEarlierAttemptsCount() throws Exception {
        loseAt(1, "tool 2");
        limits = new UsageLimits(3, null, null, null);
        assertThatLimitIsReached("The limit of the task is 3 model calls, and 3 have been used.", 3);
        assertThat(toolCalls()).containsExactly(1, 1, 2, 0);
    }

    @Test
    void aJournalOfAnotherStartIsNotContinued() throws Exception {
        NodeId node = Tenant.bean(NodeLease.class).id();
        loseAt(1, "tool 2");
        assertThat(attempt(AiTaskRun.journal(recording, 2, 2, node, "edited"))).isEqualTo("done");
        assertThat(toolCalls()).containsExactly(2, 2, 2, 1);
        assertThat(agent.of("r").keys().get(0)).doesNotHaveDuplicates();
        Object _ = attempt(AiTaskRun.journal(recording, 3, 2, node, "edited"));
        assertThat(toolCalls()).containsExactly(2, 2, 2, 1);
    }

    /** Two calls in each reply: each needs its own decision, and those made before it are not repeated. */
    @Test
    void everyCallNeedsItsOwnApproval() throws Exception {
        agent.callTools(List.of("http_request_1", "http_request_1"));
        approval = AgentTool.ApprovalRule.ALWAYS;
        int attempt = 1;
        for (int call = 0; call < CALLS; call++) {
            var pending = (PendingToolCall) attempt(attempt++, 1);
            assertThat(pending.arguments().get("url").toString()).endsWith("/" + call);
            assertThat(agent.of("r").keys()).hasSize(Math.min(call, 2));
            decided = pending.with(
                    call < 2
                            ? new CallDecision(true, pending.arguments(), null, KIM, AT)
                            : new CallDecision(false, Map.of(), "Too late.", KIM, AT));
        }
        assertThat(attempt(attempt, 1)).isEqualTo("done");
        assertThat(toolCalls()).containsExactly(1, 1, 0, 0);
        assertThat(agent.of("r").replies()).containsExactly(0, 2, 4);
        List<TaskAttempt.RecordedToolCall> made =
                recording.attempt(AttemptStatus.COMPLETED, null, null).content().toolCalls();
        assertThat(made.getLast().result()).isEqualTo("A person rejected this call. Too late.");
    }

    /** The record has what was sent, and the model knows that it is not what it requested. */
    @Test
    void editedArgumentsAreRecordedAndShownToTheModel() throws Exception {
        agent.callTools(List.of("http_request_1", "http_request_1"));
        approval = AgentTool.ApprovalRule.ALWAYS;
        for (int call = 0; call < CALLS; call++) {
            var pending = (PendingToolCall) attempt(call + 1, 1);
            Map<String, Object> arguments = new LinkedHashMap<>(pending.arguments());
            if (call == 1) {
                arguments.put("url", arguments.get("url") + "?really=sent");
            }
            decided = pending.with(new CallDecision(call != 3, arguments, call == 3 ? "No." : null, KIM, AT));
        }
        assertThat(attempt(CALLS + 1, 1)).isEqualTo("done");
        assertThat(toolCalls()).containsExactly(1, 1, 1, 0);
        assertThat(agent.toolResults().get(1))
                .startsWith("A person edited the arguments of this call")
                .contains("?really=sent", "\"number\": 1");
        assertThat(agent.toolResults())
                .filteredOn(result -> result.contains("edited"))
                .hasSize(1);
        List<TaskAttempt.RecordedToolCall> made =
                recording.attempt(AttemptStatus.COMPLETED, null, null).content().toolCalls();
        assertThat(made).filteredOn(call -> call.edited() != null).containsExactly(made.get(1));
        assertThat(made.get(1).arguments()).contains("?really=sent");
        assertThat(made.get(1).result()).doesNotContain("edited");
        assertThat(made.get(1).edited())
                .returns(KIM, TaskAttempt.ArgumentsEdit::by)
                .returns(AT, TaskAttempt.ArgumentsEdit::at)
                .matches(edit -> !edit.requestedArguments().contains("?really=sent"));
    }

    /** The tool was called with the edited arguments, but the result was lost: the retry sends the same. */
    @Test
    void aRetrySendsTheEditedArgumentsAgain() throws Exception {
        approval = AgentTool.ApprovalRule.ALWAYS;
        var pending = (PendingToolCall) attempt(1, 1);
        Map<String, Object> arguments = new LinkedHashMap<>(pending.arguments());
        arguments.put("url", arguments.get("url") + "?really=sent");
        decided = pending.with(new CallDecision(true, arguments, null, KIM, AT));
        loseAt(2, "tool 0");
        assertThat(attempt(3, 1)).isInstanceOf(PendingToolCall.class);
        assertThat(agent.of("r").keys().get(0)).hasSize(2).containsOnly("key-of-run-1-1");
        assertThat(recording
                        .attempt(AttemptStatus.SUSPENDED, null, null)
                        .content()
                        .toolCalls()
                        .getFirst()
                        .arguments())
                .contains("?really=sent");
    }

    @Test
    void aDecisionHoldsForTheCallThatWasShown() throws Exception {
        approval = AgentTool.ApprovalRule.ALWAYS;
        var pending = (PendingToolCall) attempt(1, 1);
        var other = new PendingToolCall(3, 1, pending.tool(), pending.arguments(), null);
        decided = other.with(new CallDecision(true, Map.of(), null, KIM, AT));
        assertThat(attempt(2, 1)).isEqualTo(pending);
        assertThat(agent.of("r").keys()).isEmpty();
    }

    @Test
    void aFencedNodeAndASecondExecutionCannotAppend() throws Exception {
        assertThatThrownBy(() -> attempt(AiTaskRun.journal(recording, 1, 1, NodeId.next(), "the same start")))
                .isInstanceOf(InterruptedException.class);
        assertThat(agent.of("r").keys()).isEmpty();
        TaskJournal zombie = AiTaskRun.journal(recording, 1, 1);
        TaskJournal owner = AiTaskRun.journal(recording, 2, 2);
        var answers = new CompletableFuture<Object>();
        agent.before(step -> {
            if (step.equals("model 0")) {
                agent.before(_ -> {});
                answers.complete(attemptUnchecked(owner));
            }
        });
        assertThatThrownBy(() -> attempt(zombie))
                .isInstanceOfSatisfying(TaskFailure.class, failure -> assertThat(failure.isTransient())
                        .isTrue());
        assertThat(answers).isCompletedWithValue("done");
        assertThat(attempt(3, 2)).isEqualTo("done");
        assertThat(agent.of("r").keys().get(0)).containsOnly("key-of-run-2-1");
    }

    private Object attemptUnchecked(TaskJournal journal) {
        try {
            return attempt(journal);
        } catch (Exception e) {
            return e;
        }
    }

    @Test
    void theJournalIsDeletedWhenItsInstanceHasEnded() throws Exception {
        Object _ = attempt(1, 1);
        Tenant.bean(EndedJournalJob.class).delete();
        assertThat(entries()).isEqualTo(2 * CALLS);
        int _ = Tenant.bean(Database.class).with(handle -> handle.createUpdate(
                        "UPDATE workflow_instance SET status = 'COMPLETED' WHERE organization_id = ?")
                .bind(0, tenant.organization())
                .execute());
        Tenant.bean(EndedJournalJob.class).delete();
        assertThat(entries()).isZero();
    }

    private int entries() {
        return Tenant.bean(Database.class).with(handle -> handle.createQuery(
                        "SELECT count(*) FROM workflow_task_journal WHERE organization_id = ?")
                .bind(0, tenant.organization())
                .mapTo(Integer.class)
                .one());
    }
}
