package dev.parley.workflow.instance.run.task;

import dev.parley.http.json.StrictJson;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import dev.parley.workflow.journal.JournalKey;
import dev.parley.workflow.journal.JournalStore;
import dev.parley.workflow.journal.TaskJournal;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Opens the journals of the tasks that run. */
@Singleton
public final class TaskJournals {
    private final JournalStore store;

    public TaskJournals(JournalStore store) {
        this.store = store;
    }

    /**
     * The journal of the task or item that an attempt runs.
     *
     * @param again whether the same attempt ran on a node that died
     */
    TaskJournal of(TaskHost host, StoredInstance instance, Task task, Effect.StartTask start, boolean again) {
        TaskState state =
                instance.state().tasks().withAttempt(instance.state().plan().number(start.task()), start.attempt());
        var key = new JournalKey(
                instance.header().organization(),
                instance.header().id(),
                start.task().value(),
                start.item(),
                state == null ? 0 : state.iteration());
        var attempt = new TaskJournal.JournaledAttempt(
                key,
                start.attempt(),
                state == null ? 1 : state.run(),
                start.idempotencyKey(),
                // A task without tools makes no calls before it could be suspended.
                start.attempt() == 1
                        && !again
                        && task instanceof AiTask ai
                        && ai.tools().isEmpty(),
                () -> fingerprint(task, start));
        return new TaskJournal(attempt, new TaskJournal.JournalStorage() {
            @Override
            public List<JournalEntry> load() {
                return store.load(key);
            }

            @Override
            public AppendResult append(JournalEntry entry) throws InterruptedException {
                return host.append(entry);
            }
        });
    }

    /** A hash of what a conversation starts with, except for what is read from stores. */
    private static String fingerprint(Task task, Effect.StartTask start) {
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        content.put("instructions", task.instructions());
        content.put("inputs", start.inputs().values());
        content.put("fetched", new TreeSet<>(start.inputs().toFetch().keySet()));
        try {
            byte[] json = StrictJson.write(content).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
