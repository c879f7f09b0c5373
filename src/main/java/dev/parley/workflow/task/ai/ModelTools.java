package dev.parley.workflow.task.ai;

import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatTool;
import dev.parley.tool.ToolFailure;
import dev.parley.tool.ToolOutcome;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.journal.JournaledCall;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskRun;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tools that a run's model may call: only those that the definition lists, whatever a model asks for. Calls go to
 * tools of the instance's own organization, with arguments validated against the tool's schema. Errors are reported to
 * the model.
 */
final class ModelTools {
    private static final int MAX_ANSWER_LENGTH = 32_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ToolService tools;
    private final OrganizationId organization;
    private final TaskJournal journal;
    private final AttemptRecording recording;
    private final Map<String, ToolService.Description> byName = new LinkedHashMap<>();
    private final UsageGuard guard;

    ModelTools(ToolService tools, TaskRun run, UsageGuard guard) {
        this.guard = guard;
        this.tools = tools;
        this.organization = run.organization();
        this.journal = run.journal();
        this.recording = run.recording();
        List<Integer> listed = ((AiTask) run.task()).tools();
        for (ToolService.Description tool :
                listed.isEmpty() ? List.<ToolService.Description>of() : tools.describe(organization, listed)) {
            byName.put(name(tool), tool);
        }
    }

    /** Model APIs limit names more than tools do; the id keeps truncated names unique. */
    private static String name(ToolService.Description tool) {
        String plain = tool.name().replaceAll("[^A-Za-z0-9_-]", "_");
        return plain.substring(0, Math.min(plain.length(), 50)) + "_" + tool.toolId();
    }

    /** The tools offered to the model; none after all calls are used. */
    List<ChatTool> offered() {
        if (byName.isEmpty() || !guard.mayCallTools()) {
            return List.of();
        }
        List<ChatTool> offered = new ArrayList<>();
        byName.forEach((name, tool) -> offered.add(new ChatTool(name, tool.description(), tool.inputSchema())));
        return offered;
    }

    /** The result of a call, as the model reads it. */
    private record ToolResultText(String text, boolean failed) {
        static ToolResultText refused(String text) {
            return new ToolResultText(text, true);
        }
    }

    /** The result of a call for the model: that of the journal, or else of the tool. */
    String call(ChatTool.ModelToolCall call, Duration left) throws TaskFailure, InterruptedException {
        Optional<JournaledCall.ToolResult> known = journal.nextResult(call.id());
        if (known.isEmpty()) {
            guard.beforeToolCall();
        }
        JournaledCall.ToolResult result = known.isPresent() ? known.get() : execute(call, left);
        ToolService.Description tool = byName.get(call.name());
        recording.called(
                call.name(),
                tool == null ? null : tool.toolId(),
                call.arguments(),
                result.text(),
                result.failed(),
                Duration.ofMillis(result.millis()),
                known.isPresent());
        return result.text();
    }

    private JournaledCall.ToolResult execute(ChatTool.ModelToolCall call, Duration left) throws InterruptedException {
        long begun = System.nanoTime();
        ToolResultText text = result(call, left);
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        var result = new JournaledCall.ToolResult(call.id(), text.text, text.failed, millis);
        journal.append(result);
        return result;
    }

    private ToolResultText result(ChatTool.ModelToolCall call, Duration left) throws InterruptedException {
        ToolService.Description tool = byName.get(call.name());
        if (tool == null) {
            return ToolResultText.refused("Refused: this task has no tool of that name.");
        }
        Map<String, @Nullable Object> arguments;
        try {
            String json = call.arguments().isBlank() ? "{}" : call.arguments();
            arguments = new LinkedHashMap<>(StrictJson.readObject(json));
        } catch (UncheckedIOException _) {
            return ToolResultText.refused("Refused: the arguments are not a JSON object.");
        }
        try {
            Duration limit = left.compareTo(LIMIT) < 0 ? left : LIMIT;
            ToolOutcome outcome = tools.call(organization, tool.toolId(), arguments, journal.idempotencyKey(), limit);
            return new ToolResultText(outcome.truncated(MAX_ANSWER_LENGTH), false);
        } catch (ToolFailure e) {
            return ToolResultText.refused("The tool failed. " + e.title() + ": " + e.sentence());
        }
    }
}
