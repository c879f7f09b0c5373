package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.chaos.Reconciliation.Promise;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reconciles instances with their complete histories and the status table of docs/reference/instances.md. */
final class InstanceChecks {
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "RUNNING", Set.of("RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED"),
            "PAUSED", Set.of("RUNNING", "CANCELLED", "TERMINATED"));

    /** Neither ended, nor waiting for a person with an open ticket, nor for a sub-workflow. */
    static final String STUCK = """
            FROM workflow_instance i WHERE NOT EXISTS (
                SELECT 1 FROM workflow_instance c WHERE c.organization_id = i.organization_id
                    AND c.parent_instance_id = i.id AND c.status IN ('RUNNING', 'PAUSED'))
              AND (i.status = 'RUNNING' OR i.status = 'PAUSED' AND NOT EXISTS (
                SELECT 1 FROM ticket t WHERE t.organization_id = i.organization_id AND t.workflow_instance_id = i.id
                    AND t.status IN ('OPEN', 'IN_PROGRESS')))
            """;

    /** Ends of sub-workflows that the nodes still report to the tasks that started them. */
    static final String UNREPORTED_ENDS = "SELECT count(*) FROM sub_workflow_end";

    private final Reconciliation books;
    private final Ledger ledger;

    InstanceChecks(Reconciliation books, Ledger ledger) {
        this.books = books;
        this.ledger = ledger;
    }

    void run() throws SQLException {
        acknowledged();
        books.none(Promise.INSTANCES_STUCK, "SELECT i.id, i.status, i.node_id " + STUCK);
        histories();
        books.none(Promise.SUB_WORKFLOWS_WRONG, """
                SELECT c.id, c.status, i.status, 'child outlives its parent' FROM workflow_instance c
                LEFT JOIN workflow_instance i ON i.organization_id = c.organization_id AND i.id = c.parent_instance_id
                WHERE c.parent_instance_id IS NOT NULL AND c.status IN ('RUNNING', 'PAUSED')
                  AND (i.id IS NULL OR i.status NOT IN ('RUNNING', 'PAUSED'))
                UNION ALL
                SELECT parent_instance_id, parent_key, count(*)::text, 'started more than once' FROM workflow_instance
                WHERE parent_instance_id IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1
                UNION ALL
                SELECT parent_instance_id, parent_key, '', 'end not reported' FROM sub_workflow_end
                """);
        books.none(Promise.TICKETS_ORPHANED, """
                SELECT t.id, t.status, i.status FROM ticket t LEFT JOIN workflow_instance i
                    ON i.organization_id = t.organization_id AND i.id = t.workflow_instance_id
                WHERE t.status IN ('OPEN', 'IN_PROGRESS') AND (i.id IS NULL OR i.status NOT IN ('RUNNING', 'PAUSED'))
                """);
        books.none(Promise.WORK_ORPHANED, """
                SELECT id, 'instance', node_id FROM workflow_instance
                    WHERE node_id IS NOT NULL AND node_id NOT IN (SELECT id FROM node)
                UNION ALL SELECT conversation_id, 'conversation', node_id FROM conversation_lease
                    WHERE node_id NOT IN (SELECT id FROM node)
                """);
    }

    private void acknowledged() throws SQLException {
        Map<String, String> statuses = new HashMap<>();
        Map<String, Integer> triggers = new HashMap<>();
        for (List<String> row : books.rows("SELECT " + Reconciliation.id("id") + ", status, state, parent_key, "
                + Reconciliation.id("rerun_of") + " FROM workflow_instance")) {
            statuses.put(row.get(0), row.get(1));
            if (row.get(3).equals("null")) {
                String text = json(row.get(2)).at("/trigger/human_msg").asText();
                triggers.merge(row.get(4).equals("null") ? text : text + " forked", 1, Integer::sum);
            }
        }
        triggers.forEach((text, count) -> {
            if (count > 1) {
                books.broken(Promise.INSTANCES_DUPLICATED, text + " started " + count);
            }
        });
        ledger.instances.forEach((text, id) -> {
            if (!statuses.containsKey(id)) {
                books.broken(Promise.INSTANCES_LOST, id + " of " + text);
            }
        });
        for (String id : ledger.cancelled) {
            if (!"CANCELLED".equals(statuses.get(id))) {
                books.broken(Promise.ANSWERS_UNDONE, "cancelled instance " + id + " is " + statuses.get(id));
            }
        }
        for (List<String> row : books.rows("SELECT " + Reconciliation.id("instance_id")
                + " FROM workflow_instance_change WHERE event = 'EventReceived'")) {
            ledger.resumed.remove(row.getFirst());
        }
        ledger.resumed.forEach(id -> books.broken(Promise.ANSWERS_UNDONE, "event of instance " + id));
        Map<String, String> tickets = new HashMap<>();
        books.rows("SELECT " + Reconciliation.id("id") + ", status FROM ticket")
                .forEach(row -> tickets.put(row.get(0), row.get(1)));
        for (String id : ledger.completed) {
            if (!"RESOLVED".equals(tickets.get(id))) {
                books.broken(Promise.ANSWERS_UNDONE, "completed ticket " + id + " is " + tickets.get(id));
            }
        }
    }

    /** The state of an instance while its history is read. */
    private static final class History {
        private int version;
        private @Nullable String status;
        private final Set<String> completed = new HashSet<>();
        private final Map<String, Integer> attempts = new HashMap<>();
    }

    private void histories() throws SQLException {
        Map<String, History> histories = new HashMap<>();
        for (List<String> row : books.rows("""
                SELECT instance_id, version, steps, delta, event FROM workflow_instance_change ORDER BY instance_id, version
                """)) {
            String id = row.get(0);
            History history = histories.computeIfAbsent(id, _ -> new History());
            int version = Integer.parseInt(row.get(1));
            if (version != history.version + 1) {
                books.broken(Promise.LOG_GAPS, id + " goes from " + history.version + " to " + version);
            }
            history.version = version;
            if (!row.get(2).equals("null")) {
                json(row.get(2)).forEach(step -> step(id, history, step));
            }
            json(row.get(3))
                    .path("tasks")
                    .properties()
                    .forEach(task -> task(id + " version " + version, history, task.getKey(), task.getValue()));
            json(row.get(3)).path("items").properties().forEach(task -> task.getValue()
                    .path("states")
                    .properties()
                    .forEach(item -> task(
                            id + " version " + version,
                            history,
                            task.getKey() + " item " + item.getKey(),
                            item.getValue())));
        }
        for (List<String> row : books.rows("SELECT id, status FROM workflow_instance")) {
            History history = histories.get(row.get(0));
            if (history == null || !Objects.equals(history.status, row.get(1))) {
                books.broken(
                        Promise.LOG_GAPS,
                        row.get(0) + " is " + row.get(1) + ", its history says "
                                + (history == null ? "nothing" : history.status));
            }
        }
    }

    private void step(String id, History history, JsonNode step) {
        String from = step.path("from").asText(null);
        String to = step.path("to").asText();
        boolean legal = history.status == null
                ? from == null && to.equals("RUNNING")
                : history.status.equals(from)
                        && ALLOWED.getOrDefault(from, Set.of()).contains(to);
        if (!legal) {
            books.broken(Promise.TRANSITIONS_ILLEGAL, id + " was " + history.status + " and went " + from + " → " + to);
        }
        history.status = to;
    }

    private void task(String where, History history, String task, JsonNode state) {
        String status = state.path("status").asText();
        int attempt = state.path("attempt").asInt();
        if (history.completed.contains(task) && !status.equals("COMPLETED")) {
            books.broken(Promise.TASKS_TWICE, where + ": " + task + " was COMPLETED and is " + status);
        }
        if (attempt < history.attempts.getOrDefault(task, 0)) {
            books.broken(Promise.TASKS_TWICE, where + ": " + task + " goes back to attempt " + attempt);
        }
        history.attempts.put(task, attempt);
        if (status.equals("COMPLETED")) {
            history.completed.add(task);
        }
    }

    private static JsonNode json(String text) {
        try {
            return StrictJson.mapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
