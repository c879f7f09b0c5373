package dev.parley.model;

import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ReplyListener;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;

/** Passes each request of an organization to the model that it names, and prices the reply. */
@Singleton
public final class ModelGateway {
    private final ChatModel model;
    private final Settings.Prices prices;

    public ModelGateway(ChatModel model, Settings.Models settings) {
        this.model = model;
        this.prices = settings.prices();
    }

    /** Returns the priced reply, as {@link ChatModel#reply} does; the unusable reply of a failure is priced, too. */
    public ChatReply reply(ModelCall call, ChatRequest request, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        try {
            return priced(model.reply(request, listener));
        } catch (ChatModelException e) {
            throw e.answered().map(reply -> e.answered(priced(reply))).orElse(e);
        }
    }

    private ChatReply priced(ChatReply reply) {
        return reply.costing(prices.costMicros(reply.promptTokens(), reply.completionTokens()));
    }
}
