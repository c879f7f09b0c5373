package dev.parley.llm.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An API of model endpoints, seen as a translation of OpenAI's chat completions. */
public interface ModelProtocol {
    /** The addresses at which the endpoint may serve requests, the most likely first. */
    List<String> urls(String baseUrl, String model);

    /** The headers that authorize a request and choose the API's version. */
    List<Header> headers(ModelEndpoint endpoint);

    /**
     * The body for a body of a chat completion.
     *
     * @param adapted the changes that the endpoint needs, of which the given body has those that OpenAI's API knows
     */
    Map<String, @Nullable Object> request(Map<String, @Nullable Object> completionRequest, Set<Adaptation> adapted);

    /** The chat completion for a whole response. */
    JsonNode completion(JsonNode response);

    /** @param text called with each piece of the model's text, reasoning in the text included */
    ReplyAssembler assembler(Consumer<String> text);

    /** Assembles the events of one stream to a chat completion. */
    interface ReplyAssembler {
        void add(JsonNode event);

        /** Whether the model has said why it stopped; otherwise the reply is cut. */
        boolean isComplete();

        /** Whether no event can follow. */
        boolean isEnded();

        /** The characters of the reply so far, without the events around them. */
        long size();

        /** The chat completion so far; without choices if there is none. */
        JsonNode completion();
    }
}
