package dev.parley.workflow.task.ai;

import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.EditedArguments;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.expression.core.CompiledExpression;
import dev.parley.workflow.expression.core.EvaluationCost;
import dev.parley.workflow.expression.core.EvaluationResult;
import dev.parley.workflow.expression.core.ExpressionCompiler;
import dev.parley.workflow.task.TaskRun;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which tool calls need a person's approval, and finds the person's decision. */
final class CallApproval {
    private final @Nullable PendingToolCall decided;

    CallApproval(TaskRun run) {
        this.decided = run.decided();
    }

    /** A condition that cannot be evaluated, for example because an argument is missing, requires the approval. */
    static boolean isNeeded(AgentTool tool, Map<String, @Nullable Object> arguments) {
        String when = tool.when();
        return switch (tool.approval()) {
            case NEVER -> false;
            case ALWAYS -> true;
            case WHEN -> when == null || holds(when, arguments);
        };
    }

    private static boolean holds(String when, Map<String, @Nullable Object> arguments) {
        CompiledExpression condition =
                ExpressionCompiler.compile(when, ExpressionScopes.ofArguments()).expression();
        return condition == null
                || switch (condition.evaluate(_ -> arguments, new EvaluationCost())) {
                    case EvaluationResult.Condition result -> result.holds();
                    case EvaluationResult.EvaluationError _ -> true;
                };
    }

    /** The decision on a call; empty if a person has to make it yet. */
    Optional<CallDecision> decision(PendingToolCall call) {
        return Optional.ofNullable(decided)
                .filter(known -> known.isSameCall(call))
                .map(PendingToolCall::decision);
    }

    /** The arguments that a person edited for the call at a position of the journal; null for none. */
    @Nullable
    EditedArguments edited(int position) {
        return decided == null || decided.position() != position ? null : decided.edited();
    }
}
