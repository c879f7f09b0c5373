package dev.parley.workflow.task.ai;

import dev.parley.attachment.AttachmentException;
import dev.parley.attachment.AttachmentReader;
import dev.parley.attachment.OpenAttachments;
import dev.parley.budget.BudgetLimiter;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.budget.core.BudgetOwner;
import dev.parley.event.delta.LiveTexts;
import dev.parley.event.delta.ReplyText;
import dev.parley.event.delta.TextSource;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.message.MessageReader;
import dev.parley.model.ModelCall;
import dev.parley.model.ModelGateway;
import dev.parley.problem.Violation;
import dev.parley.settings.Settings;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.ModelChoice;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.journal.ConversationStart;
import dev.parley.workflow.journal.JournaledCall;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.SubWorkflows;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskOutcome;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs AI tasks: the model gets the instructions, the inputs, the conversation's history, the files among the inputs,
 * the tools that the definition lists, and a JSON schema of the expected outputs. An answer that is truncated, not a
 * JSON object or violates the value rules is returned to the model with the violations, at most twice.
 */
@Singleton
public final class AiExecutor implements TaskExecutor {
    private static final int ASKED_AGAIN = 2;
    private static final String EARLIER = "earlier_outputs";

    private final ModelGateway models;
    private final MessageReader messages;
    private final Settings.TaskLimits limits;
    private final AttachmentReader attachments;
    private final ToolService tools;
    private final SubWorkflows subWorkflows;
    private final LiveTexts texts;
    private final BudgetLimiter budgetLimiter;

    public AiExecutor(
            ModelGateway models,
            MessageReader messages,
            AttachmentReader attachments,
            ToolService tools,
            SubWorkflows subWorkflows,
            LiveTexts texts,
            BudgetLimiter budgetLimiter,
            Settings.TaskLimits limits) {
        this.texts = texts;
        this.models = models;
        this.messages = messages;
        this.attachments = attachments;
        this.tools = tools;
        this.subWorkflows = subWorkflows;
        this.budgetLimiter = budgetLimiter;
        this.limits = limits;
    }

    @Override
    public TaskKind kind() {
        return TaskKind.AI;
    }

    @Override
    public Duration limit() {
        return limits.ai();
    }

    @Override
    public boolean keepsJournal() {
        return true;
    }

    @Override
    public TaskOutcome run(TaskRun given) throws TaskFailure, InterruptedException {
        long deadline = System.nanoTime() + given.limit().toNanos();
        ConversationStart start = given.journal().begin(() -> start(given));
        TaskRun run = continued(given, start);
        try (OpenAttachments files =
                        attachments.read(run.organization(), InputFiles.of(run, attachments::isUrl), Map.of());
                ReplyText live = texts.ofTask(
                        new TextSource(run.organization(), run.conversation(), run.instance()),
                        run.instance(),
                        run.task().id().value(),
                        run.recording().key().item(),
                        run.attempt())) {
            TaskResult result = run(run, start, files.files(), deadline, live);
            live.complete();
            return result;
        } catch (CallSuspendedException e) {
            return e.outcome();
        } catch (AttachmentException e) {
            throw TaskFailure.of(e);
        } catch (TaskJournal.JournalConflictException e) {
            throw TaskFailure.of("Interrupted", "Another execution continued the task.", true, null, e);
        }
    }

    private ConversationStart start(TaskRun run) {
        Map<String, @Nullable Object> fetched = new LinkedHashMap<>(run.inputs());
        fetched.keySet().retainAll(run.fetched());
        return run.journal()
                .startWith(
                        history(run).stream()
                                .map(ConversationStart.HistoryTurn::of)
                                .toList(),
                        fetched,
                        run.earlierOutputs());
    }

    /** The run with what the conversation started with, even if the stores have changed. */
    private static TaskRun continued(TaskRun run, ConversationStart start) {
        if (start.fetched().isEmpty() && start.earlierOutputs().equals(run.earlierOutputs())) {
            return run;
        }
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>(run.inputs());
        inputs.putAll(start.fetched());
        return run.with(inputs, start.earlierOutputs());
    }

