package dev.parley.workflow.definition.core;

import dev.parley.problem.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the validator found.
 *
 * @param definition the document as values; present exactly when there is no error
 * @param errors every fault, sorted by pointer
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
     * @throws IllegalStateException when it is not
     */
    public WorkflowDefinition required() {
        if (definition == null) {
            throw new IllegalStateException("The workflow definition is not valid: " + errors.getFirst());
        }
        return definition;
    }
}
