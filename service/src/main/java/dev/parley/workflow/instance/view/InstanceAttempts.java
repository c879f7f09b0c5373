package dev.parley.workflow.instance.view;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.TaskAttemptId;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.attempt.AttemptStatements;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.task.coder.ConsoleStore;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the attempts of an instance's tasks for the API. */
@Singleton
public final class InstanceAttempts {
    private static final int MAX_PAGE_SIZE = 50;

    private final AttemptStatements attempts;
    private final ConsoleStore consoles;

    public InstanceAttempts(Database database) {
        this.attempts = database.statements(AttemptStatements.class);
        this.consoles = database.statements(ConsoleStore.class);
    }

    /** The page requested by the query parameters. */
    public Page<AttemptView> page(
            StoredInstance instance, @Nullable String limit, @Nullable String after, @Nullable String task) {
        int most = Page.limit(limit, Page.DEFAULT_LIMIT, MAX_PAGE_SIZE);
        var validator = new RequestValidator();
        Optional<TaskAttemptId> cursor = validator.parameterId(after, "after", TaskAttemptId::parse);
        validator.requireParameter(
                task == null || task(instance.state(), task).isPresent(),
                ViolationCode.NOT_FOUND,
                "task",
                "'task' must be the id of a task of this workflow.");
        validator.done();
        var header = instance.header();
        Page<TaskAttempt> found = Page.of(
                attempts.list(header.organization(), header.id(), task, cursor.orElse(null), most + 1),
                most,
                attempt -> attempt.key().id().text());
        List<ConsoleStore.ConsoleKey> withConsole = found.items().stream()
                .filter(attempt -> task(instance.state(), attempt.key().task())
                        .filter(declared -> declared.kind().hasConsole())
                        .isPresent())
                .map(InstanceAttempts::console)
                .toList();
        Map<ConsoleStore.ConsoleKey, String> written = withConsole.isEmpty()
                ? Map.of()
                : consoles.of(
                        header.organization(),
                        header.id(),
                        withConsole.stream().map(ConsoleStore.ConsoleKey::task).toList(),
                        withConsole.stream()
                                .map(ConsoleStore.ConsoleKey::attempt)
                                .toList());
        return new Page<>(
                found.items().stream()
                        .map(attempt -> AttemptView.of(shown(attempt, instance.state()), written.get(console(attempt))))
                        .toList(),
                found.next());
    }

    private static ConsoleStore.ConsoleKey console(TaskAttempt attempt) {
        return new ConsoleStore.ConsoleKey(attempt.key().task(), attempt.key().attempt());
    }

    private static Optional<Task> task(InstanceState state, String id) {
        return state.plan().tasks().stream()
                .filter(task -> task.id().value().equals(id))
                .findFirst();
    }

    /**
     * Corrects a row that is still RUNNING although its task is not, because another node ended the instance after its
     * node died.
     */
    private static TaskAttempt shown(TaskAttempt attempt, InstanceState state) {
        boolean runs = task(state, attempt.key().task())
                .map(task -> state.tasks()
                        .withAttempt(
                                state.plan().number(task.id()), attempt.key().attempt()))
                .filter(TaskState::isExecuting)
                .isPresent();
        return attempt.status() == AttemptStatus.RUNNING && !runs ? attempt.lost(state.updatedAt()) : attempt;
    }
}
