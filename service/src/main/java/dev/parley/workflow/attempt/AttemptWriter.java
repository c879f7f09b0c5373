package dev.parley.workflow.attempt;

import dev.parley.db.Database;
import dev.parley.id.NodeId;
import dev.parley.node.NodeLease;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.util.List;

/** Writes attempts that are not part of an instance change: those in progress, stopped or lost. */
@Singleton
public final class AttemptWriter {
    private static final String STORE = NodeLease.FENCE + " " + AttemptRows.insert(", fence");

    private final Database database;

    public AttemptWriter(Database database) {
        this.database = database;
    }

    /** Stores an attempt, unless the node has been fenced. */
    public void store(NodeId node, TaskAttempt attempt) {
        database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(STORE)) {
                statement.setObject(1, node.value());
                AttemptRows.bind(statement, 2, List.of(AttemptRow.of(attempt)));
                return statement.executeUpdate();
            }
        });
    }
}
