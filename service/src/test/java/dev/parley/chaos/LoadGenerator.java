package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The load of clients and users. Each method is one client that runs until the faults are over and records
 * acknowledgements in the ledger. A request with an idempotency key is repeated until it gets a response, one without
 * never.
 */
final class LoadGenerator {
    private final ChaosTenant tenant;
    private final Ledger ledger;
    private final String callback;
    private final ChaosClient.Clock faults;
    private final ChaosClient.Clock patience;

    /**
     * @param callback for the events of half of the chats
     * @param faults when clients start nothing new
     * @param patience when they abandon what they started
     */
    LoadGenerator(
            ChaosTenant tenant, Ledger ledger, String callback, ChaosClient.Clock faults, ChaosClient.Clock patience) {
        this.tenant = tenant;
        this.ledger = ledger;
        this.callback = callback;
        this.faults = faults;
        this.patience = patience;
    }

    /** Sends messages to a conversation, one after the other. */
    void chat(String name, Random random) throws InterruptedException {
        ChaosClient client = tenant.api().withRandom(random);
        Map<String, Object> config = random.nextBoolean() ? Map.of("callback_url", callback) : Map.of();
        String conversation = conversation(client, Map.of("usecase", "DEFAULT", "config", config));
        for (int n = 0; !faults.isOver(); n++) {
            // Some responses take long, so that nodes die while producing them.
            String wait = random.nextInt(10) == 0 ? "offline:wait " + random.nextInt(1_500) + " " : "";
            send(client, random, conversation, wait + name + "-" + n, n);
            ChaosClient.pause(random.nextInt(200));
        }
    }

    /** Starts instances by messages, some of which are sent while the previous one still runs. */
    void talk(String name, Random random) throws InterruptedException {
        ChaosClient client = tenant.api().withRandom(random);
        String workflow = tenant.workflows().get(random.nextBoolean() ? "chain" : "parallel");
        Map<String, Object> config = Map.of("workflow_id", workflow, "callback_url", callback);
        String conversation = conversation(client, Map.of("usecase", "WORKFLOW_EXECUTION", "config", config));
        for (int n = 0; !faults.isOver(); n++) {
            send(client, random, conversation, "offline:wait " + random.nextInt(60) + " " + name + "-" + n, n);
            ChaosClient.pause(random.nextInt(3_000));
        }
    }

    private String conversation(ChaosClient client, Map<String, Object> request) throws InterruptedException {
        String key = "conversation-" + request.hashCode() + "-" + System.nanoTime();
        return client.with("Idempotency-Key", key)
                .repeatedly("POST", "/developer/api/conversations", request, patience)
                .orElseThrow()
                .json()
                .get("id")
                .asText();
    }

    private void send(ChaosClient client, Random random, String conversation, String content, int order)
            throws InterruptedException {
        var body = Map.of("conversation_id", conversation, "content_type", "text", "content", content);
        Optional<ChaosClient.Answer> answer;
        if (random.nextBoolean()) {
            answer = client.with("Idempotency-Key", content.replace(' ', '_'))
                    .repeatedly("POST", "/developer/api/messages", body, patience);
        } else {
            answer = client.once("POST", "/developer/api/messages", body);
        }
        if (answer.isEmpty() || answer.get().status() == 503) {
            ledger.unanswered.incrementAndGet();
        } else if (answer.get().status() == 200) {
            ledger.messages.add(new Ledger.Sent(
                    conversation, content, answer.get().json().get("id").asText(), order));
        } else {
            ledger.unexpected("POST /messages", answer.get());
        }
    }

    /** Triggers instances, and pauses, resumes and cancels some of them. */
    void trigger(String name, Random random) throws InterruptedException {
        ChaosClient client = tenant.api().withRandom(random);
        List<String> workflows =
                new ArrayList<>(new java.util.TreeSet<>(tenant.workflows().keySet()));
        for (int n = 0; !faults.isOver(); n++) {
            String text = "offline:wait " + random.nextInt(400) + " " + name + "-" + n;
            String workflow = workflows.get(random.nextInt(workflows.size()));
            String path = "/developer/api/workflows/" + tenant.workflows().get(workflow) + "/trigger/sync?wait_seconds="
                    + random.nextInt(3);
            Optional<ChaosClient.Answer> answer = random.nextBoolean()
                    ? client.with("Idempotency-Key", text.replace(' ', '_'))
                            .repeatedly("POST", path, Map.of("human_msg", text), patience)
                    : client.once("POST", path, Map.of("human_msg", text));
            if (answer.isPresent() && answer.get().isOk()) {
                String instance =
                        answer.get().json().get("workflow_instance_id").asText();
                ledger.instances.put(text, instance);
                switch (workflow) {
                    case ChaosWorkflows.EVENT -> sendEvent(client, instance);
                    case ChaosWorkflows.CHAIN -> {
                        if (random.nextBoolean()) {
                            fork(client, random, text, instance);
                        }
                    }
                    default -> disturb(client, random, instance);
                }
            } else if (answer.isEmpty() || answer.get().status() == 503) {
                ledger.unanswered.incrementAndGet();
            } else if (answer.get().status() != 429) {
                ledger.unexpected("POST trigger/sync", answer.get());
            }
            ChaosClient.pause(random.nextInt(400));
        }
    }

