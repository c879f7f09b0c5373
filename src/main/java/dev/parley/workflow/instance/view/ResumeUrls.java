package dev.parley.workflow.instance.view;

import dev.parley.db.MasterKey;
import dev.parley.db.SignedText;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.settings.Settings;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.ItemStates;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.WaitingReason;
import dev.parley.workflow.instance.store.InstanceHeader;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Signs the URLs at which tasks receive the event that they wait for. */
@Singleton
public final class ResumeUrls {
    /** Followed by a token. */
    public static final String PATH = "/developer/resume";

    private static final int FIELDS = 4;

    private final SignedText tokens;
    private final String publicUrl;

    public ResumeUrls(MasterKey secret, Settings.PublicUrl publicUrl) {
        this.tokens = new SignedText(secret.hasher("resume url"));
        this.publicUrl = publicUrl.url();
    }

    /** The attempt of a task that a token is for. It fits only while that attempt waits. */
    public record ResumeGrant(OrganizationId organization, WorkflowInstanceId instance, TaskId task, int attempt) {}

    /** The grant of a token that this service signed. */
    public Optional<ResumeGrant> read(String token) {
        return tokens.read(token)
                .map(text -> text.split("\n", -1))
                .filter(fields -> fields.length == FIELDS)
                .map(fields -> new ResumeGrant(
                        OrganizationId.parse(fields[0]).orElseThrow(),
                        WorkflowInstanceId.parse(fields[1]).orElseThrow(),
                        new TaskId(fields[2]),
                        Integer.parseInt(fields[3])));
    }

    /** The URLs of the tasks that wait for an event; of a task with several such items, that of the first one. */
    Map<TaskId, String> of(InstanceHeader header, InstanceState state) {
        if (state.nextWake() == null) {
            return Map.of();
        }
        Map<TaskId, String> urls = new HashMap<>();
        for (Task task : state.plan().tasks()) {
            waiting(state, task)
                    .filter(unit -> unit.waitingFor() == WaitingReason.EVENT)
                    .findFirst()
                    .ifPresent(unit -> urls.put(task.id(), url(header, task.id(), unit.attempt())));
        }
        return urls;
    }

    private static Stream<TaskState> waiting(InstanceState state, Task task) {
        ItemStates items = state.tasks().items(state.plan().number(task.id()));
        return items == null
                ? Stream.of(state.task(task.id()))
                : items.active().stream().map(items::get);
    }

    private String url(InstanceHeader header, TaskId task, int attempt) {
        String claims = String.join(
                "\n", header.organization().text(), header.id().text(), task.value(), Integer.toString(attempt));
        return publicUrl + PATH + "/" + tokens.sign(claims);
    }
}
