package dev.parley.workflow.definition.core.check;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.ReadTask;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Validates the agent document. Pure and linear in the document's size. A document consists of plain JDK values:
 * {@code Map<String, ?>}, {@code List<?>}, {@code String}, {@code Boolean}, {@code Integer}, {@code Long},
 * {@code BigInteger}, {@code BigDecimal}, {@code Double}, null.
 *
 * <p>All violations are reported at once, each with its JSON Pointer and one of four kinds:
 * <ul>
 * <li>{@code Missing Required Field}: a required field is absent, null or blank; a required input or a task has no
 * connection; a tool, code artifact or data lake does not exist
 * <li>{@code Invalid Type}: any other invalid value: wrong type, too long, not an allowed word, an unknown field, an
 * unknown end, a duplicate name, incompatible types
 * <li>{@code Cyclic Dependency}: tasks that wait for each other, with the path; one per group of tasks
 * <li>{@code Invalid Assignment}: everything under {@code /assignment_rules}
 * </ul>
 */
public final class DefinitionValidator {
    private static final DocumentProperty<String> NAME = DocumentProperty.singleLine("name");
    private static final DocumentProperty<String> DESCRIPTION = DocumentProperty.anyText(
                    "description", DefinitionLimits.DESCRIPTION)
            .optional();
    private static final DocumentProperty<List<?>> TASKS = DocumentProperty.list("tasks", SchemaParts.arrayOf("task"))
            .with("minItems", 1)
            .with("maxItems", DefinitionLimits.TASKS);
    static final ObjectShape WORKFLOW = ObjectShape.of(
            NAME,
            DESCRIPTION,
            AssignmentReader.RULES,
            TASKS,
            ConnectionValidator.CONNECTIONS,
            ConnectionValidator.DEPENDENCIES,
            UsageLimits.LIMITS);

    private final @Nullable KnownReferences known;
    private final ViolationCollector violations;

    private DefinitionValidator(@Nullable KnownReferences known) {
        this.known = known;
        this.violations = ViolationCollector.in(new ArrayList<>(), known == null);
    }

    /** Validates a document, including the existence of what it references. */
    public static ValidationResult validate(@Nullable Object document, KnownReferences known) {
        return new DefinitionValidator(known).read(document);
    }

    /**
     * Reads a document that was valid when it was stored. References are not checked: a published version stays
     * readable after a member leaves. Rules introduced after it was stored do not apply.
     */
    public static ValidationResult readStored(@Nullable Object document) {
        return new DefinitionValidator(null).read(document);
    }

    private ValidationResult read(@Nullable Object document) {
        ObjectReader root = ObjectReader.of(document, JsonPointer.ROOT, "the workflow", violations);
        if (root == null) {
            return new ValidationResult(null, violations.sorted());
        }
        root.refuseOthers(WORKFLOW);
        String name = root.read(NAME);
        String description = root.read(DESCRIPTION);
        List<AssignmentRule> rules = new AssignmentReader(known).read(root);
        UsageLimits limits = UsageLimits.read(root);
        List<ReadTask> tasks = tasks(root);
        ConnectionValidator wiring = new ConnectionValidator(tasks, violations);
        wiring.read(root);
        wiring.check();
        new ConditionValidator(tasks, wiring, violations).check();
        List<Violation> errors = violations.sorted();
        if (!errors.isEmpty() || name == null) {
            return new ValidationResult(null, errors);
        }
        return new ValidationResult(
                new WorkflowDefinition(
                        name,
                        description == null ? "" : description,
                        rules,
                        tasks.stream()
                                .map(ReadTask::task)
                                .map(Objects::requireNonNull)
                                .toList(),
                        wiring.connections(),
                        wiring.dependencies(),
                        limits),
                errors);
    }

    private List<ReadTask> tasks(ObjectReader root) {
        JsonPointer at = root.at().to("tasks");
        int size = root.raw("tasks") instanceof List<?> nodes ? nodes.size() : 1;
        if (size == 0) {
            violations.missing(ViolationCode.TOO_FEW, at, "A workflow needs at least one task.", Map.of("min", 1));
        } else if (size > DefinitionLimits.TASKS) {
            violations.invalid(
                    ViolationCode.TOO_MANY,
                    at,
                    "A workflow has at most %,d tasks, and this one has %,d.".formatted(DefinitionLimits.TASKS, size),
                    Map.of("max", DefinitionLimits.TASKS, "actual", size));
        }
        TaskReader reader = new TaskReader(known, violations);
        List<ReadTask> tasks = new ArrayList<>();
        root.forEach(TASKS, "the task", task -> tasks.add(reader.read(task)));
        return tasks;
    }
}
