package dev.parley.engine.local;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.http.StrictJson;
import dev.parley.id.NodeId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.attempt.AttemptRow;
import dev.parley.workflow.attempt.AttemptRows;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.run.ChangeSideEffects;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceHeader.ParentTask;
import dev.parley.workflow.instance.store.InstanceJson;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Stores instance changes in batches: changes that arrive during a commit form the next batch, and a batch without
 * tickets and messages is one statement. The log's primary key is the lock: of two writers of one version, the second
 * changes nothing.
 */
@Singleton
public final class InstanceStore {
    private static final int BATCH = 256;

    /** The maximum distance between checkpoints, which bounds the log rows read on load. */
    public static final int CHECKPOINT_EVERY = 64;

    private static final String CREATED = """
            , created AS (
                INSERT INTO workflow_instance (organization_id, id, workflow_id, workflow_version, definition,
                    test_run, conversation_id, team_id, rerun_of, rerun_from_task, parent_instance_id, parent_task,
                    parent_key, depth, input_preview, status, node_id, state, state_version, created_by, created_at, updated_at,
                    finished_at, deadline, wake_at)
                SELECT c.* FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::boolean[], ?::uuid[],
                    ?::int[], ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[],
                    ?::uuid[], ?::text[], ?::int[], ?::text[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[],
                    ?::timestamptz[])
                    AS c (organization_id, id, workflow_id, workflow_version, definition, test_run, conversation_id,
                        team_id, rerun_of, rerun_from_task, parent_instance_id, parent_task, parent_key, depth,
                        input_preview, status, node_id, state, state_version, created_by,
                        created_at, updated_at, finished_at, deadline, wake_at), fence
            )
            """;

    private static final String LOGGED = """
            , logged AS (
                INSERT INTO workflow_instance_log
                    (organization_id, instance_id, version, at, event, actor, steps, delta,
                    attempt_id, attempt, attempt_content)
                SELECT l.* FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::timestamptz[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[])
                    AS l (organization_id, instance_id, version, at, event, actor, steps, delta, attempt_id, attempt,
                        attempt_content), fence
                ON CONFLICT (organization_id, instance_id, version) DO NOTHING
                RETURNING organization_id, instance_id
            )
            """;

    /** The time limit of an instance does not include the time in which it only waits for a time or an event. */
    private static final String UPDATED = """
            , updated AS (
                UPDATE workflow_instance i SET status = u.status, updated_at = u.updated_at,
                    node_id = CASE WHEN u.node_id IS NOT NULL THEN COALESCE(i.node_id, u.node_id) END,
                    finished_at = u.finished_at, state = COALESCE(u.state, i.state),
                    state_version = COALESCE(u.state_version, i.state_version), wake_at = u.wake_at,
                    deadline = i.deadline + CASE WHEN i.wake_at IS NOT NULL AND i.node_id IS NULL
                        THEN greatest(u.updated_at - i.updated_at, interval '0') ELSE interval '0' END
                FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::uuid[], ?::timestamptz[], ?::timestamptz[], ?::text[],
                    ?::int[], ?::timestamptz[])
                    AS u (organization_id, id, status, node_id, updated_at, finished_at, state, state_version, wake_at)
                    JOIN logged ON logged.organization_id = u.organization_id AND logged.instance_id = u.id
                WHERE i.organization_id = u.organization_id AND i.id = u.id
            )
            """;

    private static final String ATTEMPTED = ", attempted AS ("
            + AttemptRows.insert(
                    "JOIN logged ON logged.organization_id = a.organization_id AND logged.instance_id = a.instance_id")
            + ") ";

    private static final String RESULT = "SELECT (SELECT count(*) FROM fence), ARRAY(SELECT instance_id FROM logged)";

    /** Most changes only append to the log; the statement contains only the parts that it needs. */
    private static String sql(boolean creates, boolean updates, boolean attempts) {
        return NodeLease.FENCE
                + (creates ? CREATED : "")
                + LOGGED
                + (updates ? UPDATED : "")
                + (attempts ? ATTEMPTED : "")
                + RESULT;
    }

    private static final List<String> SQL = IntStream.range(0, 8)
            .mapToObj(parts -> sql((parts & 1) != 0, (parts & 2) != 0, (parts & 4) != 0))
            .toList();

