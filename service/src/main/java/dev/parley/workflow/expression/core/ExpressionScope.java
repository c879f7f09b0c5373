package dev.parley.workflow.expression.core;

import java.util.List;
import java.util.Map;

/**
 * The variables that an expression may use.
 *
 * @param variables types by path, such as {@code [inputs, amount]} or {@code [tasks, review, approved]}
 */
public record ExpressionScope(Map<List<String>, ExpressionType> variables) {
    public ExpressionScope {
        variables = Map.copyOf(variables);
    }
}
