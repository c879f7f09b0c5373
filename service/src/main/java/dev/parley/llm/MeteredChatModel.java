package dev.parley.llm;

import dev.parley.metrics.Metric;
import io.micrometer.core.instrument.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Records the metrics of a model: the duration of calls by outcome, the tokens used, and how long it has been failing. */
public final class MeteredChatModel implements ChatModel {
    private static final String INSTALLATION = "installation";

    private final ChatModel model;
    private final String provider;
    private final String label;
    private final Counter promptTokens;
    private final Counter completionTokens;

    /** When the first of the latest failures in a row ended, by {@link System#nanoTime}; 0 after a reply. */
    private final AtomicLong failingSince = new AtomicLong();

    /** The installation's model. */
    public MeteredChatModel(ChatModel model) {
        this(model, INSTALLATION, model.name());
        Metric.MODEL_FAILING.gauge(failingSince, MeteredChatModel::secondsSince, label);
    }

    /**
     * One of many models with the same labels.
     *
     * @param provider the kind of its provider
     */
    public MeteredChatModel(ChatModel model, String provider, String label) {
        this.model = model;
        this.provider = provider;
        this.label = label;
        this.promptTokens = tokens("prompt");
        this.completionTokens = tokens("completion");
    }

    @Override
    public ChatReply reply(ChatRequest request, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        long start = System.nanoTime();
        String outcome = "error";
        try {
            ChatReply reply = model.reply(request, listener);
            outcome = "answered";
            failingSince.set(0);
            count(reply);
            return reply;
        } catch (ChatModelException e) {
            e.answered().ifPresent(this::count);
            outcome = e.isTransient() ? "transient_fault" : "permanent_fault";
            if (e.isTransient()) {
                failingSince.compareAndSet(0, Math.max(1, System.nanoTime()));
            } else {
                failingSince.set(0);
            }
            throw e;
        } catch (InterruptedException e) {
            outcome = "interrupted";
            throw e;
        } finally {
            Metric.MODEL_CALLS.timer(provider, label, outcome).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
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

    private static double secondsSince(AtomicLong time) {
        long since = time.get();
        return since == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since) / 1_000.0;
    }

    private Counter tokens(String direction) {
        return Metric.MODEL_TOKENS.counter(provider, label, direction);
    }
}
