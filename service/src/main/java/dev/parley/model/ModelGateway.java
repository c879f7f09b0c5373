package dev.parley.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.budget.BudgetLimiter;
import dev.parley.budget.TokenEstimate;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ReplyListener;
import dev.parley.settings.Settings;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Passes each request of an organization to the model that it names, and prices the reply. If the model is away or
 * cannot read as much, the fallbacks get the request in their order.
 */
@Singleton
public final class ModelGateway {
    private final ModelLookup models;
    private final BudgetLimiter budgetLimiter;

    /** Finds a model, as {@link ModelResolver#resolve} does. */
    @FunctionalInterface
    private interface ModelLookup {
        ResolvedModel resolve(OrganizationId organization, String alias) throws ChatModelException;
    }

    @Inject
    public ModelGateway(ModelResolver models, BudgetLimiter budgetLimiter) {
        this.models = models::resolve;
        this.budgetLimiter = budgetLimiter;
    }

    /** A gateway to the installation's model, whatever alias a call names. */
    public ModelGateway(ChatModel installation, Settings.Models settings, BudgetLimiter budgetLimiter) {
        this.budgetLimiter = budgetLimiter;
        ResolvedModel model = ResolvedModel.ofInstallation(installation, settings.prices());
        this.models = (_, _) -> model;
    }

    /**
     * Returns the priced reply, which names the model's alias; the unusable reply of a failure is priced, too. A model
     * that is followed by a fallback retries itself, within half of the remaining time.
     *
     * @throws ChatModelException if no model has replied; permanently if the first one does not exist
     * @throws BudgetExceededException if a budget does not allow the call
     */
    public ChatReply reply(ModelCall call, ChatRequest request, ReplyListener listener)
            throws ChatModelException, BudgetExceededException, InterruptedException {
        long end = System.nanoTime() + request.deadline().toNanos();
        List<String> aliases = Stream.concat(
                        Stream.of(Objects.requireNonNullElse(call.model(), OrganizationModel.DEFAULT)),
                        call.fallbacks().stream())
                .distinct()
                .toList();
        ChatModelException failure = null;
        for (int i = 0; i < aliases.size(); i++) {
            Optional<ResolvedModel> model = model(call, aliases.get(i), failure != null);
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (model.isEmpty() || (failure != null && !left.isPositive())) {
                continue;
            }
            boolean isLast = i == aliases.size() - 1;
            Optional<ChatReply> unusable = Optional.ofNullable(failure).flatMap(ChatModelException::answered);
            if (failure != null) {
                listener.onReset();
            }
            try {
                ChatReply reply = ask(
                        call,
                        model.get(),
                        isLast ? request.within(left) : request.retrying().within(left.dividedBy(2)),
                        listener);
                return unusable.map(reply::after).orElse(reply);
            } catch (ChatModelException e) {
                failure = worse(failure, e);
                if (!e.isTransient() && !e.isContextOverflow()) {
                    break;
                }
            }
        }
        throw Objects.requireNonNull(failure);
    }

    /** Empty for a fallback that does not exist any more: it must not hide why the others failed. */
    private Optional<ResolvedModel> model(ModelCall call, String alias, boolean isFallback) throws ChatModelException {
        try {
            return Optional.of(models.resolve(call.owner().organization(), alias));
        } catch (ChatModelException unknown) {
            if (isFallback) {
                return Optional.empty();
            }
            throw unknown;
        }
    }

    /** The failure to report, with the tokens of both: the transient one, after which a retry may succeed. */
    private static ChatModelException worse(@Nullable ChatModelException before, ChatModelException e) {
        if (before == null) {
            return e;
        }
        return before.isTransient() || !e.isTransient() ? before.after(e.answered()) : e.after(before.answered());
    }

    /** One request to one model. */
    private ChatReply ask(ModelCall call, ResolvedModel model, ChatRequest request, ReplyListener listener)
            throws ChatModelException, BudgetExceededException, InterruptedException {
        ChatRequest limited = request.withOptions(model.limited(request.options()));
        return budgetLimiter.metered(
                call.owner(),
                model.alias(),
                () -> model.estimate(limited),
                new PricedCall(call.owner().organization(), model, limited, listener));
    }

    /** A request to a model, which counts what has arrived in case that it is interrupted. */
    private static final class PricedCall implements BudgetLimiter.MeteredCall, ReplyListener {
        private final OrganizationId organization;
        private final ResolvedModel model;
        private final ChatRequest request;
        private final ReplyListener listener;
        private final AtomicLong receivedBytes = new AtomicLong();

        PricedCall(OrganizationId organization, ResolvedModel model, ChatRequest request, ReplyListener listener) {
            this.organization = organization;
            this.model = model;
            this.request = request;
            this.listener = listener;
        }

        @Override
        public ChatReply reply() throws ChatModelException, InterruptedException {
            try (TraceSpan span = Tracing.client("chat", model.chat().name())) {
                ModelSpans.request(span.set(organization), model, request);
                try {
                    return ModelSpans.reply(span, priced(model, model.chat().reply(request, this)));
                } catch (ChatModelException e) {
                    span.fail(e.isTransient() ? "transient_fault" : "permanent_fault");
                    ChatModelException failure = receivedBytes.get() == 0 ? e : counted(e);
                    throw failure.answered()
                            .map(reply -> failure.answered(priced(model, reply)))
                            .orElse(failure);
                }
            }
        }

        /** The failure with what has arrived: the usage of a stream that breaks off is missing, or that of its start. */
        private ChatModelException counted(ChatModelException e) {
            ChatReply known = e.answered().orElse(reply(0, 0));
            long missing = TokenEstimate.ofBytes(receivedBytes.get()) - known.completionTokens();
            boolean isCounted = known.completionTokens() > 0 && !e.isTransient();
            return isCounted || missing <= 0
                    ? e
                    : e.answered(
                            known.after(reply(known.promptTokens() == 0 ? TokenEstimate.input(request) : 0, missing)));
        }

        @Override
        public ChatReply interrupted() {
            return priced(model, reply(TokenEstimate.input(request), TokenEstimate.ofBytes(receivedBytes.get())));
        }

        private ChatReply reply(long promptTokens, long completionTokens) {
            return new ChatReply("", promptTokens, completionTokens, model.alias(), ChatReply.ReplyFinish.LENGTH);
        }

        @Override
        public void onText(String text) {
            receivedBytes.addAndGet(text.getBytes(UTF_8).length);
            listener.onText(text);
        }

        @Override
        public void onReset() {
            listener.onReset();
        }
    }

    private static ChatReply priced(ResolvedModel model, ChatReply reply) {
        return reply.of(model.alias(), model.prices().costMicros(reply));
    }
}
