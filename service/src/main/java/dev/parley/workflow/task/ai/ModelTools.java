package dev.parley.workflow.task.ai;

import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.llm.ChatTool;
import dev.parley.problem.Violation;
import dev.parley.tool.ToolService;
import dev.parley.tool.catalog.Tool;
import dev.parley.tool.catalog.WorkflowProvider;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.EditedArguments;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.journal.JournaledCall;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.ApprovalRequest;
import dev.parley.workflow.task.SubWorkflows;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.TaskWait;
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
    private static final int MAX_QUOTE_LENGTH = 500;
    private static final int MAX_EDITED_LENGTH = 8_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ToolService tools;
    private final SubWorkflows subWorkflows;
    private final TaskRun run;
    private final OrganizationId organization;
    private final TaskJournal journal;
    private final AttemptRecording recording;
    private final CallApproval approval;
    private final Map<String, ToolService.Description> byName = new LinkedHashMap<>();
    private final Map<Integer, AgentTool> listed = new LinkedHashMap<>();
    private final UsageGuard guard;

    ModelTools(ToolService tools, SubWorkflows subWorkflows, TaskRun run, UsageGuard guard) {
        this.guard = guard;
        this.tools = tools;
        this.subWorkflows = subWorkflows;
        this.run = run;
        this.organization = run.organization();
        this.journal = run.journal();
        this.recording = run.recording();
        this.approval = new CallApproval(run);
        ((AiTask) run.task()).tools().forEach(tool -> listed.put(tool.id(), tool));
        for (ToolService.Description tool :
                listed.isEmpty() ? List.<ToolService.Description>of() : tools.describe(organization, listed.keySet())) {
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
    private record ToolResultText(
            String text, boolean failed, @Nullable EditedArguments edited) {
        ToolResultText(String text, boolean failed) {
            this(text, failed, null);
        }

        static ToolResultText refused(String text) {
            return new ToolResultText(text, true);
        }

        ToolResultText of(@Nullable EditedArguments sent) {
            return new ToolResultText(text, failed, sent);
        }
    }

    /** The result of a call for the model: that of the journal, or else of the tool. */
    String call(ChatTool.ModelToolCall call, Duration left)
            throws TaskFailure, CallSuspendedException, InterruptedException {
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
                result.edited(),
                result.text(),
                result.failed(),
                Duration.ofMillis(result.millis()),
                known.isPresent());
        return result.edited() == null ? result.text() : edited(result.edited()) + result.text();
    }

    /** The model would otherwise take the result for that of the arguments that it requested. */
    private static String edited(EditedArguments edited) {
        var sent = new ToolOutcome(StrictJson.write(edited.arguments()), null, List.of());
        return "A person edited the arguments of this call before approving it. The tool was called with "
                + sent.truncated(MAX_EDITED_LENGTH) + "\nThe result of that call: ";
    }

    private JournaledCall.ToolResult execute(ChatTool.ModelToolCall call, Duration left)
            throws CallSuspendedException, InterruptedException {
        long begun = System.nanoTime();
        ToolResultText text = result(call, left);
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        var result = new JournaledCall.ToolResult(call.id(), text.text, text.failed, millis, text.edited);
        journal.append(result);
        return result;
    }

    private ToolResultText result(ChatTool.ModelToolCall call, Duration left)
            throws CallSuspendedException, InterruptedException {
        ToolService.Description tool = byName.get(call.name());
        if (tool == null) {
            // A workflow that was archived while it ran is not offered any more, but its result counts.
            return startedWorkflow()
                    .map(result -> result.of(approval.edited(journal.position())))
                    .orElseGet(() -> ToolResultText.refused("Refused: this task has no tool of that name."));
        }
        Map<String, @Nullable Object> arguments;
        try {
            String json = call.arguments().isBlank() ? "{}" : call.arguments();
            arguments = new LinkedHashMap<>(StrictJson.readObject(json));
        } catch (UncheckedIOException _) {
            return ToolResultText.refused(
                    "Refused: the arguments are not a JSON object. They began with: " + quoted(call.arguments()));
        }
        // A number such as 1e999999999 is small to send, but not to write out.
        List<Violation> violations = new ArrayList<>();
        var _ = ValueRules.coerce(ValueType.OBJECT, null, List.of(), arguments, JsonPointer.ROOT, violations);
        if (!violations.isEmpty()) {
            return ToolResultText.refused("Refused: the arguments are invalid. "
                    + violations.getFirst().detail());
        }
        EditedArguments edited = null;
        try {
            Optional<CallDecision> decision = decision(call, tool, arguments);
            if (decision.isPresent()) {
                if (!decision.get().approved()) {
                    return ToolResultText.refused(
                            "A person rejected this call. " + decision.get().reason());
                }
                arguments = decision.get().arguments();
                edited = approval.edited(journal.position());
            }
            if (tool.provider().equals(WorkflowProvider.NAME)) {
                return workflowResult(tool.toolId(), arguments).of(edited);
            }
            Duration limit = left.compareTo(LIMIT) < 0 ? left : LIMIT;
            ToolOutcome outcome = tools.call(organization, tool.toolId(), arguments, journal.idempotencyKey(), limit);
            return new ToolResultText(outcome.truncated(MAX_ANSWER_LENGTH), false, edited);
        } catch (ToolFailure e) {
            return ToolResultText.refused("The tool failed. " + e.title() + ": " + e.detail())
                    .of(edited);
        }
    }

    private static String quoted(String text) {
        return text.codePoints()
                .limit(MAX_QUOTE_LENGTH)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Runs a workflow as a sub-workflow; the task waits until it has ended. */
    private ToolResultText workflowResult(int toolId, Map<String, @Nullable Object> arguments)
            throws ToolFailure, CallSuspendedException, InterruptedException {
        Optional<ToolResultText> started = startedWorkflow();
        if (started.isPresent()) {
            return started.get();
        }
        Tool tool = tools.checked(organization, toolId, arguments);
        WorkflowId workflow = WorkflowId.parse(tool.toolName()).orElseThrow();
        try {
            return result(subWorkflows.start(run, workflow, arguments, journal.idempotencyKey()));
        } catch (TaskFailure e) {
            return workflowFailed(e);
        }
    }

    /** The result of the sub-workflow that this call started before the task was suspended; empty if it started none. */
    private Optional<ToolResultText> startedWorkflow() throws CallSuspendedException {
        try {
            Optional<SubWorkflows.SubWorkflowRun> started = subWorkflows.find(run, journal.idempotencyKey());
            return started.isEmpty() ? Optional.empty() : Optional.of(result(started.get()));
        } catch (TaskFailure e) {
            return Optional.of(workflowFailed(e));
        }
    }

    private static ToolResultText result(SubWorkflows.SubWorkflowRun started) throws CallSuspendedException {
        return switch (started) {
            case SubWorkflows.Completed child -> {
                var outcome = new ToolOutcome(StrictJson.write(child.output()), null, List.of());
                yield new ToolResultText(outcome.truncated(MAX_ANSWER_LENGTH), false);
            }
            case SubWorkflows.Unfinished child ->
                throw new CallSuspendedException(
                        new TaskWait(TaskWait.WaitKind.SUB_WORKFLOW, child.checkAt(), Map.of()));
        };
    }

    private static ToolResultText workflowFailed(TaskFailure e) {
        return ToolResultText.refused("The workflow failed. " + e.title() + ": " + e.detail());
    }

    /** A person's decision on the call; empty if it needs none. Invalid arguments are not shown to people. */
    private Optional<CallDecision> decision(
            ChatTool.ModelToolCall call, ToolService.Description tool, Map<String, @Nullable Object> arguments)
            throws ToolFailure, CallSuspendedException {
        AgentTool rule = listed.get(tool.toolId());
        if (rule == null || !CallApproval.isNeeded(rule, arguments)) {
            return Optional.empty();
        }
        var _ = tools.checked(organization, tool.toolId(), arguments);
        var pending = new PendingToolCall(journal.position(), tool.toolId(), tool.name(), arguments, null);
        Optional<CallDecision> decision = approval.decision(pending);
        if (decision.isEmpty()) {
            recording.waits(call.name(), tool.toolId(), call.arguments());
            throw new CallSuspendedException(new ApprovalRequest(pending));
        }
        return decision;
    }
}
