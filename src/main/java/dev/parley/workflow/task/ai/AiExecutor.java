package dev.parley.workflow.task.ai;

import dev.parley.Settings;
import dev.parley.http.StrictJson;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.message.MessageReader;
import dev.parley.problem.Fault;
import dev.parley.tool.Tools;
import dev.parley.workflow.attempt.Recording;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.Pointer;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.Values;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.file.Rendering;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs AI tasks: the model gets the instructions, the inputs, the conversation's history and a JSON schema made from
 * the expected outputs, with the files among the inputs and the tools that the definition lists. An answer that the
 * value rules refuse is sent back with what is wrong, at most twice (DECISIONS 4, "AI").
 */
@Singleton
public final class AiExecutor implements TaskExecutor {
    private static final int ASKED_AGAIN = 2;
    private static final String EARLIER = "earlier_outputs";

    private final ChatModel model;
    private final MessageReader messages;
    private final Duration limit;
    private final Attachments attachments;
    private final Tools tools;

    public AiExecutor(
            ChatModel model, MessageReader messages, Attachments attachments, Tools tools, Settings settings) {
        this.model = model;
        this.messages = messages;
        this.attachments = attachments;
        this.tools = tools;
        this.limit = settings.aiTimeLimit();
    }

    @Override
    public Class<? extends Task> kind() {
        return AiTask.class;
    }

    @Override
    public Duration limit() {
        return limit;
    }

    @Override
    public TaskResult run(TaskRun run) throws TaskFailure, InterruptedException {
        List<OutputParameter> outputs = run.task().expectedOutput();
        long deadline = System.nanoTime() + run.limit().toNanos();
        ModelTools usable = new ModelTools(tools, run);
        ChatRequest request = ChatRequest.text(run.task().instructions(), history(run), run.limit())
                .withInputs(inputs(run))
                .withFiles(attachments.of(run))
                .withSchema(AnswerSchema.of(outputs))
                .once(); // The engine tries again, and tells of it.
        int asked = 0;
        int turns = 0;
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            ChatReply reply = ask(request.within(left).withTools(usable.offered()), run.recording());
            if (!reply.toolCalls().isEmpty()) {
                if (++turns > 2 * ModelTools.CALLS) {
                    throw TaskFailure.permanent("Invalid model answer", "The model calls tools without an end.");
                }
                request = answered(request, reply, usable, deadline);
                continue;
            }
            List<Fault> faults = new ArrayList<>();
            Optional<Map<String, @Nullable Object>> values = read(reply.text(), outputs, faults);
            if (values.isPresent()) {
                return new TaskResult(values.get());
            }
            if (asked++ == ASKED_AGAIN) {
                throw TaskFailure.permanent(
                        "Invalid model answer",
                        "The model's answer does not fit the expected output: "
                                + faults.getFirst().detail());
            }
            request = request.withTurn(ChatTurn.assistant(reply.text())).withTurn(ChatTurn.user(complaint(faults)));
        }
    }

    /** The request with the calls that the model asked for, and what the tools said. */
    private static ChatRequest answered(ChatRequest request, ChatReply reply, ModelTools usable, long deadline)
            throws InterruptedException {
        ChatRequest more =
                request.withTurn(new ChatTurn(ChatTurn.Speaker.ASSISTANT, reply.text(), reply.toolCalls(), ""));
        for (ChatTool.Call call : reply.toolCalls()) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            more = more.withTurn(ChatTurn.tool(call, usable.call(call, left)));
        }
        return more;
    }

    private ChatReply ask(ChatRequest request, Recording recording) throws TaskFailure, InterruptedException {
        recording.asked(request);
        try {
            ChatReply reply = model.reply(request);
            recording.answered(reply);
            return reply;
        } catch (ChatModelException e) {
            e.answered().ifPresent(recording::answered);
            throw TaskFailure.of(e);
        }
    }

    /** The inputs, and what the conversation remembers beside them. */
    private static Map<String, @Nullable Object> inputs(TaskRun run) {
        if (run.earlierOutputs().isEmpty() || run.inputs().containsKey(EARLIER)) {
            return run.inputs();
        }
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>(run.inputs());
        inputs.put(EARLIER, run.earlierOutputs());
        return inputs;
    }

    private List<ChatTurn> history(TaskRun run) {
        if (run.conversation() == null) {
            return List.of();
        }
        return ConversationHistory.turns(messages, run.organization(), run.conversation());
    }

    /** The checked outputs; empty, with faults, when the answer does not fit. */
    private static Optional<Map<String, @Nullable Object>> read(
            String text, List<OutputParameter> outputs, List<Fault> faults) {
        Map<String, Object> answer;
        try {
            answer = StrictJson.readObject(text);
        } catch (UncheckedIOException _) {
            faults.add(Fault.invalid("", "The answer is not a JSON object."));
            return Optional.empty();
        }
        Map<String, @Nullable Object> values = Values.outputs(outputs, answer, Pointer.ROOT, faults);
        for (OutputParameter output : outputs) {
            if (values.get(output.name()) instanceof String file
                    && output.type().isFile()) {
                Rendering.fault(output.type(), file)
                        .ifPresent(sentence -> faults.add(Fault.invalid("/" + output.name(), sentence)));
            }
        }
        return faults.isEmpty() ? Optional.of(new LinkedHashMap<>(values)) : Optional.empty();
    }

    private static String complaint(List<Fault> faults) {
        var text = new StringBuilder("Your answer does not fit the schema. Answer again, with the whole object.");
        for (Fault fault : faults) {
            text.append('\n').append(fault.path()).append(": ").append(fault.detail());
        }
        return text.toString();
    }
}
