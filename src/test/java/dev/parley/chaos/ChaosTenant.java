package dev.parley.chaos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The organization under test, created through the dashboard's API.
 *
 * @param api uses the organization's key
 * @param dashboard uses its owner's session
 * @param workflows ids by name
 */
record ChaosTenant(String organization, ChaosClient api, ChaosClient dashboard, Map<String, String> workflows) {
    static ChaosTenant create(ChaosClient client) throws InterruptedException {
        ChaosClient browser = client.with("X-Requested-With", "parley");
        ChaosClient.Answer login = must(browser.once(
                "POST", "/dashboard/api/login", Map.of("email", Cluster.EMAIL, "password", Cluster.PASSWORD)));
        ChaosClient dashboard =
                browser.with("Cookie", login.cookie().orElseThrow().split(";", 2)[0]);
        String user = must(dashboard.once("GET", "/dashboard/api/me", null))
                .json()
                .get("id")
                .asText();
        String organization = must(dashboard.once("POST", "/dashboard/api/organizations", Map.of("name", "Chaos")))
                .json()
                .get("id")
                .asText();
        String path = "/dashboard/api/organizations/" + organization;
        must(dashboard.once("PATCH", path, Map.of("messages_per_minute", 10_000_000)));
        String key = must(dashboard.once("POST", path + "/api-keys", Map.of("name", "chaos")))
                .json()
                .get("key")
                .asText();
        Map<String, String> workflows = new LinkedHashMap<>();
        for (Map.Entry<String, Map<String, Object>> document : documents(user).entrySet()) {
            String id = must(dashboard.once("POST", path + "/workflows", document.getValue()))
                    .json()
                    .get("id")
                    .asText();
            must(dashboard.once("POST", path + "/workflows/" + id + "/publish", null));
            workflows.put(document.getKey(), id);
        }
        return new ChaosTenant(organization, client.with("Authorization", "Bearer " + key), dashboard, workflows);
    }

    /** Starts a run that waits for a person, and returns the id of its ticket; tries for 30 s. */
    String ticket(ChaosNode node) throws InterruptedException {
        String path = "/developer/api/workflows/" + workflows.get("person") + "/trigger/sync";
        Instant deadline = Instant.now().plusSeconds(30);
        Optional<ChaosClient.Answer> answer;
        do {
            answer = api.at(node).once("POST", path, Map.of("human_msg", "offline:wait 0"));
        } while (answer.filter(ChaosClient.Answer::isOk).isEmpty()
                && Instant.now().isBefore(deadline));
        return answer.orElseThrow().json().at("/tasks").findValuesAsText("ticket_id").stream()
                .filter(id -> id.length() == 32)
                .findFirst()
                .orElseThrow();
    }

    private static ChaosClient.Answer must(java.util.Optional<ChaosClient.Answer> answer) {
        ChaosClient.Answer got = answer.orElseThrow(() -> new IllegalStateException("no answer"));
        if (!got.isOk()) {
            throw new IllegalStateException("answered " + got.status() + ": " + got.body());
        }
        return got;
    }

    /** Every AI task gets the message, whose {@code offline:wait} makes it take a while. */
    private static Map<String, Map<String, Object>> documents(String user) {
        List<Object> chain =
                IntStream.rangeClosed(1, 10).mapToObj(n -> ai("step" + n)).toList();
        List<Object> order = IntStream.range(1, 10)
                .mapToObj(n -> after("step" + n, "step" + (n + 1)))
                .toList();
        return Map.of(
                "one", document(user, List.of(ai("only")), List.of()),
                "agent", document(user, List.of(agent()), List.of()),
                "chain", document(user, chain, order),
                "parallel",
                        document(
                                user,
                                List.of(ai("split"), ai("left"), ai("middle"), ai("right"), ai("join")),
                                List.of(
                                        after("split", "left"),
                                        after("split", "middle"),
                                        after("split", "right"),
                                        after("left", "join"),
                                        after("middle", "join"),
                                        after("right", "join"))),
                "person",
                        document(
                                user,
                                List.of(ai("prepare"), human("approve"), ai("finish")),
                                List.of(after("prepare", "approve"), after("approve", "finish"))),
                "beside",
                        document(
                                user,
                                List.of(ai("begin"), human("check"), ai("work"), ai("end")),
                                List.of(
                                        after("begin", "check"),
                                        after("begin", "work"),
                                        after("check", "end"),
                                        after("work", "end"))));
    }

    private static Map<String, Object> document(String user, List<Object> tasks, List<Object> dependencies) {
        List<Object> rules = new ArrayList<>();
        for (String type : List.of("Human Feedback", "Exception")) {
            rules.add(Map.of("rule_type", type, "assignment_type", "User", "assignee_id", user));
        }
        return Map.of(
                "name", "Chaos",
                "description", "",
                "assignment_rules", rules,
                "tasks", tasks,
                "dependencies", dependencies);
    }

    /** A task whose model may call {@code http.request}. */
    private static Object agent() {
        Map<String, Object> task = new LinkedHashMap<>(aiTask("agent"));
        task.put("tools", List.of(1));
        return task;
    }

    private static Object ai(String id) {
        return aiTask(id);
    }

    private static Map<String, Object> aiTask(String id) {
        var input = Map.of(
                "name", "human_msg",
                "type", "STRING",
                "description", "The trigger",
                "source", "system_generated",
                "required", true);
        var output = Map.of("name", "answer", "type", "STRING", "description", "The answer");
        return Map.of(
                "id",
                id,
                "kind",
                "AI",
                "name",
                id,
                "instructions",
                "Do " + id + ".",
                "input_parameters",
                List.of(input),
                "expected_output",
                List.of(output));
    }

    private static Object human(String id) {
        var output = Map.of("name", "approved", "type", "BOOLEAN", "description", "Whether it may go on");
        return Map.of(
                "id",
                id,
                "kind",
                "Human",
                "name",
                id,
                "instructions",
                "Do " + id + ".",
                "expected_output",
                List.of(output));
    }

    private static Object after(String from, String to) {
        return Map.of("from", from, "to", to);
    }
}
