package dev.parley.engine.restate;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.workflow.attempt.AttemptRow;
import dev.parley.workflow.attempt.AttemptRows;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.run.AttemptRecorder;
import dev.parley.workflow.instance.run.ChangeSideEffects;
import dev.parley.workflow.instance.run.RunMetrics;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceHeader.ParentTask;
import dev.parley.workflow.instance.store.InstanceJson;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of one instance to PostgreSQL, where lists, the API and the history read them. Repeating a projection
 * changes nothing: a version has its row and its side effects once.
 */
@Singleton
public final class InstanceProjection {
    /** The maximum distance between complete states in the row, which bounds the log rows read on load. */
    private static final int CHECKPOINT_EVERY = 64;

    private static final String CREATED = """
            WITH created AS (
                INSERT INTO workflow_instance (organization_id, id, workflow_id, workflow_version, definition,
                    test_run, conversation_id, team_id, rerun_of, rerun_from_task, parent_instance_id, parent_task,
                    parent_key, depth, input_preview, status, state, state_version, created_by, created_at, updated_at,
                    finished_at, deadline, wake_at)
                SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::boolean[], ?::uuid[],
                    ?::int[], ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[],
                    ?::text[], ?::int[], ?::text[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[], ?::timestamptz[],
                    ?::timestamptz[])
                ON CONFLICT (organization_id, id) DO NOTHING
            ),
            """;

    /** Adds nothing if an earlier execution stored one of the changes. */
    private static final String LOGGED = """
            logged AS (
                INSERT INTO workflow_instance_log (organization_id, instance_id, version, at, event, actor, steps,
                    delta, attempt_id, attempt, attempt_content, changes)
                SELECT r.organization_id, r.instance_id, r.version, r.at, r.event, r.actor, r.steps, r.delta,
                    r.attempt_id, r.attempt, r.attempt_content,
                    CASE WHEN r.first_version < r.version THEN ARRAY(
                        SELECT ROW(c.*)::instance_change FROM unnest(?::int[], ?::timestamptz[], ?::text[], ?::text[],
                            ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[]) c) END
                FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::int[], ?::timestamptz[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[])
                    AS r (organization_id, instance_id, first_version, version, at, event, actor, steps, delta,
                        attempt_id, attempt, attempt_content)
                WHERE NOT EXISTS (SELECT FROM workflow_instance_log l WHERE l.organization_id = r.organization_id
                    AND l.instance_id = r.instance_id AND l.version >= r.first_version)
                ON CONFLICT (organization_id, instance_id, version) DO NOTHING
                RETURNING organization_id, instance_id, version
            )
            """;

    /** The time limit of an instance does not include the time in which it only waits for a time or an event. */
    private static final String UPDATED = """
            , updated AS (
                UPDATE workflow_instance i SET status = u.status, updated_at = u.updated_at,
                    finished_at = u.finished_at, state = COALESCE(u.state, i.state),
                    state_version = COALESCE(u.state_version, i.state_version), wake_at = u.wake_at,
                    deadline = i.deadline + CASE WHEN i.wake_at IS NOT NULL
                        THEN greatest(u.updated_at - i.updated_at, interval '0') ELSE interval '0' END
                FROM unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::timestamptz[], ?::timestamptz[], ?::text[],
                    ?::int[], ?::timestamptz[])
                    AS u (organization_id, id, version, status, updated_at, finished_at, state, state_version, wake_at)
                    JOIN logged ON logged.organization_id = u.organization_id AND logged.instance_id = u.id
                        AND logged.version = u.version
                WHERE i.organization_id = u.organization_id AND i.id = u.id
            )
            """;

    private static final String RESULT = "SELECT EXISTS (SELECT FROM logged)";
    private static final String CREATE = CREATED + LOGGED + RESULT;
    private static final String UPDATE = "WITH " + LOGGED + UPDATED + RESULT;

    private final Database database;
    private final ChangeSideEffects sideEffects;
    private final AttemptRecorder attempts;
    private final RunMetrics ended;

    public InstanceProjection(
            Database database, ChangeSideEffects sideEffects, AttemptRecorder attempts, RunMetrics ended) {
        this.database = database;
        this.sideEffects = sideEffects;
        this.attempts = attempts;
        this.ended = ended;
    }

