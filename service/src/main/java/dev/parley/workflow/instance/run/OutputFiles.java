package dev.parley.workflow.instance.run;

import dev.parley.document.DocumentException;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.media.FileException;
import dev.parley.media.FileReference;
import dev.parley.media.StoredFile;
import dev.parley.media.TaskFiles;
import dev.parley.message.MessageType;
import dev.parley.message.NewMessage;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.file.FileRenderer;
import dev.parley.workflow.task.file.MadeFile;
import dev.parley.workflow.task.file.UnrenderableTextException;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores the files among the outputs of tasks. A file given by URL is moved to the media storage before the task
 * completes; text for a file output is rendered and stored. The conversation gets a message for each file in the
 * instance's output.
 */
@Singleton
public final class OutputFiles {
    private final TaskFiles files;
    private final FileRenderer renderer;

    public OutputFiles(TaskFiles files, FileRenderer renderer) {
        this.files = files;
        this.renderer = renderer;
    }

    /** The outputs with each file stored and replaced by its S3-style URI. */
    public Map<String, @Nullable Object> stored(
            InstanceHeader header, Task task, Map<String, @Nullable Object> inputs, TaskResult result)
            throws TaskFailure, InterruptedException {
        Map<String, @Nullable Object> stored = new LinkedHashMap<>(result.outputs());
        for (OutputParameter output : task.expectedOutput()) {
            if (!output.type().isFile()) {
                continue;
            }
            MadeFile rendered = result.files().get(output.name());
            if (rendered != null) {
                stored.put(output.name(), store(header, output, rendered).uri());
            } else if (stored.get(output.name()) instanceof String text) {
                stored.put(output.name(), uri(header, task, inputs, output, text));
            }
        }
        return stored;
    }

    private String uri(
            InstanceHeader header, Task task, Map<String, @Nullable Object> inputs, OutputParameter output, String text)
            throws TaskFailure, InterruptedException {
        if (files.isUrl(text) && mayFetch(task, inputs, text)) {
            return move(header, output, text).uri();
        }
        try {
            return store(header, output, renderer.render(header.organization(), output, text))
                    .uri();
        } catch (UnrenderableTextException e) {
            throw TaskFailure.of("Invalid file", "Output '" + output.name() + "': " + e.detail(), false, null, e);
        } catch (DocumentException e) {
            String title = e.isTransient() ? "File error" : "Invalid file";
            throw TaskFailure.of(title, "Output '" + output.name() + "': " + e.detail(), e.isTransient(), null, e);
        }
    }

    /**
     * Prevents exfiltration by prompt injection: a model's input may come from an attacker, and a URL made up by the
     * model could carry data. Of web URLs, a model may therefore only name one that it was given.
     */
    private static boolean mayFetch(Task task, Map<String, @Nullable Object> inputs, String url) {
        return task.kind().mayFetchAnyUrl()
                || url.startsWith("s3://")
                || task.instructions().contains(url)
                || StrictJson.write(inputs).contains(url);
    }

    private StoredFile store(InstanceHeader header, OutputParameter output, MadeFile rendered) throws TaskFailure {
        try {
            return files.store(use(header), rendered.name(), rendered.contentType(), rendered.bytes());
        } catch (FileException e) {
            throw TaskFailure.of(
                    "File error", "Output '" + output.name() + "': " + e.detail(), e.isTransient(), null, e);
        }
    }

    /**
     * A person's answer with each file URL moved and replaced by its URI. A file that cannot be moved is a violation,
     * because the person can choose another.
     *
     * @param violations receives the violations, with pointers under {@code /answer}
     */
    public Map<String, @Nullable Object> moved(
            InstanceHeader header, Task task, Map<String, @Nullable Object> answer, List<Violation> violations)
            throws InterruptedException {
        Map<String, @Nullable Object> moved = new LinkedHashMap<>(answer);
        for (OutputParameter output : task.expectedOutput()) {
            if (output.type().isFile() && answer.get(output.name()) instanceof String url && files.isUrl(url)) {
                try {
                    moved.put(output.name(), files.move(use(header), url).uri());
                } catch (FileException e) {
                    violations.add(Violation.invalid(
                            ViolationCode.UNREADABLE,
                            JsonPointer.ROOT.to("answer").to(output.name()).toString(),
                            e.detail()));
                }
            }
        }
        return moved;
    }

    private static FileReference use(InstanceHeader header) {
        return FileReference.task(
                header.organization(), header.id(), header.conversation(), header.teamId(), header.workflow());
    }

    private StoredFile move(InstanceHeader header, OutputParameter output, String url)
            throws TaskFailure, InterruptedException {
        try {
            return files.move(use(header), url);
        } catch (FileException e) {
            throw TaskFailure.of(
                    "File error", "Output '" + output.name() + "': " + e.detail(), e.isTransient(), null, e);
        }
    }

    /** A message for each file in an instance's output. Files that the organization does not have are skipped. */
    List<NewMessage> messages(
            InstanceHeader header, ConversationId conversation, Map<String, @Nullable Object> output) {
        List<NewMessage> messages = new ArrayList<>();
        for (Object value : output.values()) {
            if (value instanceof String uri && uri.startsWith("s3://")) {
                files.find(header.organization(), uri)
                        .ifPresent(file -> messages.add(NewMessage.serviceText(
                                        header.organization(),
                                        conversation,
                                        MessageType.AGENT_RESPONSE,
                                        file.uri(),
                                        header.id(),
                                        null,
                                        header.agent())
                                .withFile(file)));
            }
        }
        return messages;
    }
}