    private final Database database;
    private final ChangeSideEffects sideEffects;
    private final GroupCommit<EncodedChange, ChangeReceipt> commits;

    public InstanceStore(Database database, ChangeSideEffects sideEffects, ServiceSize size) {
        this.database = database;
        this.sideEffects = sideEffects;
        this.commits = new GroupCommit<>("instance-commit", size.instanceCommits(), BATCH, this::write);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    /** A change with its JSON, encoded before it waits, because one writer stores the changes of all instances. */
    private record EncodedChange(
            OwnedChange owned,
            @Nullable String firstState,
            @Nullable String state,
            String delta,
            @Nullable String steps,
            @Nullable AttemptRow attempt) {
        static EncodedChange of(OwnedChange owned) {
            InstanceChange change = owned.change();
            InstanceState state = change.state();
            List<Effect.StatusChanged> steps = change.steps();
            return new EncodedChange(
                    owned,
                    // The state before the first change is little more than the trigger; the log's first row adds to
                    // it.
                    change.creates()
                            ? InstanceJson.write(InstanceState.create(
                                    state.plan(),
                                    state.trigger(),
                                    owned.header().createdAt()))
                            : null,
                    owned.writesState() ? InstanceJson.write(state) : null,
                    InstanceJson.write(change.delta()),
                    steps.isEmpty() ? null : StrictJson.write(steps),
                    change.attempt() == null ? null : AttemptRow.of(change.attempt()));
        }

        InstanceChange change() {
            return owned.change();
        }

        InstanceHeader header() {
            return owned.header();
        }

        InstanceState instanceState() {
            return owned.state();
        }

        /** The attempt that the change ended, unless it has a row of its own. */
        @Nullable
        AttemptRow newAttempt() {
            return isAttemptStored() ? null : attempt;
        }

        boolean isAttemptStored() {
            TaskAttempt ended = change().attempt();
            return ended != null && ended.isStored();
        }
    }

    /** Stores a change; completes after the commit. */
    CompletableFuture<ChangeReceipt> commit(OwnedChange change) {
        return commits.submit(EncodedChange.of(change));
    }

    private List<ChangeReceipt> write(List<EncodedChange> batch) {
        List<EncodedChange> first = ofOneStatement(batch);
        WrittenChanges written = write(first, first.getFirst().owned().writer());
        return first.stream().map(written::receipt).toList();
    }

    /**
     * The first changes that one statement can write: of one node id, which fencing replaces, and one of each instance,
     * because the statement reports its result per instance.
     */
    private static List<EncodedChange> ofOneStatement(List<EncodedChange> batch) {
        NodeId writer = batch.getFirst().owned().writer();
        Set<WorkflowInstanceId> instances = new HashSet<>();
        return batch.stream()
                .takeWhile(change -> change.owned().writer().equals(writer)
                        && instances.add(change.header().id()))
                .toList();
    }

    private WrittenChanges write(List<EncodedChange> batch, NodeId writer) {
        List<InstanceChange> changes = batch.stream().map(EncodedChange::change).toList();
        if (changes.stream().anyMatch(sideEffects::has)) {
            return database.transaction(handle -> {
                WrittenChanges written = writeRows(handle, batch, writer);
                sideEffects.write(handle, written.stored(batch));
                return written;
            });
        }
        WrittenChanges written = database.jdbc(connection -> writeRows(connection, batch, writer));
        if (sideEffects.areWanted(changes)) {
            database.change(handle -> sideEffects.publish(handle, written.stored(batch)));
        }
        return written;
    }

    private record WrittenChanges(boolean fenceHeld, Set<UUID> logged) {
        List<InstanceChange> stored(List<EncodedChange> batch) {
            return batch.stream()
                    .map(EncodedChange::change)
                    .filter(change -> logged.contains(change.header().id().value()))
                    .toList();
        }

        ChangeReceipt receipt(EncodedChange change) {
            if (!fenceHeld) {
                return ChangeReceipt.FENCED;
            }
            return logged.contains(change.header().id().value()) ? ChangeReceipt.STORED : ChangeReceipt.CONFLICT;
        }
    }

    private static WrittenChanges writeRows(Handle handle, List<EncodedChange> batch, NodeId writer) {
        try {
            return writeRows(handle.getConnection(), batch, writer);
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    private static WrittenChanges writeRows(Connection connection, List<EncodedChange> batch, NodeId writer)
            throws SQLException {
        List<EncodedChange> created =
                batch.stream().filter(row -> row.change().creates()).toList();
        List<EncodedChange> updated = batch.stream()
                .filter(row -> row.owned().rowChanges() && !row.change().creates())
                .toList();
        List<AttemptRow> attempts = batch.stream()
                .filter(EncodedChange::isAttemptStored)
                .map(EncodedChange::attempt)
                .filter(Objects::nonNull)
                .toList();
        String sql = SQL.get((created.isEmpty() ? 0 : 1) + (updated.isEmpty() ? 0 : 2) + (attempts.isEmpty() ? 0 : 4));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, writer.value());
            int next = created.isEmpty() ? 2 : bindCreated(new BatchInsert<>(statement, 2, created));
            next = bindLogged(new BatchInsert<>(statement, next, batch));
            if (!updated.isEmpty()) {
                next = bindUpdated(new BatchInsert<>(statement, next, updated));
            }
            if (!attempts.isEmpty()) {
                AttemptRows.bind(statement, next, attempts);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new WrittenChanges(row.getInt(1) == 1, new HashSet<>(List.of((UUID[])
                        row.getArray(2).getArray())));
            }
        }
    }

    private static int bindCreated(BatchInsert<EncodedChange> rows) throws SQLException {
        rows.ids(row -> row.header().organization());
        rows.ids(row -> row.header().id());
        rows.ids(row -> row.header().workflow());
        rows.integers(row -> row.header().workflowVersion());
        rows.texts(row -> row.header().definition());
        rows.booleans(row -> row.header().testRun());
        rows.ids(row -> row.header().conversation());
        rows.integers(row -> row.header().teamId());
        rows.ids(row -> row.header().rerunOf());
        rows.texts(row -> row.header().rerunFromTask());
        rows.ids(row -> ifPresent(row.header().parent(), ParentTask::instance));
        rows.texts(row -> ifPresent(row.header().parent(), ParentTask::task));
        rows.texts(row -> ifPresent(row.header().parent(), ParentTask::key));
        rows.integers(row -> row.header().depth());
        rows.texts(row -> row.header().inputPreview());
        rows.texts(row -> row.instanceState().status().name());
        rows.ids(row -> row.owned().owner());
        rows.texts(EncodedChange::firstState);
        rows.integers(_ -> 0);
        rows.texts(row -> row.header().createdBy());
        rows.times(row -> row.header().createdAt());
        rows.times(row -> row.instanceState().updatedAt());
        rows.times(row -> row.instanceState().finishedAt());
        rows.times(row -> row.header().deadline());
        rows.times(row -> row.instanceState().nextWake());
        return rows.next();
    }

    private static <T, V> @Nullable V ifPresent(@Nullable T value, Function<T, V> part) {
        return value == null ? null : part.apply(value);
    }

    private static int bindLogged(BatchInsert<EncodedChange> rows) throws SQLException {
        rows.ids(row -> row.header().organization());
        rows.ids(row -> row.header().id());
        rows.integers(row -> row.change().delta().version());
        rows.times(row -> row.change().delta().updatedAt());
        rows.texts(row -> row.change().event());
        rows.texts(row -> row.change().actor());
        rows.texts(EncodedChange::steps);
        rows.texts(EncodedChange::delta);
        rows.ids(row -> ifPresent(row.newAttempt(), AttemptRow::id));
        rows.texts(row -> ifPresent(row.newAttempt(), AttemptRow::attempt));
        rows.texts(row -> ifPresent(row.newAttempt(), AttemptRow::content));
        return rows.next();
    }

    private static int bindUpdated(BatchInsert<EncodedChange> rows) throws SQLException {
        rows.ids(row -> row.header().organization());
        rows.ids(row -> row.header().id());
        rows.texts(row -> row.instanceState().status().name());
        rows.ids(row -> row.owned().owner());
        rows.times(row -> row.instanceState().updatedAt());
        rows.times(row -> row.instanceState().finishedAt());
        rows.texts(EncodedChange::state);
        rows.integers(row -> row.state() != null ? row.change().delta().version() : null);
        rows.times(row -> row.instanceState().nextWake());
        return rows.next();
    }
}
