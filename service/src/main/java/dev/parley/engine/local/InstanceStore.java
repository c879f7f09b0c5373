package dev.parley.engine.local;

import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.id.NodeId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.NodeLease;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.attempt.AttemptRow;
import dev.parley.workflow.attempt.AttemptRows;
import dev.parley.workflow.instance.run.ChangeSideEffects;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceRows;
import dev.parley.workflow.instance.store.InstanceRows.StoredChange;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Stores instance changes in batches: changes that arrive during a commit form the next batch, and a batch without
 * tickets and messages is one statement. The log's primary key is the lock: of two writers of one version, the second
 * changes nothing.
 */
@Singleton
public final class InstanceStore {
    private static final int BATCH = 256;

    private static final String CREATED = ", created AS (" + InstanceRows.insert(", fence") + ") ";
    private static final String LOGGED = ", logged AS (" + InstanceRows.insertLog(", fence") + ") ";
    private static final String UPDATED = ", updated AS (" + InstanceRows.UPDATE + ") ";

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
    private final GroupCommit<OwnedChange, ChangeReceipt> commits;

    public InstanceStore(Database database, ChangeSideEffects sideEffects, ServiceSize size) {
        this.database = database;
        this.sideEffects = sideEffects;
        this.commits = new GroupCommit<>("instance-commit", size.instanceCommits(), BATCH, this::write);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    /** Stores a change; completes after the commit. */
    CompletableFuture<ChangeReceipt> commit(OwnedChange change) {
        return commits.submit(change);
    }

    private List<ChangeReceipt> write(List<OwnedChange> batch) {
        List<OwnedChange> first = ofOneStatement(batch);
        WrittenChanges written = write(first, first.getFirst().writer());
        return first.stream().map(written::receipt).toList();
    }

    /**
     * The first changes that one statement can write: of one node id, which fencing replaces, and one of each instance,
     * because the statement reports its result per instance.
     */
    private static List<OwnedChange> ofOneStatement(List<OwnedChange> batch) {
        NodeId writer = batch.getFirst().writer();
        Set<WorkflowInstanceId> instances = new HashSet<>();
        return batch.stream()
                .takeWhile(change -> change.writer().equals(writer)
                        && instances.add(change.header().id()))
                .toList();
    }

    private WrittenChanges write(List<OwnedChange> batch, NodeId writer) {
        List<InstanceChange> changes = batch.stream().map(OwnedChange::change).toList();
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
        List<InstanceChange> stored(List<OwnedChange> batch) {
            return batch.stream()
                    .map(OwnedChange::change)
                    .filter(change -> logged.contains(change.header().id().value()))
                    .toList();
        }

        ChangeReceipt receipt(OwnedChange change) {
            if (!fenceHeld) {
                return ChangeReceipt.FENCED;
            }
            return logged.contains(change.header().id().value()) ? ChangeReceipt.STORED : ChangeReceipt.CONFLICT;
        }
    }

    private static WrittenChanges writeRows(Handle handle, List<OwnedChange> batch, NodeId writer) {
        try {
            return writeRows(handle.getConnection(), batch, writer);
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    private static WrittenChanges writeRows(Connection connection, List<OwnedChange> batch, NodeId writer)
            throws SQLException {
        List<StoredChange> all = rows(batch.stream());
        List<StoredChange> created =
                rows(batch.stream().filter(change -> change.change().creates()));
        List<StoredChange> updated = rows(batch.stream()
                .filter(change -> change.rowChanges() && !change.change().creates()));
        List<AttemptRow> attempts = InstanceRows.storedAttempts(all);
        String sql = SQL.get((created.isEmpty() ? 0 : 1) + (updated.isEmpty() ? 0 : 2) + (attempts.isEmpty() ? 0 : 4));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, writer.value());
            int next = created.isEmpty() ? 2 : InstanceRows.bindInsert(statement, 2, created);
            next = InstanceRows.bindLog(statement, next, all);
            if (!updated.isEmpty()) {
                next = InstanceRows.bindUpdate(statement, next, updated);
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

    private static List<StoredChange> rows(Stream<OwnedChange> changes) {
        return changes.map(OwnedChange::row).toList();
    }
}
