package dev.parley.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The differences between the ledger and the database; empty if there are none. */
final class Reconciliation {
    /** A guarantee that must hold. */
    enum Promise {
        MESSAGES_LOST("acknowledged messages lost"),
        MESSAGES_DUPLICATED("messages duplicated"),
        MESSAGES_UNPROCESSED("messages never processed"),
        REPLIES_WRONG("replies missing, doubled or out of order"),
        INSTANCES_LOST("acknowledged instances lost"),
        INSTANCES_DUPLICATED("instances duplicated"),
        INSTANCES_STUCK("instances stuck"),
        ANSWERS_UNDONE("acknowledged cancellations and tickets undone"),
        TRANSITIONS_ILLEGAL("illegal transitions"),
        LOG_GAPS("gaps in histories"),
        SUB_WORKFLOWS_WRONG("sub-workflows doubled, left behind or not reported"),
        TASKS_TWICE("completed tasks run twice"),
        TICKETS_ORPHANED("orphaned tickets"),
        WEBHOOKS_LOST("webhooks lost"),
        WEBHOOKS_OUT_OF_ORDER("webhooks out of order, or with gaps"),
        WORK_ORPHANED("work that belongs to no node"),
        WRONG_ANSWERS("answers that no fault excuses");

        private final String text;

        Promise(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private final Connection connection;
    private final Map<Promise, List<String>> violations = new EnumMap<>(Promise.class);

    Reconciliation(Connection connection) {
        this.connection = connection;
        for (Promise promise : Promise.values()) {
            violations.put(promise, new ArrayList<>());
        }
    }

    Map<Promise, List<String>> violations() {
        return violations;
    }

    boolean isClean() {
        return violations.values().stream().allMatch(List::isEmpty);
    }

    void broken(Promise promise, String what) {
        violations.get(promise).add(what);
    }

    /** Each row of the query is a violation, described by its columns. */
    void none(Promise promise, String query) throws SQLException {
        for (List<String> row : rows(query)) {
            broken(promise, String.join(" ", row));
        }
    }

    long count(String query) throws SQLException {
        return Long.parseLong(rows(query).getFirst().getFirst());
    }

    List<List<String>> rows(String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            List<List<String>> rows = new ArrayList<>();
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    values.add(String.valueOf(row.getString(i)));
                }
                rows.add(values);
            }
            return rows;
        }
    }

    /** An id in the API's format. */
    static String id(String column) {
        return "replace(" + column + "::text, '-', '')";
    }
}
