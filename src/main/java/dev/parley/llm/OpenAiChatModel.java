package dev.parley.llm;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.egress.EgressUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service with OpenAI's chat completions API (PARLEY_LLM_BASE_URL, PARLEY_LLM_API_KEY, PARLEY_LLM_MODEL,
 * PARLEY_LLM_TIMEOUT). {@link ModelRetries} retries transient failures within the request's deadline. Requests go
 * through the egress client, which allows the base URL's host and port even if private, because the operator set them.
 */
public final class OpenAiChatModel implements ChatModel, AutoCloseable {
    private static final long MAX_RESPONSE_BYTES = 4L * 1024 * 1024;

    /** An identifier such as {@code model_not_found}. A key contains digits or a hyphen, so it never matches. */
    private static final Pattern ERROR_CODE = Pattern.compile("\"code\"\\s*:\\s*\"([a-z_]{1,48})\"");

    private final EgressClient client;
    private final String url;
    private final String apiKey;
    private final String name;
    private final Duration timeout;
    private final ModelRetries retries;

    /**
     * @param apiKey empty if the service requires none
     * @param timeout for one attempt; the request's deadline covers all attempts
     * @throws IllegalArgumentException with a sentence, if the base URL is invalid
     */
    public OpenAiChatModel(String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules) {
        this(baseUrl, apiKey, model, timeout, rules, Thread::sleep);
    }

    OpenAiChatModel(
            String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules, RetryDelay sleeper) {
        EgressUrl parsed = parsed(baseUrl);
        this.client = new EgressClient(rules.allowing(parsed.host(), parsed.port()));
        this.url = baseUrl + (baseUrl.endsWith("/") ? "" : "/") + "chat/completions";
        this.apiKey = apiKey;
        this.name = model;
        this.timeout = timeout;
        this.retries = new ModelRetries(sleeper);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException {
        EgressRequest question = EgressRequest.post(url, "application/json", ChatCompletionWriter.write(name, request))
                .withMaxResponseBytes(MAX_RESPONSE_BYTES);
        EgressRequest authorized =
                apiKey.isBlank() ? question : question.withHeader("Authorization", "Bearer " + apiKey);
        boolean structured = request.schema().isPresent();
        return retries.run(request.retried(), request.deadline(), remaining -> {
            Duration limit = remaining.compareTo(timeout) < 0 ? remaining : timeout;
            return ChatCompletionReader.read(post(authorized.withDeadline(limit)), name, structured);
        });
    }

    @Override
    public void close() {
        client.close();
    }

    private byte[] post(EgressRequest request) throws ChatModelException, InterruptedException {
        EgressResponse response;
        try {
            response = client.execute(request);
        } catch (EgressException failure) {
            throw unreachable(failure);
        }
        if (!response.head().isSuccess()) {
            throw rejected(response);
        }
        return response.body();
    }

    /** Quotes only the code from an error response, because its text may contain keys and prompts. */
    private static ChatModelException rejected(EgressResponse response) {
        int status = response.status();
        Matcher matcher = ERROR_CODE.matcher(response.text());
        String code = matcher.find() ? matcher.group(1) : "";
        String suffix = " (status " + status + (code.isEmpty() ? "" : ", " + code) + ").";
        if (status >= 500 || status == 408 || status == 425 || status == 429) {
            return overloaded(response, code, suffix);
        }
        String detail =
                switch (status) {
                    case 401, 403 -> "The chat model's service refused the configured key";
                    case 404 -> "The chat model's service does not know the configured model or address";
                    default -> "The chat model's service did not accept the request";
                };
        return ChatModelException.permanentFault(detail + suffix, null);
    }

    private static ChatModelException overloaded(EgressResponse response, String code, String suffix) {
        if (code.equals("insufficient_quota")) {
            return ChatModelException.permanentFault("The chat model's quota is used up" + suffix, null);
        }
        ChatModelException fault =
                ChatModelException.transientFault("The chat model's service is busy or failing" + suffix, null);
        return response.head().retryAfter(Instant.now()).map(fault::retryAfter).orElse(fault);
    }

    private static ChatModelException unreachable(EgressException failure) {
        String detail =
                switch (failure.kind()) {
                    case TIMEOUT -> "The chat model did not answer in time.";
                    case TOO_LARGE -> "The chat model's answer was too large.";
                    case INVALID_REQUEST, REFUSED_ADDRESS, UNRESOLVED, CONNECTION, TLS ->
                        "The chat model could not be reached.";
                };
        return failure.isTransient()
                ? ChatModelException.transientFault(detail, failure)
                : ChatModelException.permanentFault(detail, failure);
    }

    private static EgressUrl parsed(String baseUrl) {
        try {
            return EgressUrl.parse(baseUrl);
        } catch (EgressException invalid) {
            throw new IllegalArgumentException("PARLEY_LLM_BASE_URL: " + invalid.detail(), invalid);
        }
    }
}