    /** Runs the rest of a chain again, with the results of its first tasks. */
    private void fork(ChaosClient client, Random random, String text, String instance) throws InterruptedException {
        ChaosClient.pause(random.nextInt(4_000));
        Optional<ChaosClient.Answer> answer = client.with("Idempotency-Key", "fork-" + instance)
                .repeatedly(
                        "POST",
                        "/developer/api/workflow_instances/" + instance + "/rerun",
                        Map.of("from_task", ChaosWorkflows.FORKED, "version", "latest"),
                        patience);
        if (answer.isPresent() && answer.get().isOk()) {
            ledger.instances.put(
                    text + " forked",
                    answer.get().json().get("workflow_instance_id").asText());
        } else if (answer.isPresent() && answer.get().status() != 409) {
            ledger.unexpected("POST rerun", answer.get());
        }
    }

    /** Sends the event that the instance waits for, once it waits. */
    private void sendEvent(ChaosClient client, String instance) throws InterruptedException {
        String path = "/developer/api/workflow_instances/" + instance + "/status";
        for (int tries = 0; tries < 20 && !faults.isOver(); tries++) {
            String url = client.once("GET", path, null)
                    .filter(ChaosClient.Answer::isOk)
                    .map(answer -> answer.json().at("/tasks/0/resume_url").asText())
                    .orElse("");
            if (!url.isEmpty()) {
                Optional<ChaosClient.Answer> answer = client.repeatedly(
                        "POST", url.substring(url.indexOf("/developer/resume/")), Map.of("answer", "paid"), patience);
                if (answer.isPresent() && answer.get().isOk()) {
                    ledger.resumed.add(instance);
                } else if (answer.isPresent() && answer.get().status() != 409) {
                    ledger.unexpected("POST resume_url", answer.get());
                }
                return;
            }
            ChaosClient.pause(100);
        }
    }

    private void disturb(ChaosClient client, Random random, String instance) throws InterruptedException {
        switch (random.nextInt(6)) {
            case 0 -> {
                act(client, instance, "pause");
                ChaosClient.pause(random.nextInt(1_000));
                act(client, instance, "resume");
            }
            case 1 -> {
                ChaosClient.pause(random.nextInt(300));
                if (act(client, instance, "cancel")) {
                    ledger.cancelled.add(instance);
                }
            }
            default -> {
                // Left unchanged.
            }
        }
    }

    /** True if it was acknowledged; a 409 means that the status does not allow it. */
    private boolean act(ChaosClient client, String instance, String action) throws InterruptedException {
        Optional<ChaosClient.Answer> answer = client.with("Idempotency-Key", action + "-" + instance)
                .repeatedly("POST", "/developer/api/workflow_instances/" + instance + "/" + action, null, patience);
        if (answer.isPresent() && !answer.get().isOk() && answer.get().status() != 409) {
            ledger.unexpected("POST " + action, answer.get());
        }
        return answer.isPresent() && answer.get().isOk();
    }

    /** Answers tickets on either node. */
    void answerTickets(Random random) throws InterruptedException {
        ChaosClient client = tenant.dashboard().withRandom(random);
        String path = "/dashboard/api/organizations/" + tenant.organization() + "/tickets";
        while (!faults.isOver()) {
            Optional<ChaosClient.Answer> list = client.once("GET", path + "?status=OPEN&assignee=all&limit=20", null);
            if (list.isPresent() && list.get().isOk()) {
                for (JsonNode ticket : list.get().json().get("items")) {
                    // Some are left for later, and both users may pick the same.
                    if (random.nextInt(3) > 0) {
                        answer(client, random, path + "/" + ticket.get("id").asText(), ticket);
                    }
                }
            } else if (list.isPresent() && list.get().status() != 503) {
                ledger.unexpected("GET tickets", list.get());
            }
            ChaosClient.pause(100 + random.nextInt(400));
        }
    }

    private void answer(ChaosClient client, Random random, String path, JsonNode ticket) throws InterruptedException {
        boolean exception = ticket.get("rule_type").asText().equals("Exception");
        Object body = exception
                ? Map.of("answer", Map.of("answer", "by hand"))
                : Map.of("answer", Map.of("approved", random.nextInt(3) > 0));
        boolean reject = !exception && random.nextInt(10) == 0;
        Optional<ChaosClient.Answer> answer = reject
                ? client.once("POST", path + "/reject", Map.of("reason", "chaos"))
                : client.once("POST", path + "/complete", body);
        if (answer.isEmpty() || answer.get().status() == 503) {
            ledger.unanswered.incrementAndGet();
        } else if (answer.get().isOk() && !reject) {
            ledger.completed.add(ticket.get("id").asText());
        } else if (!answer.get().isOk() && answer.get().status() != 409) {
            ledger.unexpected("POST " + path, answer.get());
        }
    }

    /** Resumes instances whose client was interrupted after a pause. */
    void resumeAll(List<String> instances) throws InterruptedException {
        for (String instance : instances) {
            tenant.api()
                    .repeatedly("POST", "/developer/api/workflow_instances/" + instance + "/resume", null, patience);
        }
    }
}
