package dev.parley.workflow.instance.view;

import dev.parley.db.MasterKey;
import dev.parley.db.SignedText;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.settings.Settings;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.view.InstanceView.EventWaitView;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signs the URLs at which tasks receive the event that they wait for. */
@Singleton
public final class ResumeUrls {
    /** Followed by a token. */
    public static final String PATH = "/developer/resume";

    private static final int FIELDS = 4;

    private final SignedText tokens;
    private final String publicUrl;

    public ResumeUrls(MasterKey masterKey, Settings.PublicUrl publicUrl) {
        this.tokens = new SignedText(masterKey.hasher("resume url"));
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

    /** The waits for events by task; a task with items has one for each that waits, in the order of their start. */
    Map<TaskId, List<EventWaitView>> of(InstanceHeader header, InstanceState state) {
        if (state.nextWake() == null) {
            return Map.of();
        }
        Map<TaskId, List<EventWaitView>> waits = new HashMap<>();
        for (Task task : state.plan().tasks()) {
            ItemStates items = state.tasks().items(state.plan().number(task.id()));
            List<EventWaitView> waiting = new ArrayList<>();
            if (items == null) {
                add(waiting, header, task, 0, state.task(task.id()));
            } else {
                items.active().forEach(index -> add(waiting, header, task, index, items.get(index)));
            }
            if (!waiting.isEmpty()) {
                waits.put(task.id(), waiting);
            }
        }
        return waits;
    }

    private void add(List<EventWaitView> waiting, InstanceHeader header, Task task, int item, TaskState state) {
        Instant until = state.waitUntil();
        if (state.waitingFor() == WaitingReason.EVENT && until != null) {
            waiting.add(new EventWaitView(item, until, url(header, task.id(), state.attempt())));
        }
    }

    private String url(InstanceHeader header, TaskId task, int attempt) {
        String claims = String.join(
                "\n", header.organization().text(), header.id().text(), task.value(), Integer.toString(attempt));
        return publicUrl + PATH + "/" + tokens.sign(claims);
    }
}
