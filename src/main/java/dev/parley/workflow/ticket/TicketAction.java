package dev.parley.workflow.ticket;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.TaskId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A person's answer to a ticket, for the instance. {@code by} has the format of {@code created_by}. */
public sealed interface TicketAction {
    TaskId task();

    /** The attempt that the ticket was opened for. */
    int attempt();

    RuleType ruleType();

    String by();

    /**
     * Submits the form: a Human task's outputs, the outputs of a task that failed, or the requested inputs.
     *
     * @param answer coerced values by the names of the form
     */
    record Complete(TaskId task, int attempt, RuleType ruleType, Map<String, @Nullable Object> answer, String by)
            implements TicketAction {
        public Complete {
            answer = Collections.unmodifiableMap(new LinkedHashMap<>(answer));
        }
    }

    /** Rejects the ticket; on an Exception ticket this raises the exception. */
    record Reject(TaskId task, int attempt, RuleType ruleType, String reason, String by) implements TicketAction {}

    /** Runs the failed task again. */
    record RetryTask(TaskId task, int attempt, String by) implements TicketAction {
        @Override
        public RuleType ruleType() {
            return RuleType.EXCEPTION;
        }
    }
}
