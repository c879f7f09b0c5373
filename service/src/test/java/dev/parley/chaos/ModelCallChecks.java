package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.chaos.ChaosModel.ModelCall;
import dev.parley.chaos.Reconciliation.Promise;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reconciles the calls that the model got with the histories of instances: no task calls the model once its completion
 * was stored. It was when a task that follows called the model. A task that was in flight when a process died, or whose
 * result was on its way to the store, may be executed again.
 */
final class ModelCallChecks {
    /** Between the end of an execution and the call of another one that began before the result was stored. */
    private static final Duration IN_FLIGHT = Duration.ofSeconds(2);

    /** A result is stored by then, also if no task follows. */
    private static final Duration STORED = Duration.ofSeconds(10);

    /** A suspended node makes the call on whose point it was. */
    private static final Duration AFTER_SUSPENSION = Duration.ofSeconds(5);

    private final Reconciliation books;
    private final ChaosModel model;
    private final Map<String, List<Instant>> resumed;
    private int tasks;

    /** The tasks of an instance that were completed, and the tasks that were started at that time or later. */
    private static final class Progress {
        private final Map<String, Instant> completed = new HashMap<>();
        private final Map<String, Set<String>> followers = new HashMap<>();
    }

    /** @param resumed when nodes were resumed after a suspension */
    ModelCallChecks(Reconciliation books, ChaosModel model, Map<String, List<Instant>> resumed) {
        this.books = books;
        this.model = model;
        this.resumed = resumed;
    }

    void run() throws SQLException, IOException {
        Map<String, String> names = new HashMap<>();
        Map<String, Integer> instances = new HashMap<>();
        for (List<String> row : books.rows("SELECT id, state FROM workflow_instance")) {
            String name =
                    ChaosModel.name(json(row.get(1)).at("/trigger/human_msg").asText());
            instances.merge(name, 1, Integer::sum);
            names.put(row.get(0), name);
        }
        Map<String, Progress> histories = new HashMap<>();
        for (List<String> row :
                books.rows("SELECT instance_id, delta FROM workflow_instance_change ORDER BY instance_id, version")) {
            add(histories.computeIfAbsent(row.get(0), _ -> new Progress()), json(row.get(1)));
        }
        histories.forEach((id, history) -> {
            String name = names.getOrDefault(id, "");
            // A fork has the prompts of its original.
            if (instances.getOrDefault(name, 0) == 1) {
                history.completed.forEach((task, at) -> check(name, task, at, history.followers.get(task)));
            }
        });
    }

    private static void add(Progress history, JsonNode delta) {
        for (Map.Entry<String, JsonNode> task : delta.path("tasks").properties()) {
            if (task.getValue().path("status").asText().equals("COMPLETED")
                    && task.getValue().hasNonNull("finished")) {
                history.completed.putIfAbsent(
                        task.getKey(),
                        Instant.ofEpochMilli(task.getValue().path("finished").asLong()));
                history.followers.putIfAbsent(task.getKey(), new HashSet<>());
            }
        }
        for (Map.Entry<String, JsonNode> task : delta.path("tasks").properties()) {
            if (task.getValue().path("status").asText().equals("RUNNING")) {
                history.followers.forEach((before, followers) -> {
                    if (!before.equals(task.getKey())) {
                        followers.add(task.getKey());
                    }
                });
            }
        }
    }

    private void check(String name, String task, Instant completed, Set<String> followers) {
        tasks++;
        List<ModelCall> calls = model.calls().getOrDefault(name, List.of());
        Instant stored = calls.stream()
                .filter(call -> followers.contains(call.task()))
                .map(ModelCall::at)
                .min(Comparator.naturalOrder())
                .filter(first -> first.isAfter(completed))
                .orElse(completed.plus(STORED));
        for (ModelCall call : calls) {
            boolean isRepeated = call.at().isAfter(stored) && call.at().isAfter(completed.plus(IN_FLIGHT));
            if (call.task().equals(task) && isRepeated && !wasSuspended(call)) {
                books.broken(
                        Promise.TASKS_TWICE,
                        name + ": " + task + " was completed at " + completed + ", calls "
                                + calls.stream()
                                        .map(each -> each.task() + " " + each.node() + " " + each.at())
                                        .toList());
            }
        }
    }

    private boolean wasSuspended(ModelCall call) {
        return resumed.getOrDefault(call.node(), List.of()).stream()
                .anyMatch(end -> !call.at().isBefore(end) && call.at().isBefore(end.plus(AFTER_SUSPENSION)));
    }

    /** The number of completed tasks whose calls were checked. */
    int tasks() {
        return tasks;
    }

    /** The number of calls that the model got again, without those of chains, which forks repeat. */
    long repeated() {
        return model.calls().values().stream()
                .mapToLong(calls -> {
                    List<String> prompts = calls.stream()
                            .filter(call -> !call.task().startsWith(ChaosModel.STEP))
                            .map(ModelCall::prompt)
                            .toList();
                    return prompts.size() - prompts.stream().distinct().count();
                })
                .sum();
    }

    private static JsonNode json(String text) throws IOException {
        return StrictJson.mapper().readTree(text);
    }
}
