package dev.parley.workflow.task.ai;

import dev.parley.Tenant;
import dev.parley.attachment.AttachmentReader;
import dev.parley.budget.BudgetLimiter;
import dev.parley.db.Database;
import dev.parley.event.delta.LiveTexts;
import dev.parley.id.NodeId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.llm.ChatModel;
import dev.parley.message.MessageReader;
import dev.parley.model.ModelGateway;
import dev.parley.node.NodeLease;
import dev.parley.settings.Settings;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.part.UsageLimits;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import dev.parley.workflow.journal.JournalKey;
import dev.parley.workflow.journal.JournalStore;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.InstanceUsage;
import dev.parley.workflow.task.SubWorkflows;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskOutcome;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs an AI task without an instance, with a model of the test. */
final class AiTaskRun {
    private static final Settings.Models PRICED = new Settings.Models(
            Optional.empty(),
            Duration.ofMinutes(1),
            Duration.ZERO,
            new Settings.Prices(BigDecimal.ONE, BigDecimal.TEN, Currency.getInstance("EUR")));

    private AiTaskRun() {}

    /** Of a task whose instance is stored: a maintenance job deletes the journals of others at any time. */
    static AttemptRecording recording(Tenant tenant, Consumer<TaskAttempt> underWay) {
        WorkflowInstanceId instance = WorkflowInstanceId.next();
        int _ = Tenant.bean(Database.class).with(handle -> handle.createUpdate("""
                        INSERT INTO workflow_instance (organization_id, id, workflow_id, workflow_version, status, state,
                            state_version, created_by, created_at, updated_at, deadline)
                        VALUES (:organization, :id, :id, 1, 'PAUSED', '{}', 1, 'system', now(), now(), now() + interval '1 day')
                        """)
                .bind("organization", tenant.organization().value())
                .bind("id", instance.value())
                .execute());
        return new AttemptRecording(
                new TaskAttempt.AttemptKey(
                        tenant.organization(), instance, TaskAttemptId.next(), "t", null, 1, Instant.now()),
                underWay);
    }

    static AttemptRecording recording(TaskAttempt.AttemptKey key, Consumer<TaskAttempt> underWay) {
        return new AttemptRecording(key, underWay);
    }

    static TaskResult of(
            Tenant tenant,
            ChatModel model,
            AiTask task,
            Map<String, @Nullable Object> inputs,
            AttemptRecording recording)
            throws TaskFailure, InterruptedException {
        return (TaskResult) of(
                tenant,
                model,
                task,
                inputs,
                recording,
                journal(recording, 1, 1),
                new InstanceUsage(UsageLimits.NONE, null, recording::usage),
                null);
    }

    /** A journal in the service's database, written by the service's node. */
    static TaskJournal journal(AttemptRecording recording, int attempt, int run) {
        return journal(recording, attempt, run, Tenant.bean(NodeLease.class).id(), "the same start");
    }

    static TaskJournal journal(AttemptRecording recording, int attempt, int run, NodeId node, String start) {
        JournalStore store = Tenant.bean(JournalStore.class);
        var key = new JournalKey(recording.key().organization(), recording.key().instance(), "t", null, 0);
        return new TaskJournal(
                new TaskJournal.JournaledAttempt(key, attempt, run, "key-of-run-" + run, false, () -> start),
                new TaskJournal.JournalStorage() {
                    @Override
                    public List<JournalEntry> load() {
                        return store.load(key);
                    }

                    @Override
                    public AppendResult append(JournalEntry entry) throws InterruptedException {
                        AppendResult result = store.append(node, entry).join();
                        if (result == AppendResult.FENCED) {
                            throw new InterruptedException();
                        }
                        return result;
                    }
                });
    }

    static TaskOutcome of(
            Tenant tenant,
            ChatModel model,
            AiTask task,
            Map<String, @Nullable Object> inputs,
            AttemptRecording recording,
            TaskJournal journal,
            InstanceUsage usage,
            @Nullable PendingToolCall decided)
            throws TaskFailure, InterruptedException {
        var executor = new AiExecutor(
                new ModelGateway(model, PRICED, Tenant.bean(BudgetLimiter.class)),
                Tenant.bean(MessageReader.class),
                Tenant.bean(AttachmentReader.class),
                Tenant.bean(ToolService.class),
                Tenant.bean(SubWorkflows.class),
                Tenant.bean(LiveTexts.class),
                Tenant.bean(BudgetLimiter.class),
                Tenant.bean(Settings.TaskLimits.class));
        return executor.run(new TaskRun(
                tenant.organization(),
                WorkflowId.next(),
                1,
                recording.key().instance(),
                null,
                task,
                1,
                inputs,
                Set.of(),
                List.of(),
                Map.of(),
                "the-key",
                Duration.ofSeconds(60),
                recording,
                journal,
                usage,
                decided));
    }
}
