package dev.parley.chaos;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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
        for (Map.Entry<String, Map<String, Object>> document :
                ChaosWorkflows.documents(user).entrySet()) {
            workflows.put(document.getKey(), publish(dashboard, path, document.getValue()));
        }
        int tool = must(dashboard.once("GET", path + "/tools?kind=workflow&limit=100", null))
                .json()
                .at("/items")
                .valueStream()
                .filter(each -> each.at("/tool_name").asText().equals(workflows.get("child")))
                .findFirst()
                .orElseThrow()
                .at("/tool_id")
                .asInt();
        for (Map.Entry<String, Map<String, Object>> document :
                ChaosWorkflows.callers(user, workflows.get("child"), tool).entrySet()) {
            workflows.put(document.getKey(), publish(dashboard, path, document.getValue()));
        }
        // Only tasks of other workflows start it.
        workflows.remove("child");
        return new ChaosTenant(organization, client.with("Authorization", "Bearer " + key), dashboard, workflows);
    }

    private static String publish(ChaosClient dashboard, String path, Map<String, Object> document)
            throws InterruptedException {
        String id = must(dashboard.once("POST", path + "/workflows", document))
                .json()
                .get("id")
                .asText();
        must(dashboard.once("POST", path + "/workflows/" + id + "/publish", null));
        return id;
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
}
