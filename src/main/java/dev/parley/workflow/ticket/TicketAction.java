package dev.parley.workflow.ticket;

import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.TaskId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A person's answer to a ticket, as the instance gets it. {@code by} is written as in {@code created_by}. */
public sealed interface TicketAction {
    TaskId task();

    /** The attempt that the ticket was opened for. */
    int attempt();

    RuleType ruleType();

    String by();

    /**
     * The form is filled in: a Human task's outputs, the outputs of a task that failed, or the inputs asked for.
     *
     * @param answer coerced values by the names of the form
     */
    record Complete(TaskId task, int attempt, RuleType ruleType, Map<String, @Nullable Object> answer, String by)
            implements TicketAction {
        public Complete {
            answer = Collections.unmodifiableMap(new LinkedHashMap<>(answer));
        }
    }

    /** The person refuses; on an Exception ticket this raises the exception. */
    record Reject(TaskId task, int attempt, RuleType ruleType, String reason, String by) implements TicketAction {}

    /** The task that failed shall run again. */
    record RetryTask(TaskId task, int attempt, String by) implements TicketAction {
        @Override
        public RuleType ruleType() {
            return RuleType.EXCEPTION;
        }
    }
}
