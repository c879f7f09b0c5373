package dev.parley.workflow.task.ai;

import dev.parley.settings.Settings;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.part.UsageLimits;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.InstanceUsage;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskRun;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Checks the limits of a task and of its instance before each call. The lower of the definition's limit and the
 * setting's applies.
 */
final class UsageGuard {
    private static final int MICROS_DIGITS = 6;

    private final Settings.TaskLimits settings;
    private final UsageLimits taskLimits;
    private final InstanceUsage instance;
    private final TaskJournal journal;

    UsageGuard(TaskRun run, Settings.TaskLimits settings) {
        this.settings = settings;
        this.taskLimits = ((AiTask) run.task()).limits();
        this.instance = run.usage();
        this.journal = run.journal();
    }

    /** @throws TaskFailure if a limit is reached that a model call would exceed */
    void beforeModelCall() throws TaskFailure {
        ModelUsage used = journal.total();
        Settings.AgentLimits task = settings.aiTask();
        check("model calls", lower(taskLimits.modelCalls(), task.modelCalls()), used.modelCalls(), "task");
        check("tokens", lower(taskLimits.tokens(), task.tokens()), used.tokens(), "task");
        checkCost(lower(taskLimits.cost(), task.cost()), used, "task");
        if (isInstanceLimited()) {
            ModelUsage all = instance.used().get();
            Settings.AgentLimits whole = settings.aiInstance();
            check(
                    "model calls",
                    lower(instance.limits().modelCalls(), whole.modelCalls()),
                    all.modelCalls(),
                    "instance");
            check("tokens", lower(instance.limits().tokens(), whole.tokens()), all.tokens(), "instance");
            checkCost(lower(instance.limits().cost(), whole.cost()), all, "instance");
        }
    }

    /** @throws TaskFailure if the limit of tool calls is reached */
    void beforeToolCall() throws TaskFailure {
        check("tool calls", taskToolCalls(), journal.total().toolCalls(), "task");
        if (instanceToolCalls() != 0) {
            check("tool calls", instanceToolCalls(), instance.used().get().toolCalls(), "instance");
        }
    }

    /** Whether the model may call tools; otherwise it is offered none, so that it answers. */
    boolean mayCallTools() {
        return isBelow(taskToolCalls(), journal.total().toolCalls())
                && (instanceToolCalls() == 0
                        || isBelow(instanceToolCalls(), instance.used().get().toolCalls()));
    }

    private long taskToolCalls() {
        return lower(taskLimits.toolCalls(), settings.aiTask().toolCalls());
    }

    private long instanceToolCalls() {
        return lower(instance.limits().toolCalls(), settings.aiInstance().toolCalls());
    }

    private boolean isInstanceLimited() {
        return !instance.limits().equals(UsageLimits.NONE)
                || settings.aiInstance().modelCalls() > 0
                || settings.aiInstance().tokens() > 0
                || settings.aiInstance().cost().signum() > 0;
    }

    /** The lower limit; 0 for none. */
    private static long lower(@Nullable Number defined, long setting) {
        if (defined == null) {
            return setting;
        }
        return setting == 0 ? defined.longValue() : Math.min(defined.longValue(), setting);
    }

    private static BigDecimal lower(@Nullable BigDecimal defined, BigDecimal setting) {
        if (defined == null) {
            return setting;
        }
        return setting.signum() == 0 ? defined : defined.min(setting);
    }

    private static boolean isBelow(long limit, long used) {
        return limit == 0 || used < limit;
    }

    private static void check(String what, long limit, long used, String whose) throws TaskFailure {
        if (!isBelow(limit, used)) {
            String noun = limit == 1 ? what.substring(0, what.length() - 1) : what;
            throw reached("%,d %s".formatted(limit, noun), "%,d".formatted(used), whose);
        }
    }

    private static void checkCost(BigDecimal limit, ModelUsage usage, String whose) throws TaskFailure {
        BigDecimal used = BigDecimal.valueOf(usage.costMicros(), MICROS_DIGITS);
        if (limit.signum() > 0 && used.compareTo(limit) >= 0) {
            throw reached("a cost of " + limit.toPlainString(), used.toPlainString(), whose);
        }
    }

    private static TaskFailure reached(String limit, String used, String whose) {
        String verb = used.equals("1") ? " has" : " have";
        return TaskFailure.permanent(
                "Limit reached", "The limit of the " + whose + " is " + limit + ", and " + used + verb + " been used.");
    }
}
