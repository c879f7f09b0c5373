package dev.parley.workflow.task;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.journal.TaskJournal;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a task.
 *
 * @param workflowVersion the published version of the instance; 0 for a test run of a draft
 * @param conversation null for an instance without one
 * @param inputs by name, already coerced to the parameters' types
 * @param fetched the names of the inputs that were read from a store, and may differ in the next attempt
 * @param files URLs of the trigger's files that are no input of the workflow, for a task without predecessors
 * @param earlierOutputs outputs of the conversation's earlier instances by name, for models
 * @param idempotencyKey the same for every execution that must take effect only once
 * @param limit the remaining time
 * @param recording records the executor's calls
 * @param journal for executors that keep one
 * @param usage of the models of the whole instance
 * @param decided the tool call on which a person has decided last; null for none
 */
public record TaskRun(
        OrganizationId organization,
        WorkflowId workflow,
        int workflowVersion,
        WorkflowInstanceId instance,
        @Nullable ConversationId conversation,
        Task task,
        int attempt,
        Map<String, @Nullable Object> inputs,
        Set<String> fetched,
        List<String> files,
        Map<String, @Nullable Object> earlierOutputs,
        String idempotencyKey,
        Duration limit,
        AttemptRecording recording,
        TaskJournal journal,
        InstanceUsage usage,
        @Nullable PendingToolCall decided) {
    public TaskRun {
        fetched = Set.copyOf(fetched);
        files = List.copyOf(files);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        earlierOutputs = Collections.unmodifiableMap(new LinkedHashMap<>(earlierOutputs));
    }

    /** The same run with what an earlier attempt read from stores. */
    public TaskRun with(Map<String, @Nullable Object> earlierInputs, Map<String, @Nullable Object> knownOutputs) {
        return new TaskRun(
                organization,
                workflow,
                workflowVersion,
                instance,
                conversation,
                task,
                attempt,
                earlierInputs,
                fetched,
                files,
                knownOutputs,
                idempotencyKey,
                limit,
                recording,
                journal,
                usage,
                decided);
    }
}