    /**
     * Writes consecutive changes of one instance, several as one row.
     *
     * @throws dev.parley.problem.ApiProblem if a companion cannot be applied; then nothing is written
     */
    void write(List<InstanceChange> changes) {
        List<InstanceChange> stored = database.transaction(handle -> {
            List<InstanceChange> fresh = writeRows(handle, changes) ? changes : writeOthers(handle, changes);
            endStoredAttempts(handle, fresh);
            sideEffects.write(handle, fresh);
            return fresh;
        });
        for (InstanceChange change : stored) {
            TaskAttempt attempt = change.attempt();
            if (attempt != null) {
                attempts.count(change.header(), attempt);
            }
        }
        if (!stored.isEmpty()) {
            ended.count(stored.getLast().after());
        }
    }

    /** Returns false if one of the changes is stored already; then nothing is written. */
    private static boolean writeRows(Handle handle, List<InstanceChange> changes) {
        boolean creates = changes.getFirst().creates();
        Connection connection = handle.getConnection();
        try (PreparedStatement statement = connection.prepareStatement(creates ? CREATE : UPDATE)) {
            InstanceChange last = changes.getLast();
            List<LoggedChange> logged = changes.stream().map(LoggedChange::of).toList();
            if (creates) {
                int next = bindCreated(new BatchInsert<>(statement, 1, List.of(last)));
                var _ = bindLogged(statement, next, logged);
            } else {
                int next = bindLogged(statement, 1, logged);
                bindUpdated(new BatchInsert<>(statement, next, List.of(last)), writesState(changes.getFirst(), last));
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /** Writes those changes that an earlier execution has not stored, and returns them. */
    private static List<InstanceChange> writeOthers(Handle handle, List<InstanceChange> changes) {
        record StoredDelta(int version, String delta) {}
        InstanceHeader header = changes.getFirst().header();
        int first = changes.getFirst().delta().version();
        Map<Integer, String> known = handle.createQuery("""
                        SELECT version, delta FROM workflow_instance_change
                        WHERE organization_id = :organization AND instance_id = :id AND row_version >= :first
                          AND version >= :first
                        """)
                .bind("organization", header.organization())
                .bind("id", header.id())
                .bind("first", first)
                .mapTo(StoredDelta.class)
                .collect(Collectors.toMap(StoredDelta::version, StoredDelta::delta));
        List<InstanceChange> fresh = new ArrayList<>();
        for (InstanceChange change : changes) {
            String delta = known.get(change.delta().version());
            if (delta == null) {
                fresh.add(change);
            } else if (!InstanceJson.readDelta(delta).equals(change.delta())) {
                // Only an earlier execution of the same projection may have stored the version.
                throw new IllegalStateException(
                        "version " + change.delta().version() + " of instance " + header.id() + " is another change");
            }
        }
        if (!fresh.isEmpty() && !writeRows(handle, fresh)) {
            throw new IllegalStateException("instance " + header.id() + " has changes after version " + first);
        }
        return fresh;
    }

    /** Attempts that were stored while they ran have rows of their own; others are part of the log. */
    private static void endStoredAttempts(Handle handle, List<InstanceChange> changes) {
        List<AttemptRow> ended = changes.stream()
                .map(InstanceChange::attempt)
                .filter(Objects::nonNull)
                .filter(TaskAttempt::isStored)
                .map(AttemptRow::of)
                .toList();
        if (ended.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = handle.getConnection().prepareStatement(AttemptRows.insert(""))) {
            var _ = AttemptRows.bind(statement, 1, ended);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /**
     * A change with the attempt that it ended, unless the attempt has a row of its own.
     *
     * @param steps as JSON; null for none
     * @param delta as JSON
     */
    private record LoggedChange(
            InstanceChange change,
            @Nullable String steps,
            String delta,
            @Nullable AttemptRow attempt) {
        static LoggedChange of(InstanceChange change) {
            TaskAttempt attempt = change.attempt();
            List<Effect.StatusChanged> steps = change.steps();
            return new LoggedChange(
                    change,
                    steps.isEmpty() ? null : StrictJson.write(steps),
                    InstanceJson.write(change.delta()),
                    attempt == null || attempt.isStored() ? null : AttemptRow.of(attempt));
        }

        <V> @Nullable V ofAttempt(Function<AttemptRow, V> part) {
            return attempt == null ? null : part.apply(attempt);
        }
    }

    /** The distance of the complete states of an instance with many items grows, so that their total size is linear. */
    private static boolean writesState(InstanceChange first, InstanceChange last) {
        int version = last.delta().version();
        int items = last.state().tasks().begunItems();
        int distance = Integer.highestOneBit(Math.max(CHECKPOINT_EVERY, Math.min(items, version) / 4));
        return last.state().status().isTerminal() || (first.delta().version() - 1) / distance != version / distance;
    }

    private static int bindCreated(BatchInsert<InstanceChange> rows) throws SQLException {
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
        rows.ids(row -> ofParent(row.header(), ParentTask::instance));
        rows.texts(row -> ofParent(row.header(), ParentTask::task));
        rows.texts(row -> ofParent(row.header(), ParentTask::key));
        rows.integers(row -> row.header().depth());
        rows.texts(row -> row.header().inputPreview());
        rows.texts(row -> row.state().status().name());
        // The final state, or the one before the first change, which is little more than the trigger.
        rows.texts(row -> InstanceJson.write(
                row.state().status().isTerminal()
                        ? row.state()
                        : InstanceState.create(
                                row.state().plan(),
                                row.state().trigger(),
                                row.header().createdAt())));
        rows.integers(row -> row.state().status().isTerminal() ? row.delta().version() : 0);
        rows.texts(row -> row.header().createdBy());
        rows.times(row -> row.header().createdAt());
        rows.times(row -> row.state().updatedAt());
        rows.times(row -> row.state().finishedAt());
        rows.times(row -> row.header().deadline());
        rows.times(row -> wakeAt(row.state()));
        return rows.next();
    }

    private static <V> @Nullable V ofParent(InstanceHeader header, Function<ParentTask, V> part) {
        return header.parent() == null ? null : part.apply(header.parent());
    }

    /** Set only while nothing but time or an event makes the instance go on. */
    private static @Nullable Instant wakeAt(InstanceState state) {
        return state.isUnderWay() ? null : state.nextWake();
    }

    /** One change has the columns of the row; several are elements of its array. */
    private static int bindLogged(PreparedStatement statement, int first, List<LoggedChange> changes)
            throws SQLException {
        boolean isOne = changes.size() == 1;
        var elements = new BatchInsert<>(statement, first, isOne ? List.<LoggedChange>of() : changes);
        elements.integers(row -> row.change.delta().version());
        elements.times(row -> row.change.delta().updatedAt());
        elements.texts(row -> row.change.event());
        elements.texts(row -> row.change.actor());
        bindContent(elements, true);
        var rows = new BatchInsert<>(statement, elements.next(), List.of(changes.getLast()));
        rows.ids(row -> row.change.header().organization());
        rows.ids(row -> row.change.header().id());
        rows.integers(_ -> changes.getFirst().change.delta().version());
        rows.integers(row -> row.change.delta().version());
        rows.times(row -> row.change.delta().updatedAt());
        rows.texts(row -> row.change.event());
        rows.texts(row -> row.change.actor());
        bindContent(rows, isOne);
        return rows.next();
    }

    private static void bindContent(BatchInsert<LoggedChange> rows, boolean isPresent) throws SQLException {
        rows.texts(row -> isPresent ? row.steps : null);
        rows.texts(row -> isPresent ? row.delta : null);
        rows.ids(row -> isPresent ? row.ofAttempt(AttemptRow::id) : null);
        rows.texts(row -> isPresent ? row.ofAttempt(AttemptRow::attempt) : null);
        rows.texts(row -> isPresent ? row.ofAttempt(AttemptRow::content) : null);
    }

    private static void bindUpdated(BatchInsert<InstanceChange> rows, boolean writesState) throws SQLException {
        rows.ids(row -> row.header().organization());
        rows.ids(row -> row.header().id());
        rows.integers(row -> row.delta().version());
        rows.texts(row -> row.state().status().name());
        rows.times(row -> row.state().updatedAt());
        rows.times(row -> row.state().finishedAt());
        rows.texts(row -> writesState ? InstanceJson.write(row.state()) : null);
        rows.integers(row -> writesState ? row.delta().version() : null);
        var _ = rows.times(row -> wakeAt(row.state()));
    }
}
