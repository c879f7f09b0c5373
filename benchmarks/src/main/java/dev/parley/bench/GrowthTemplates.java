package dev.parley.bench;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * What the service has written for one conversation and for one instance of each kind. Seeding copies these rows.
 *
 * @param oneTask the workflow of {@code completed}; its instances need nobody
 * @param completed an instance of one AI task
 * @param waiting an instance that waits for a person's answer to a ticket
 * @param answered one that a person has answered
 * @param rejected one that failed because a person has rejected its ticket
 */
record GrowthTemplates(
        Tenant tenant,
        String oneTask,
        String conversation,
        String completed,
        InstanceWithTicket waiting,
        InstanceWithTicket answered,
        InstanceWithTicket rejected) {
    /** Ids of an instance and its ticket. */
    record InstanceWithTicket(String instance, String ticket) {}

    static GrowthTemplates create(Api api, DataSource database) {
        Tenant tenant = Tenant.createEmpty(api);
        String conversation = Tenant.conversation(api, Map.of());
        api.call(
                "POST",
                "/developer/api/messages",
                Map.of("conversation_id", conversation, "content_type", "text", "content", "Where is my invoice?"));
        Messages.awaitProcessed(database);
        String oneTask = tenant.workflow(api, "one-task.json").orElseThrow();
        String question = tenant.publish(api, Path.of("benchmarks/workflows/question.json"))
                .orElseThrow();
        String completed = trigger(api, oneTask);
        InstanceWithTicket waiting = openTicket(api, tenant, question);
        InstanceWithTicket answered = openTicket(api, tenant, question);
        api.call("POST", ticket(tenant, answered, "complete"), Map.of("answer", Map.of("reply", "Here it is.")));
        InstanceWithTicket rejected = openTicket(api, tenant, question);
        api.call("POST", ticket(tenant, rejected, "reject"), Map.of("reason", "No such invoice."));
        awaitEnd(api, tenant, answered);
        awaitEnd(api, tenant, rejected);
        return new GrowthTemplates(tenant, oneTask, conversation, completed, waiting, answered, rejected);
    }

    private static String trigger(Api api, String workflow) {
        return api.call("POST", Tenant.trigger(workflow), Map.of("human_msg", "Where is my invoice?"))
                .get("workflow_instance_id")
                .asText();
    }

    /** An answer ends the instance a moment after the request. */
    private static void awaitEnd(Api api, Tenant tenant, InstanceWithTicket ids) {
        String path = "/dashboard/api/organizations/" + tenant.organization() + "/instances/" + ids.instance;
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (api.call("GET", path, null).get("finished_at").isNull()) {
            if (System.nanoTime() > deadline) {
                throw new BenchException("An instance has not ended within a minute after its ticket.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static InstanceWithTicket openTicket(Api api, Tenant tenant, String workflow) {
        String instance = trigger(api, workflow);
        String newest = "/dashboard/api/organizations/" + tenant.organization() + "/tickets?assignee=all&limit=1";
        String ticket = api.call("GET", newest, null).at("/items/0/id").asText();
        return new InstanceWithTicket(instance, ticket);
    }

    private static String ticket(Tenant tenant, InstanceWithTicket ids, String action) {
        return "/dashboard/api/organizations/" + tenant.organization() + "/tickets/" + ids.ticket + "/" + action;
    }
}
