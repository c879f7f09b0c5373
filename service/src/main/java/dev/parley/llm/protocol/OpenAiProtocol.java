package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.dialect.EndpointUrls;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** OpenAI's chat completions API. */
final class OpenAiProtocol implements ModelProtocol {
    @Override
    public List<String> urls(String baseUrl, String model) {
        return EndpointUrls.of(baseUrl, model);
    }

    /** Azure takes tokens of Entra ID, which are JWTs, as others take keys. */
    @Override
    public List<Header> headers(ModelEndpoint endpoint) {
        String key = endpoint.credential();
        if (key.isBlank()) {
            return List.of();
        }
        return List.of(
                EndpointUrls.isAzure(endpoint.baseUrl()) && !key.startsWith("eyJ")
                        ? new Header("api-key", key)
                        : new Header("Authorization", "Bearer " + key));
    }

    @Override
    public Map<String, @Nullable Object> request(
            Map<String, @Nullable Object> completionRequest, Set<Adaptation> adapted) {
        return completionRequest;
    }

    @Override
    public JsonNode completion(JsonNode response) {
        return response;
    }

    @Override
    public ReplyAssembler assembler(Consumer<String> text) {
        return new CompletionAssembler(text);
    }
}
