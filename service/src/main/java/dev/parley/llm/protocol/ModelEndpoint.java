package dev.parley.llm.protocol;

import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressRequest.Header;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A model at an endpoint.
 *
 * @param baseUrl the address as the provider documents it, usually up to {@code /v1}
 * @param credential the key; empty if the endpoint requires none
 * @param model the endpoint's name for the model
 * @param headers additional headers, which {@link #headerFault} accepts
 * @param version of the Messages API; empty for the default one, and ignored by other kinds
 * @param timeout until a reply begins, and between its pieces; for a whole reply if the endpoint does not stream
 */
public record ModelEndpoint(
        EndpointKind kind,
        String baseUrl,
        String credential,
        String model,
        List<Header> headers,
        String version,
        Duration timeout) {
    private static final Set<String> RESERVED = Set.of(
            "authorization", "api-key", "x-api-key", "anthropic-version", "content-type", "accept", "accept-encoding");

    private static final int MAX_VALUE_LENGTH = 4096;

    /** The API that an endpoint has. */
    public enum EndpointKind {
        /** OpenAI's chat completions API. */
        OPENAI,
        /** Anthropic's Messages API. */
        ANTHROPIC;

        public ModelProtocol protocol() {
            return switch (this) {
                case OPENAI -> new OpenAiProtocol();
                case ANTHROPIC -> new AnthropicProtocol();
            };
        }
    }

    public ModelEndpoint {
        headers = List.copyOf(headers);
    }

    /** Why a header may not be added, as a sentence; empty if it may. */
    public static Optional<String> headerFault(String name, String value) {
        if (!EgressRequest.maySet(name)) {
            return Optional.of("The header is invalid or belongs to the connection.");
        }
        if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            return Optional.of("The header is set by Parley.");
        }
        boolean isPrintable = value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= 0xFF && c != 0x7F));
        return isPrintable && value.length() <= MAX_VALUE_LENGTH
                ? Optional.empty()
                : Optional.of("The header's value must have at most " + MAX_VALUE_LENGTH
                        + " characters, without line breaks and characters beyond Latin-1.");
    }

    /** Omits the credential and the headers. */
    @Override
    public String toString() {
        return kind + " " + model + " at " + baseUrl;
    }
}
