package dev.parley.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRules;
import dev.parley.egress.EgressUrl;
import dev.parley.llm.ChatReply.ReplyFinish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Any service that speaks OpenAI's chat completions (PARLEY_LLM_BASE_URL, PARLEY_LLM_API_KEY, PARLEY_LLM_MODEL,
 * PARLEY_LLM_TIMEOUT). Transient faults are tried again by {@link ModelRetries} within the request's deadline. Its requests
 * go through the egress client; the base URL's own host and port are allowed, public or not, since the operator set
 * them, and nothing else is.
 */
public final class OpenAiChatModel implements ChatModel, AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final EgressClient client;
    private final dev.langchain4j.model.openai.OpenAiChatModel model;
    private final String name;
    private final Duration timeout;
    private final ModelRetries retries;

    /**
     * @param apiKey empty for a service that asks for none
     * @param timeout for one try; the request's deadline is for all of them
     * @throws IllegalArgumentException with a sentence, when the base URL is not one
     */
    public OpenAiChatModel(String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules) {
        this(baseUrl, apiKey, model, timeout, rules, Thread::sleep);
    }

    OpenAiChatModel(String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules, Sleeper sleeper) {
        EgressUrl url = parsed(baseUrl);
        this.client = new EgressClient(rules.allowing(url.host(), url.port()));
        this.model = dev.langchain4j.model.openai.OpenAiChatModel.builder()
                .httpClientBuilder(new ModelHttp.Builder(client))
                .baseUrl(baseUrl)
                .apiKey(apiKey.isBlank() ? null : apiKey)
                .modelName(model)
                .strictJsonSchema(true)
                .maxRetries(0)
                .build();
        this.name = model;
        this.timeout = timeout;
        this.retries = new ModelRetries(sleeper);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException {
        var question = question(request);
        boolean structured = request.schema().isPresent();
        return retries.run(request.retried(), request.deadline(), remaining -> {
            Duration limit = remaining.compareTo(timeout) < 0 ? remaining : timeout;
            return checked(ask(question, limit), structured);
        });
    }

    @Override
    public void close() {
        client.close();
    }

    private ChatResponse ask(dev.langchain4j.model.chat.request.ChatRequest question, Duration limit)
            throws ChatModelException, InterruptedException {
        try {
            return ScopedValue.where(ModelHttp.REMAINING, limit).call(() -> model.chat(question));
        } catch (RuntimeException failed) {
            for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
                if (cause instanceof InterruptedException) {
                    throw new InterruptedException();
                }
                Optional<ChatModelException> known = known(cause);
                if (known.isPresent()) {
                    throw known.get();
                }
            }
            throw ChatModelException.transientFault("The chat model's answer could not be understood.", failed);
        }
    }

    private static Optional<ChatModelException> known(Throwable cause) {
        return switch (cause) {
            case ModelHttp.ModelRejection refused -> Optional.of(refused(refused));
            case EgressException lost -> Optional.of(lost(lost));
            case ContentFilteredException filtered -> Optional.of(filtered(filtered));
            default -> Optional.empty();
        };
    }

    private static ChatModelException refused(ModelHttp.ModelRejection refused) {
        String told = " (status " + refused.status() + (refused.code().isEmpty() ? "" : ", " + refused.code()) + ").";
        return switch (refused.status()) {
            case 401, 403 ->
                ChatModelException.permanentFault(
                        "The chat model's service refused the configured key" + told, refused);
            case 404 ->
                ChatModelException.permanentFault(
                        "The chat model's service does not know the configured model or address" + told, refused);
            case 408, 425, 429, 500, 502, 503, 504, 529 -> busy(refused, told);
            default ->
                refused.status() > 500
                        ? busy(refused, told)
                        : ChatModelException.permanentFault(
                                "The chat model's service did not accept the request" + told, refused);
        };
    }

    private static ChatModelException busy(ModelHttp.ModelRejection refused, String told) {
        if (refused.code().equals("insufficient_quota")) {
            return ChatModelException.permanentFault("The chat model's quota is used up" + told, refused);
        }
        ChatModelException fault =
                ChatModelException.transientFault("The chat model's service is busy or failing" + told, refused);
        return refused.retryAfter().map(fault::retryAfter).orElse(fault);
    }

    private static ChatModelException lost(EgressException lost) {
        String sentence =
                switch (lost.kind()) {
                    case TIMEOUT -> "The chat model did not answer in time.";
                    case TOO_LARGE -> "The chat model's answer was too large.";
                    case INVALID_REQUEST, REFUSED_ADDRESS, UNRESOLVED, CONNECTION, TLS ->
                        "The chat model could not be reached.";
                };
        return lost.isTransient()
                ? ChatModelException.transientFault(sentence, lost)
                : ChatModelException.permanentFault(sentence, lost);
    }

    private static ChatModelException filtered(@Nullable Throwable cause) {
        return ChatModelException.permanentFault("The chat model refused to answer this.", cause);
    }

    /** The answer, if it is one; what the model used is told also where it is none. */
    private ChatReply checked(ChatResponse response, boolean structured) throws ChatModelException {
        ChatReply reply = read(response);
        Optional<ChatModelException> fault = fault(response.finishReason(), reply, structured);
        if (fault.isPresent()) {
            throw fault.get().answered(reply);
        }
        return reply;
    }

    /** With a schema, a cut or empty answer goes to the caller, who can name the fault to the model. */
    private static Optional<ChatModelException> fault(
            @Nullable FinishReason reason, ChatReply reply, boolean structured) {
        if (reason == FinishReason.CONTENT_FILTER) {
            return Optional.of(filtered(null));
        }
        if (!reply.toolCalls().isEmpty()) {
            return Optional.empty();
        }
        if (reason != FinishReason.STOP && reason != FinishReason.LENGTH) {
            // without a reason the answer was cut on its way, though the library takes it for complete
            return Optional.of(ChatModelException.transientFault("The chat model's answer is not complete.", null));
        }
        return reply.text().isBlank() && !structured
                ? Optional.of(ChatModelException.transientFault("The chat model's answer was empty.", null))
                : Optional.empty();
    }

    private ChatReply read(ChatResponse response) {
        TokenUsage usage = response.tokenUsage();
        return new ChatReply(
                Objects.requireNonNullElse(response.aiMessage().text(), ""),
                count(usage == null ? null : usage.inputTokenCount()),
                count(usage == null ? null : usage.outputTokenCount()),
                Objects.requireNonNullElse(response.modelName(), name),
                response.finishReason() == FinishReason.LENGTH ? ReplyFinish.LENGTH : ReplyFinish.STOP,
                !response.aiMessage().hasToolExecutionRequests()
                        ? List.of()
                        : response.aiMessage().toolExecutionRequests().stream()
                                .map(call -> new ChatTool.ModelToolCall(
                                        Objects.requireNonNullElse(call.id(), ""),
                                        Objects.requireNonNullElse(call.name(), ""),
                                        Objects.requireNonNullElse(call.arguments(), "")))
                                .toList());
    }

    private static long count(@Nullable Integer tokens) {
        return tokens == null ? 0 : Math.max(0, tokens);
    }

    private static dev.langchain4j.model.chat.request.ChatRequest question(ChatRequest request) {
        var question = dev.langchain4j.model.chat.request.ChatRequest.builder().messages(messages(request));
        request.schema()
                .ifPresent(schema -> question.responseFormat(ResponseFormat.builder()
                        .type(ResponseFormatType.JSON)
                        .jsonSchema(JsonSchema.builder()
                                .name("answer")
                                .rootElement(JsonRawSchema.from(json(StrictSchema.of(schema))))
                                .build())
                        .build()));
        if (!request.tools().isEmpty()) {
            question.toolSpecifications(
                    request.tools().stream().map(OpenAiChatModel::tool).toList());
        }
        return question.build();
    }

    private static List<ChatMessage> messages(ChatRequest request) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!request.instructions().isBlank()) {
            messages.add(SystemMessage.from(request.instructions()));
        }
        request.turns().forEach(turn -> messages.add(message(turn)));
        if (!request.inputs().isEmpty() || !request.files().isEmpty()) {
            messages.add(inputs(request));
        }
        request.followUps().forEach(turn -> messages.add(message(turn)));
        if (messages.isEmpty()) {
            messages.add(UserMessage.from("(empty message)"));
        }
        return messages;
    }

    private static ChatMessage message(ChatTurn turn) {
        String text = turn.text().isBlank() ? "(empty message)" : turn.text();
        return switch (turn.speaker()) {
            case USER -> turn.files().isEmpty() ? UserMessage.from(text) : withFiles(text, turn.files());
            case ASSISTANT ->
                turn.calls().isEmpty()
                        ? AiMessage.from(text)
                        : AiMessage.builder()
                                .text(turn.text().isBlank() ? null : text)
                                .toolExecutionRequests(turn.calls().stream()
                                        .map(OpenAiChatModel::call)
                                        .toList())
                                .build();
            case TOOL -> ToolExecutionResultMessage.from(call(turn.calls().getFirst()), text);
        };
    }

    private static ToolExecutionRequest call(ChatTool.ModelToolCall call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments())
                .build();
    }

    private static UserMessage inputs(ChatRequest request) {
        return withFiles(
                request.inputs().isEmpty() ? "" : ChatRequest.INPUTS + json(request.inputs()), request.files());
    }

    private static UserMessage withFiles(String text, List<ChatFile> files) {
        List<Content> parts = new ArrayList<>();
        if (!text.isEmpty()) {
            parts.add(TextContent.from(text));
        }
        for (ChatFile file : files) {
            if (file.isImage()) {
                parts.add(TextContent.from(file.shown() + ":"));
                parts.add(ImageContent.from(Base64.getEncoder().encodeToString(file.image()), file.contentType()));
            } else {
                parts.add(TextContent.from(file.shown()));
            }
        }
        return UserMessage.from(parts);
    }

    /** Each argument's schema goes as it is; only the object around them is the library's. */
    private static ToolSpecification tool(ChatTool tool) {
        var parameters = JsonObjectSchema.builder();
        if (tool.schema().get("properties") instanceof Map<?, ?> properties) {
            properties.forEach(
                    (name, schema) -> parameters.addProperty(String.valueOf(name), JsonRawSchema.from(json(schema))));
        }
        if (tool.schema().get("required") instanceof List<?> required) {
            parameters.required(required.stream().map(String::valueOf).toList());
        }
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(parameters.build())
                .build();
    }

    private static String json(Object tree) {
        try {
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a JSON tree.", notATree);
        }
    }

    private static EgressUrl parsed(String baseUrl) {
        try {
            return EgressUrl.parse(baseUrl);
        } catch (EgressException wrong) {
            throw new IllegalArgumentException("PARLEY_LLM_BASE_URL: " + wrong.sentence(), wrong);
        }
    }
}
