package dev.parley.workflow.attempt;

import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import dev.parley.workflow.attempt.TaskAttempt.ArgumentsEdit;
import dev.parley.workflow.attempt.TaskAttempt.AttemptFailure;
import dev.parley.workflow.attempt.TaskAttempt.RecordedContent;
import dev.parley.workflow.attempt.TaskAttempt.RecordedLine;
import dev.parley.workflow.attempt.TaskAttempt.RecordedToolCall;
import dev.parley.workflow.attempt.core.EditedArguments;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the calls of an executor during one attempt, so that a failed attempt is recorded as completely as a
 * successful one. Limited: texts are truncated, and calls beyond the limit are only counted. Only the
 * usage may be read by other threads.
 */
public final class AttemptRecording {
    /** The limit for characters of all messages and calls together; the limit for each allows for several. */
    private static final int MAX_TOTAL_CHARACTERS = 100_000;

    private static final int MAX_ENTRY_CHARACTERS = 12_000;
    private static final int MAX_ANSWER_LENGTH = 32_000;
    private static final int MAX_CALL_LENGTH = RedactedText.MAX_ARGUMENTS_LENGTH;

    /** The maximum number of entries. */
    private static final int MAX_ENTRIES = 200;

    private final TaskAttempt.AttemptKey key;
    private final Consumer<TaskAttempt> underWay;
    private final List<RecordedLine> messages = new ArrayList<>();
    private final List<RecordedToolCall> calls = new ArrayList<>();
    private int room = MAX_TOTAL_CHARACTERS;
    private int leftOut;
    private int turn;
    private int followUps;
    private boolean hasRequest;
    private boolean isStored;
    private @Nullable String model;
    private @Nullable String reportedModel;
    private long cachedTokens;
    private long reasoningTokens;
    private @Nullable String answer;
    private volatile ModelUsage usage = ModelUsage.NONE;

    /** @param underWay stores the attempt so far, each time a model is called again */
    public AttemptRecording(TaskAttempt.AttemptKey key, Consumer<TaskAttempt> underWay) {
        this.key = key;
        this.underWay = underWay;
    }

    /** Called before a model is called: records its messages, from the second call on only the new ones. */
    public void recordRequest(ChatRequest request) {
        if (!hasRequest) {
            hasRequest = true;
            addText("system", request.instructions());
            for (ChatTurn said : request.turns()) {
                addText(said.speaker() == ChatTurn.Speaker.USER ? "user" : "assistant", said.text());
            }
            if (!request.inputs().isEmpty()) {
                add("user", ChatRequest.INPUTS + RedactedText.ofTree(request.inputs(), most(MAX_ENTRY_CHARACTERS)));
            }
            request.files().forEach(file -> addText("user", file.promptText()));
            return;
        }
        List<ChatTurn> since =
                request.followUps().subList(followUps, request.followUps().size());
        followUps = request.followUps().size();
        boolean complaint = false;
        for (ChatTurn said : since) {
            if (said.speaker() == ChatTurn.Speaker.USER) {
                addText("assistant", answer == null ? "" : answer);
                addText("user", said.text());
                complaint = true;
            }
        }
        if (complaint) {
            storeUnderWay();
        }
    }

    /** Records the model's response: a valid answer, an invalid one, or tool calls. */
    public void recordReply(ChatReply reply) {
        long input = usage.inputTokens() + reply.promptTokens();
        long output = usage.outputTokens() + reply.completionTokens();
        long cost = usage.costMicros() + reply.costMicros();
        usage = new ModelUsage(input, output, cost, usage.modelCalls() + 1, usage.toolCalls());
        cachedTokens += reply.cachedTokens();
        reasoningTokens += reply.reasoningTokens();
        addTurn(reply);
        if (!reply.toolCalls().isEmpty()) {
            storeUnderWay();
        }
    }

    /** Records a response from the journal, which an earlier attempt has paid for. */
    public void recordReplayedReply(ChatReply reply) {
        addTurn(reply);
    }

