package dev.parley.workflow.definition.core.check;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of validating a document.
 *
 * @param definition the parsed document; null exactly when there are errors
 * @param errors all violations, sorted by pointer
 */
public record ValidationResult(@Nullable WorkflowDefinition definition, List<Violation> errors) {
    public ValidationResult {
        errors = List.copyOf(errors);
    }

    public boolean valid() {
        return errors.isEmpty();
    }

    /**
     * The definition of a document that is known to be valid.
     *
     * @throws IllegalStateException if it is not valid
     */
    public WorkflowDefinition required() {
        if (definition == null) {
            throw new IllegalStateException("The workflow definition is not valid: " + errors.getFirst());
        }
        return definition;
    }
}
