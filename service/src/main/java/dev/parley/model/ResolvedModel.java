package dev.parley.model;

import dev.parley.budget.TokenEstimate;
import dev.parley.budget.core.CallEstimate;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatRequest;
import dev.parley.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * A model that replies to requests of an organization.
 *
 * @param alias as replies and usage name it
 * @param maxOutputTokens null if unknown
 */
record ResolvedModel(
        String alias,
        ChatModel chat,
        ModelPrices prices,
        @Nullable Integer maxOutputTokens) {
    static ResolvedModel ofInstallation(ChatModel chat, Settings.Prices prices) {
        return new ResolvedModel(
                OrganizationModel.DEFAULT, chat, new ModelPrices(prices.input(), null, prices.output()), null);
    }

    /** The options within the limit of the model. */
    ChatOptions limited(ChatOptions options) {
        Integer asked = options.maxOutputTokens();
        return asked == null || maxOutputTokens == null || asked <= maxOutputTokens
                ? options
                : new ChatOptions(
                        options.temperature(),
                        options.topP(),
                        maxOutputTokens,
                        options.reasoningEffort(),
                        options.stop(),
                        options.toolChoice());
    }

    /** The most that the request may use. */
    CallEstimate estimate(ChatRequest request) {
        long input = TokenEstimate.input(request);
        long output = TokenEstimate.output(request, maxOutputTokens);
        return new CallEstimate(input + output, prices.costMicros(input, 0, output));
    }
}
