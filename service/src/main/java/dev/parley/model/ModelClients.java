package dev.parley.model;

import dev.parley.egress.EgressRules;
import dev.parley.llm.ChatModel;
import dev.parley.llm.openai.OpenAiChatModel;
import dev.parley.model.ModelStore.ModelAccess;
import java.time.Duration;
import java.util.Objects;

/** Creates the clients of models. */
final class ModelClients {
    private ModelClients() {}

    static ChatModel of(EgressRules rules, ModelAccess access, ModelSecrets secrets, Duration timeout) {
        return new OpenAiChatModel(
                baseUrl(access), Objects.requireNonNullElse(secrets.credential(), ""), access.name(), timeout, rules);
    }

    /** The base URL; Azure expects the version in its query. */
    private static String baseUrl(ModelAccess access) {
        String version = access.apiVersion();
        boolean isAdded = version != null && !access.baseUrl().contains("api-version=");
        return isAdded
                ? access.baseUrl() + (access.baseUrl().contains("?") ? "&" : "?") + "api-version=" + version
                : access.baseUrl();
    }
}