    private void addTurn(ChatReply reply) {
        turn++;
        reportedModel = RedactedText.of(reply.model(), 200);
        model = reply.alias() == null ? reportedModel : reply.alias();
        if (reply.toolCalls().isEmpty()) {
            answer = RedactedText.of(reply.text(), MAX_ANSWER_LENGTH);
        } else if (!reply.text().isBlank()) {
            addText("assistant", reply.text());
        }
    }

    /** Records a tool call of an App task, with its arguments. */
    public void called(
            String tool,
            int toolId,
            Map<String, @Nullable Object> arguments,
            String result,
            boolean failed,
            Duration took) {
        call(tool, toolId, RedactedText.ofTree(arguments, most(MAX_CALL_LENGTH)), null, result, failed, took, false);
    }

    /**
     * Records a tool call requested by a model, executed or refused.
     *
     * @param arguments as the model requested them
     * @param edited set if a person edited them, so that the tool got others
     * @param replayed whether the result is from the journal
     */
    public void called(
            String tool,
            @Nullable Integer toolId,
            String arguments,
            @Nullable EditedArguments edited,
            String result,
            boolean failed,
            Duration took,
            boolean replayed) {
        if (!replayed) {
            usage = usage.plus(ModelUsage.ofToolCall());
        }
        String requested = RedactedText.ofJson(arguments, most(MAX_CALL_LENGTH));
        if (edited == null) {
            call(tool, toolId, requested, null, result, failed, took, replayed);
            return;
        }
        String sent = RedactedText.ofTree(edited.arguments(), most(MAX_CALL_LENGTH));
        var edit = new ArgumentsEdit(edited.by(), edited.at(), requested);
        call(tool, toolId, sent, edit, result, failed, took, replayed);
    }

    /** Records a tool call that waits for a person's approval. */
    public void waits(String tool, int toolId, String arguments) {
        String shown = RedactedText.ofJson(arguments, most(MAX_CALL_LENGTH));
        call(tool, toolId, shown, null, "Waits for a person's approval.", false, Duration.ZERO, false);
    }

    private void call(
            String tool,
            @Nullable Integer toolId,
            String arguments,
            @Nullable ArgumentsEdit edit,
            String result,
            boolean failed,
            Duration took,
            boolean replayed) {
        if (isFull()) {
            leftOut++;
            return;
        }
        room -= arguments.length()
                + (edit == null ? 0 : edit.requestedArguments().length());
        String shown = RedactedText.of(result, most(MAX_CALL_LENGTH));
        room -= shown.length();
        calls.add(new RecordedToolCall(
                turn, RedactedText.of(tool, 200), toolId, arguments, edit, shown, failed, took.toMillis(), replayed));
    }

    private void addText(String role, String text) {
        add(role, RedactedText.of(text, most(MAX_ENTRY_CHARACTERS)));
    }

    private void add(String role, String shown) {
        if (isFull()) {
            leftOut++;
        } else if (!shown.isBlank()) {
            room -= shown.length();
            messages.add(new RecordedLine(role, shown));
        }
    }

    private void storeUnderWay() {
        isStored = true;
        underWay.accept(attempt(AttemptStatus.RUNNING, null, null));
    }

    private boolean isFull() {
        return room <= 0 || messages.size() + calls.size() >= MAX_ENTRIES;
    }

    private int most(int maxLength) {
        return Math.max(0, Math.min(maxLength, room));
    }

    /** The usage of models so far. */
    public ModelUsage usage() {
        return usage;
    }

    /** Whether nothing was called. */
    public boolean isEmpty() {
        return !hasRequest && calls.isEmpty();
    }

    public TaskAttempt.AttemptKey key() {
        return key;
    }

    /** The attempt in its current or final state. */
    public TaskAttempt attempt(AttemptStatus status, @Nullable Instant finishedAt, @Nullable AttemptFailure error) {
        AttemptFailure shown = error == null
                ? null
                : new AttemptFailure(error.error(), RedactedText.of(error.detail(), MAX_CALL_LENGTH));
        return new TaskAttempt(
                key,
                status,
                finishedAt,
                usage,
                new RecordedContent(
                        model, reportedModel, cachedTokens, reasoningTokens, shown, messages, answer, calls, leftOut),
                isStored);
    }
}
