package dev.parley.llm.openai;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressRules;
import dev.parley.egress.EgressUrl;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ReplyListener;
import dev.parley.llm.RetryDelay;
import dev.parley.llm.dialect.EndpointDialect;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.dialect.EndpointDialect.RequestTraits;
import dev.parley.llm.dialect.EndpointUrls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A service with OpenAI's chat completions API (PARLEY_LLM_BASE_URL, PARLEY_LLM_API_KEY, PARLEY_LLM_MODEL,
 * PARLEY_LLM_TIMEOUT). {@link ModelRetries} retries transient failures within the request's deadline; a request that the
 * service refuses is repeated with a change ({@link EndpointDialect}). Requests go through the egress client,
 * which allows the base URL's host and port even if private, because the operator set them.
 */
public final class OpenAiChatModel implements ChatModel, AutoCloseable {
    private static final long MAX_RESPONSE_BYTES = 4L * 1024 * 1024;

    private final EgressClient client;
    private final List<String> urls;
    private final List<EgressRequest.Header> authorization;
    private final String name;
    private final Duration timeout;
    private final ModelRetries retries;
    private final EndpointDialect dialect = new EndpointDialect(InstantSource.system());

    /** The index of the URL that the endpoint serves. */
    private volatile int urlIndex;

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
        this.urls = EndpointUrls.of(baseUrl, model);
        this.authorization = authorization(baseUrl, apiKey);
        this.name = model;
        this.timeout = timeout;
        this.retries = new ModelRetries(sleeper);
    }

    /** Azure takes tokens of Entra ID, which are JWTs, as others take keys. */
    private static List<EgressRequest.Header> authorization(String baseUrl, String apiKey) {
        if (apiKey.isBlank()) {
            return List.of();
        }
        return List.of(
                EndpointUrls.isAzure(baseUrl) && !apiKey.startsWith("eyJ")
                        ? new EgressRequest.Header("api-key", apiKey)
                        : new EgressRequest.Header("Authorization", "Bearer " + apiKey));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ChatReply reply(ChatRequest request, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        ChatReply reply = retries.run(request.retried(), request.deadline(), remaining -> {
            Duration limit = remaining.compareTo(timeout) < 0 ? remaining : timeout;
            return ask(request, System.nanoTime() + limit.toNanos());
        });
        listener.onText(reply.text());
        return reply;
    }

    @Override
    public void close() {
        client.close();
    }

    /** One attempt: the request, changed until the endpoint accepts it. */
    private ChatReply ask(ChatRequest request, long deadline) throws ChatModelException, InterruptedException {
        RequestTraits traits = ChatCompletionWriter.traits(request);
        Set<Adaptation> adapted = dialect.adaptations(traits);
        // By the refusals: a change after which the same one arrives again did not help.
        Map<String, Adaptation> changes = new HashMap<>();
        ChatModelException first = null;
        while (true) {
            CompletionResponse response = postToKnownUrl(ChatCompletionWriter.write(name, request, adapted), deadline);
            if (response.isCompletion()) {
                dialect.accepted(traits, changes.values());
                return ChatCompletionReader.read(
                        response.completion(), name, request.schema().isPresent());
            }
            ChatModelException fault = response.fault();
            Optional<Adaptation> next = dialect.next(response.status(), response.text(), traits, adapted);
            if (next.isEmpty()) {
                if (fault.isTransient()) {
                    throw fault;
                }
                dialect.refused(traits, adapted);
                throw first == null ? fault : first;
            }
            first = first == null ? fault : first;
            adapted.add(next.get());
            if (!EndpointDialect.isFailedAnswer(response.text())) {
                changes.put(response.text(), next.get());
            }
        }
    }

    /** Tries the next address for the base URL while the endpoint knows none of them. */
    private CompletionResponse postToKnownUrl(byte[] body, long deadline)
            throws ChatModelException, InterruptedException {
        int known = urlIndex;
        CompletionResponse first = post(urls.get(known), body, deadline);
        for (int i = 1; i < urls.size() && first.isUnknownAddress(); i++) {
            int index = (known + i) % urls.size();
            CompletionResponse other = post(urls.get(index), body, deadline);
            if (!other.isUnknownAddress()) {
                if (other.isCompletion()) { // A web page is no sign of the API.
                    urlIndex = index;
                }
                return other;
            }
        }
        return first;
    }

    private CompletionResponse post(String url, byte[] body, long deadline)
            throws ChatModelException, InterruptedException {
        Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        EgressRequest question = EgressRequest.post(url, "application/json", body)
                .withHeaders(authorization)
                .withMaxResponseBytes(MAX_RESPONSE_BYTES)
                .withDeadline(left);
        try {
            return CompletionResponse.of(client.execute(question));
        } catch (EgressException failure) {
            throw unreachable(failure);
        }
    }

    private static ChatModelException unreachable(EgressException failure) {
        String detail =
                switch (failure.kind()) {
                    case TIMEOUT -> "The chat model did not answer in time.";
                    case TOO_LARGE -> "The chat model's answer was too large.";
                    case ENCODING -> "The chat model's answer is compressed in a way that cannot be read.";
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
