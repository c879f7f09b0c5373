package dev.parley.workflow.expression.core;

import com.google.protobuf.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.parley.problem.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A compiled expression of type bool. Thread-safe; evaluation has no side effects and takes bounded time. */
public final class CompiledExpression {
    /** A message may quote a value. */
    private static final int MAX_MESSAGE_LENGTH = 1_000;

    private final String text;
    private final CelRuntime.Program program;
    private final EvaluationOrder order;
    private final Map<List<String>, ExpressionType> references;

    CompiledExpression(
            String text,
            CelRuntime.Program program,
            EvaluationOrder order,
            Map<List<String>, ExpressionType> references) {
        this.text = text;
        this.program = program;
        this.order = order;
        this.references = references;
    }

    @Override
    public String toString() {
        return text;
    }

    /** The paths of the variables that the expression reads. */
    public Set<List<String>> references() {
        return references.keySet();
    }

    /**
     * Evaluates the expression.
     *
     * @param values supplies the value of each referenced variable by its path, as the value rules coerce it
     * @param cost the work that this evaluation may do; an evaluation that would do more is an error
     */
    public EvaluationResult evaluate(Function<List<String>, @Nullable Object> values, EvaluationCost cost) {
        cost.begin();
        try {
            return ScopedValue.where(EvaluationCost.CURRENT, cost).call(() -> evaluateWithin(cost, values));
        } catch (CelEvaluationException | RuntimeException | EvaluationCost.LimitExceeded e) {
            String message = Text.truncate(String.valueOf(e.getMessage()), MAX_MESSAGE_LENGTH);
            return new EvaluationResult.EvaluationError(ExpressionMessages.readable(message));
        } finally {
            cost.end();
        }
    }

    private EvaluationResult evaluateWithin(EvaluationCost cost, Function<List<String>, @Nullable Object> values)
            throws CelEvaluationException {
        Map<String, Object> variables = new HashMap<>();
        for (Map.Entry<List<String>, ExpressionType> reference : references.entrySet()) {
            Object value = values.apply(reference.getKey());
            put(variables, reference.getKey(), ExpressionValues.celValue(reference.getValue(), value));
        }
        return switch (program.trace(variables, order.meter(cost))) {
            case Boolean holds -> new EvaluationResult.Condition(holds);
            case NullValue _ -> new EvaluationResult.Condition(false);
            case Object _ -> new EvaluationResult.EvaluationError("The value is not a bool.");
        };
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> variables, List<String> path, Object value) {
        Map<String, Object> parent = variables;
        for (String name : path.subList(0, path.size() - 1)) {
            parent = (Map<String, Object>) parent.computeIfAbsent(name, _ -> new HashMap<String, Object>());
        }
        parent.put(path.getLast(), value);
    }
}
