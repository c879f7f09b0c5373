package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.dialect.EndpointUrls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Anthropic's Messages API. */
final class AnthropicProtocol implements ModelProtocol {
    /** The member of a message with its blocks, which the endpoint requires back beside the results of its calls. */
    static final String CONTENT = "anthropic_content";

    /** The tool that takes the answer to a request with a schema: all models know tools, few know formats. */
    static final String ANSWER_TOOL = "parley_answer";

    private static final String VERSION = "2023-06-01";

    @Override
    public List<String> urls(String baseUrl, String model) {
        return EndpointUrls.messages(baseUrl);
    }

    @Override
    public List<Header> headers(ModelEndpoint endpoint) {
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("anthropic-version", endpoint.version().isBlank() ? VERSION : endpoint.version()));
        if (!endpoint.credential().isBlank()) {
            headers.add(new Header("x-api-key", endpoint.credential()));
        }
        return headers;
    }

    @Override
    public Map<String, @Nullable Object> request(
            Map<String, @Nullable Object> completionRequest, Set<Adaptation> adapted) {
        return new AnthropicRequest(completionRequest, adapted).write();
    }

    @Override
    public JsonNode completion(JsonNode response) {
        return AnthropicReply.completion(response);
    }

    @Override
    public ReplyAssembler assembler(Consumer<String> text) {
        return new AnthropicAssembler(text);
    }
}
