package dev.parley.llm;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Records the metrics of a model: the duration of calls by outcome, and the tokens used. */
public final class MeteredChatModel implements ChatModel {
    private final ChatModel model;
    private final Counter promptTokens;
    private final Counter completionTokens;

    public MeteredChatModel(ChatModel model) {
        this.model = model;
        this.promptTokens = tokens("prompt");
        this.completionTokens = tokens("completion");
    }

    @Override
    public ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException {
        long start = System.nanoTime();
        String outcome = "error";
        try {
            ChatReply reply = model.reply(request);
            outcome = "answered";
            count(reply);
            return reply;
        } catch (ChatModelException e) {
            e.answered().ifPresent(this::count);
            outcome = e.isTransient() ? "transient_fault" : "permanent_fault";
            throw e;
        } catch (InterruptedException e) {
            outcome = "interrupted";
            throw e;
        } finally {
            Timer.builder("parley.model.calls")
                    .description("Calls of the chat model, retries included, by outcome")
                    .tag("model", name())
                    .tag("outcome", outcome)
                    .register(Metrics.globalRegistry)
                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        }
    }

    private void count(ChatReply reply) {
        promptTokens.increment((double) reply.promptTokens());
        completionTokens.increment((double) reply.completionTokens());
    }

    @Override
    public String name() {
        return model.name();
    }

    private Counter tokens(String direction) {
        return Counter.builder("parley.model.tokens")
                .description("Tokens that the chat model read and wrote, as it counts them")
                .tag("model", name())
                .tag("direction", direction)
                .register(Metrics.globalRegistry);
    }
}
