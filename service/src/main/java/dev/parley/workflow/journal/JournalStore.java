package dev.parley.workflow.journal;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.db.GroupCommit;
import dev.parley.http.json.StrictJson;
import dev.parley.id.NodeId;
import dev.parley.node.NodeLease;
import dev.parley.problem.Text;
import dev.parley.settings.ServiceSize;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The table {@code workflow_task_journal}. Appends that arrive during a commit form the next batch. The node's fence
 * and the primary key keep out an executor that lost its instance.
 */
@Singleton
public final class JournalStore {
    private static final int BATCH = 256;
    private static final String COLUMNS =
            "organization_id, instance_id, task_id, item, iteration, position, attempt, content";
    private static final String APPEND = NodeLease.FENCE + """
            , stored AS (
                INSERT INTO workflow_task_journal (%s)
                SELECT j.* FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::int4[], ?::int4[], ?::int4[], ?::int4[],
                    ?::text[]) AS j (%s), fence
                ON CONFLICT (organization_id, instance_id, task_id, item, iteration, position) DO NOTHING
                RETURNING instance_id || ':' || task_id || ':' || item || ':' || iteration || ':' || position AS place
            )
            SELECT (SELECT count(*) FROM fence), ARRAY(SELECT place FROM stored)
            """.formatted(COLUMNS, COLUMNS);

    /** An entry and the node that appends it. */
    private record OwnedEntry(NodeId writer, JournalEntry entry, String content) {
        String place() {
            JournalKey key = entry.key();
            return key.instance().value() + ":" + key.task() + ":" + key.storedItem() + ":" + key.iteration() + ":"
                    + entry.position();
        }
    }

    private final Database database;
    private final GroupCommit<OwnedEntry, AppendResult> commits;

    public JournalStore(Database database, ServiceSize size) {
        this.database = database;
        this.commits = new GroupCommit<>(
                "journal-commit", size.commits(), BATCH, row -> row.content().length(), this::write);
    }

    @PreDestroy
    void close() {
        commits.close();
    }

    /** Appends an entry, unless the node has been fenced; completes after the commit. */
    public CompletableFuture<AppendResult> append(NodeId writer, JournalEntry entry) {
        // A model or a tool may send unpaired surrogates, which PostgreSQL cannot store.
        String content = Text.paired(StrictJson.write(entry.call()));
        return commits.submit(new OwnedEntry(writer, entry, content));
    }

    /** The entries of a journal, in order. */
    public List<JournalEntry> load(JournalKey key) {
        return database.with(handle -> handle.createQuery("""
                        SELECT position, attempt, content FROM workflow_task_journal
                        WHERE organization_id = :organization AND instance_id = :instance AND task_id = :task
                            AND item = :item AND iteration = :iteration ORDER BY position""")
                .bind("organization", key.organization())
                .bind("instance", key.instance())
                .bind("task", key.task())
                .bind("item", key.storedItem())
                .bind("iteration", key.iteration())
                .map(row -> new JournalEntry(
                        key,
                        row.getColumn("position", Integer.class),
                        row.getColumn("attempt", Integer.class),
                        StrictJson.readTrusted(row.getColumn("content", String.class), JournaledCall.class)))
                .list());
    }

    /** The first entries that one statement can write: of one node id, which fencing replaces, and one of each place. */
    private List<AppendResult> write(List<OwnedEntry> batch) {
        NodeId writer = batch.getFirst().writer();
        Set<String> places = new HashSet<>();
        List<OwnedEntry> first = batch.stream()
                .takeWhile(row -> row.writer().equals(writer) && places.add(row.place()))
                .toList();
        Written written = database.jdbc(connection -> write(connection, writer, first));
        return first.stream().map(written::result).toList();
    }

    private record Written(boolean fenceHeld, Set<String> places) {
        AppendResult result(OwnedEntry row) {
            if (!fenceHeld) {
                return AppendResult.FENCED;
            }
            return places.contains(row.place()) ? AppendResult.STORED : AppendResult.CONFLICT;
        }
    }

    private static Written write(Connection connection, NodeId writer, List<OwnedEntry> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
            statement.setObject(1, writer.value());
            var _ = new BatchInsert<>(statement, 2, rows)
                    .ids(row -> row.entry().key().organization())
                    .ids(row -> row.entry().key().instance())
                    .texts(row -> row.entry().key().task())
                    .integers(row -> row.entry().key().storedItem())
                    .integers(row -> row.entry().key().iteration())
                    .integers(row -> row.entry().position())
                    .integers(row -> row.entry().attempt())
                    .texts(OwnedEntry::content);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Written(
                        row.getInt(1) == 1, Set.of((String[]) row.getArray(2).getArray()));
            }
        }
    }
}