    private TaskResult run(TaskRun run, ConversationStart start, List<ChatFile> files, long deadline, ReplyText live)
            throws TaskFailure, CallSuspendedException, InterruptedException {
        List<OutputParameter> outputs = run.task().expectedOutput();
        UsageGuard guard = new UsageGuard(run, limits);
        ModelTools usable = new ModelTools(tools, subWorkflows, run, guard);
        ChatRequest request = ChatRequest.text(run.task().instructions(), history(start), run.limit())
                .withInputs(inputs(run))
                .withFiles(files)
                .withSchema(AnswerSchema.of(outputs))
                .withOptions(options(run))
                .once(); // The engine retries and reports it.
        int asked = 0;
        while (true) {
            Duration remaining = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            Optional<JournaledCall.ModelReply> known = run.journal().nextReply();
            if (known.isEmpty()) {
                guard.beforeModelCall();
            }
            live.onReset();
            ChatReply reply = reply(run, request.within(remaining).withTools(usable.offered()), known, live);
            if (!reply.toolCalls().isEmpty() && reply.finish() == ChatReply.ReplyFinish.STOP) {
                live.onReset(); // The text of the task is that of its answer.
                journal(reply, known, run);
                request = answered(request, reply, usable, deadline);
                continue;
            }
            if (known.filter(run.journal()::isOfEarlierRun).isPresent()) {
                continue; // A new run was ordered because of this answer.
            }
            List<Violation> violations = new ArrayList<>();
            Optional<Map<String, @Nullable Object>> values = AnswerReader.read(reply, outputs, violations);
            if (values.isPresent()
                    && outputs.stream().noneMatch(output -> output.type().isFile())) {
                return new TaskResult(values.get()); // Stored at once, with the result.
            }
            journal(reply, known, run);
            if (values.isPresent()) {
                return new TaskResult(values.get());
            }
            if (asked++ == ASKED_AGAIN) {
                throw TaskFailure.permanent(
                        "Invalid model answer",
                        "The model's answer does not fit the expected output: " + detail(violations.getFirst()));
            }
            request = request.withTurn(new ChatTurn(
                            ChatTurn.Speaker.ASSISTANT, reply.text(), List.of(), List.of(), reply.extras()))
                    .withTurn(ChatTurn.user(complaint(violations, outputs)));
        }
    }

    /** The request with the model's tool calls and their results. */
    private static ChatRequest answered(ChatRequest request, ChatReply reply, ModelTools usable, long deadline)
            throws TaskFailure, CallSuspendedException, InterruptedException {
        ChatRequest more = request.withTurn(ChatTurn.assistant(reply));
        for (ChatTool.ModelToolCall call : reply.toolCalls()) {
            Duration remaining = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            more = more.withTurn(ChatTurn.tool(call, usable.call(call, remaining)));
        }
        return more;
    }

    private static void journal(ChatReply reply, Optional<JournaledCall.ModelReply> known, TaskRun run)
            throws InterruptedException {
        if (known.isEmpty()) {
            run.journal().append(reply);
        }
    }

    /** The next reply of the journal, or else of the model. */
    private ChatReply reply(TaskRun run, ChatRequest request, Optional<JournaledCall.ModelReply> known, ReplyText live)
            throws TaskFailure, InterruptedException {
        AttemptRecording recording = run.recording();
        recording.recordRequest(request);
        if (known.isPresent()) {
            recording.recordReplayedReply(known.get().reply());
            return known.get().reply();
        }
        try {
            ChatReply reply = models.reply(call(run), request, live);
            recording.recordReply(reply);
            return reply;
        } catch (ChatModelException e) {
            e.answered().ifPresent(recording::recordReply);
            throw TaskFailure.of(e);
        } catch (BudgetExceededException e) {
            budgetLimiter.await(owner(run), run.instance(), run.task().id().value(), run.attempt(), e.estimate());
            throw TaskFailure.of(e);
        }
    }

    private static ModelCall call(TaskRun run) {
        ModelChoice choice = choice(run);
        return new ModelCall(owner(run), choice.model(), choice.fallbacks());
    }

    private static BudgetOwner owner(TaskRun run) {
        return new BudgetOwner(run.organization(), run.workflow(), run.usage().apiKey());
    }

    private static ChatOptions options(TaskRun run) {
        ModelChoice choice = choice(run);
        BigDecimal temperature = choice.temperature();
        return new ChatOptions(
                temperature == null ? null : temperature.doubleValue(),
                null,
                choice.maxOutputTokens(),
                choice.reasoningEffort(),
                List.of());
    }

    private static ModelChoice choice(TaskRun run) {
        return run.task() instanceof AiTask ai ? ai.model() : ModelChoice.DEFAULT;
    }

    /** The inputs and the memory of the conversation. */
    private static Map<String, @Nullable Object> inputs(TaskRun run) {
        if (run.earlierOutputs().isEmpty() || run.inputs().containsKey(EARLIER)) {
            return run.inputs();
        }
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>(run.inputs());
        inputs.put(EARLIER, run.earlierOutputs());
        return inputs;
    }

    private static List<ChatTurn> history(ConversationStart start) {
        return start.history().stream().map(ConversationStart.HistoryTurn::turn).toList();
    }

    private List<ChatTurn> history(TaskRun run) {
        if (run.conversation() == null) {
            return List.of();
        }
        return ConversationHistory.turns(messages, run.organization(), run.conversation());
    }

    /** Names the schema, because not every endpoint shows it to its model. */
    private static String complaint(List<Violation> violations, List<OutputParameter> outputs) {
        var text = new StringBuilder(
                "Your answer does not match the schema. Answer again with the complete JSON object and "
                        + "nothing else.");
        for (Violation violation : violations) {
            text.append('\n').append(detail(violation));
        }
        text.append("\nThe JSON Schema: ").append(StrictJson.write(AnswerSchema.of(outputs)));
        return text.toString();
    }

    private static String detail(Violation violation) {
        return violation.path().isEmpty() ? violation.detail() : violation.path() + ": " + violation.detail();
    }
}
