package dev.parley.workflow.definition.core;

import dev.parley.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every rule about the agent document. It is pure and takes time linear in the
 * document's size; a document has plain JDK values: {@code Map<String, ?>}, {@code List<?>}, {@code String},
 * {@code Boolean}, {@code Integer}, {@code Long}, {@code BigInteger}, {@code BigDecimal}, {@code Double}, null.
 *
 * <p>All faults are reported at once, each with its JSON Pointer and one of four kinds:
 *
 * <ul>
 *   <li>{@code Missing Required Field}: a field that must be there is absent, null or blank; a connection that a
 *       required input or a task needs; a tool, code artifact or data lake that does not exist
 *   <li>{@code Invalid Type}: any other wrong value: of another type, too long, not among the allowed words, not a
 *       field at all, an end that does not exist, a name used twice, types that do not connect
 *   <li>{@code Cyclic Dependency}: tasks that wait for each other, with the path; one for each group of them
 *   <li>{@code Invalid Assignment}: everything under {@code /assignment_rules}
 * </ul>
 */
public final class DefinitionValidator {
    private static final Set<String> FIELDS =
            Set.of("name", "description", "assignment_rules", "tasks", "connections", "dependencies");

    private final @Nullable KnownReferences known;
    private final ViolationCollector faults;

    private DefinitionValidator(@Nullable KnownReferences known) {
        this.known = known;
        this.faults = ViolationCollector.in(new ArrayList<>(), known == null);
    }

    /** Checks a document, and that what it names exists. */
    public static ValidationResult validate(@Nullable Object document, KnownReferences known) {
        return new DefinitionValidator(known).read(document);
    }

    /**
     * Reads a document that was valid when it was stored. Whether what it names still exists is not asked: a published
     * version stays readable when a member leaves. Nor are rules held that came later.
     */
    public static ValidationResult readStored(@Nullable Object document) {
        return new DefinitionValidator(null).read(document);
    }

    private ValidationResult read(@Nullable Object document) {
        ObjectReader root = ObjectReader.of(document, JsonPointer.ROOT, "the workflow", faults);
        if (root == null) {
            return new ValidationResult(null, faults.sorted());
        }
        root.refuseOthers(FIELDS::contains);
        String name = root.name("name");
        String description = root.optionalText("description", DefinitionLimits.DESCRIPTION);
        List<AssignmentRule> rules = new AssignmentReader(known)
                .read(root.raw("assignment_rules"), JsonPointer.ROOT.to("assignment_rules"), faults);
        List<ReadTask> tasks = tasks(root);
        ConnectionValidator wiring = new ConnectionValidator(tasks, faults);
        wiring.read(root);
        wiring.check();
        List<Violation> errors = faults.sorted();
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
                        wiring.dependencies()),
                errors);
    }

    private List<ReadTask> tasks(ObjectReader root) {
        List<?> nodes = root.list("tasks");
        if (nodes == null) {
            return List.of();
        }
        JsonPointer at = root.at().to("tasks");
        if (nodes.isEmpty() && root.raw("tasks") instanceof List<?>) {
            faults.missing(at, "A workflow needs at least one task.");
        }
        if (nodes.size() > DefinitionLimits.TASKS) {
            faults.invalid(
                    at,
                    "A workflow has at most %,d tasks, and this one has %,d."
                            .formatted(DefinitionLimits.TASKS, nodes.size()));
        }
        TaskReader reader = new TaskReader(known, faults);
        List<ReadTask> tasks = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            ReadTask task = reader.read(nodes.get(i), at.to(i));
            if (task != null) {
                tasks.add(task);
            }
        }
        return tasks;
    }
}
