package dev.parley.engine.restate.projection;

import dev.parley.db.Database;
import dev.parley.workflow.attempt.AttemptRow;
import dev.parley.workflow.attempt.AttemptRows;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.run.ChangeSideEffects;
import dev.parley.workflow.instance.run.RunMetrics;
import dev.parley.workflow.instance.run.task.AttemptRecorder;
import dev.parley.workflow.instance.run.task.RunSpans;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceRows;
import dev.parley.workflow.instance.store.InstanceRows.StoredChange;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of one instance to PostgreSQL, where lists, the API and the history read them. Repeating a projection
 * changes nothing: a version has its row and its side effects once.
 */
@Singleton
public final class InstanceProjection {
    private static final String LOGGED = "logged AS (" + InstanceRows.INSERT_LOG_ROW + ") ";
    private static final String RESULT = "SELECT EXISTS (SELECT FROM logged)";
    private static final String CREATE = "WITH created AS ("
            + InstanceRows.insert(" ON CONFLICT (organization_id, id) DO NOTHING") + "), " + LOGGED + RESULT;
    private static final String UPDATE = "WITH " + LOGGED + ", updated AS (" + InstanceRows.UPDATE + ") " + RESULT;

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
    public void write(List<InstanceChange> changes) {
        List<InstanceChange> stored = database.transaction(handle -> {
            List<InstanceChange> fresh = writeRows(handle, changes) ? changes : writeOthers(handle, changes);
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
            StoredInstance latest = stored.getLast().after();
            ended.count(latest);
            if (latest.state().status().isTerminal()) {
                RunSpans.settled(latest);
            }
        }
    }

    /** Returns false if one of the changes is stored already; then nothing is written. */
    private static boolean writeRows(Handle handle, List<InstanceChange> changes) {
        boolean creates = changes.getFirst().creates();
        InstanceChange last = changes.getLast();
        List<StoredChange> rows = new ArrayList<>();
        changes.subList(0, changes.size() - 1).forEach(change -> rows.add(StoredChange.of(change, null, null)));
        rows.add(StoredChange.of(last, null, rowState(changes.getFirst(), last)));
        Connection connection = handle.getConnection();
        try (PreparedStatement statement = connection.prepareStatement(creates ? CREATE : UPDATE)) {
            List<StoredChange> row = List.of(rows.getLast());
            int next = creates ? InstanceRows.bindInsert(statement, 1, row) : 1;
            next = InstanceRows.bindLogRow(statement, next, rows);
            if (!creates) {
                var _ = InstanceRows.bindUpdate(statement, next, row);
            }
            boolean isWritten;
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                isWritten = result.getBoolean(1);
            }
            if (isWritten) {
                endAttempts(connection, InstanceRows.storedAttempts(rows));
            }
            return isWritten;
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /**
     * The state for the row, or null to keep the one before. The distance of the complete states of an instance with
     * many items grows, so that their total size is linear.
     */
    private static @Nullable InstanceState rowState(InstanceChange first, InstanceChange last) {
        if (last.state().status().isTerminal()) {
            return last.state();
        }
        if (first.creates()) {
            return last.firstState();
        }
        int version = last.delta().version();
        int items = last.state().tasks().begunItems();
        int distance = Integer.highestOneBit(Math.max(InstanceRows.CHECKPOINT_EVERY, Math.min(items, version) / 4));
        return (first.delta().version() - 1) / distance != version / distance ? last.state() : null;
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

    private static void endAttempts(Connection connection, List<AttemptRow> ended) throws SQLException {
        if (!ended.isEmpty()) {
            try (PreparedStatement statement = connection.prepareStatement(AttemptRows.insert(""))) {
                var _ = AttemptRows.bind(statement, 1, ended);
                statement.executeUpdate();
            }
        }
    }
}
