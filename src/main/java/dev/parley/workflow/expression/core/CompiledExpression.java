package dev.parley.workflow.expression.core;

import com.google.protobuf.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A compiled expression of type bool. Thread-safe; evaluation has no side effects and takes bounded time. */
public final class CompiledExpression {
    private final String text;
    private final CelRuntime.Program program;
    private final Map<List<String>, ExpressionType> references;

    CompiledExpression(String text, CelRuntime.Program program, Map<List<String>, ExpressionType> references) {
        this.text = text;
        this.program = program;
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
     */
    public EvaluationResult evaluate(Function<List<String>, @Nullable Object> values) {
        try {
            Map<String, Object> variables = new HashMap<>();
            for (Map.Entry<List<String>, ExpressionType> reference : references.entrySet()) {
                Object value = values.apply(reference.getKey());
                put(variables, reference.getKey(), ExpressionValues.celValue(reference.getValue(), value));
            }
            return switch (program.eval(variables)) {
                case Boolean holds -> new EvaluationResult.Condition(holds);
                case NullValue _ -> new EvaluationResult.Condition(false);
                case Object _ -> new EvaluationResult.EvaluationError("The value is not a bool.");
            };
        } catch (CelEvaluationException | RuntimeException e) {
            return new EvaluationResult.EvaluationError(ExpressionMessages.readable(String.valueOf(e.getMessage())));
        }
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
