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
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.llm.protocol.ModelProtocol;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.Tracing;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A model at an endpoint, by the protocol of its kind. {@link ModelRetries} retries transient failures within the
 * request's deadline; a request that the endpoint refuses is repeated with a change ({@link EndpointDialect}). Replies
 * are streamed if the endpoint can.
 */
public final class EndpointChatModel implements ChatModel, AutoCloseable {
    /** The events of a stream are many times as long as the reply, which {@link CompletionResponse} limits. */
    private static final long MAX_RESPONSE_BYTES = 512L * 1024 * 1024;

    private final EgressClient client;
    private final ModelEndpoint endpoint;
    private final ModelProtocol protocol;
    private final List<String> urls;
    private final ModelRetries retries;
    private final EndpointDialect dialect = new EndpointDialect(InstantSource.system());

    /** The index of the URL that the endpoint serves. */
    private volatile int urlIndex;

    /**
     * @param client for streams; not closed by this model unless {@link #close} is called
     * @throws IllegalArgumentException with a sentence, if the base URL is invalid
     */
    public EndpointChatModel(ModelEndpoint endpoint, EgressClient client, RetryDelay sleeper) {
        parsed(endpoint.baseUrl());
        this.client = client;
        this.endpoint = endpoint;
        this.protocol = endpoint.kind().protocol();
        this.urls = protocol.urls(endpoint.baseUrl(), endpoint.model());
        this.retries = new ModelRetries(sleeper);
    }

    /**
     * A model with OpenAI's API and a client of its own, which may reach the base URL even if it is private.
     *
     * @param apiKey empty if the service requires none
     */
    public EndpointChatModel(String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules) {
        this(baseUrl, apiKey, model, timeout, rules, Thread::sleep);
    }

    EndpointChatModel(
            String baseUrl, String apiKey, String model, Duration timeout, EgressRules rules, RetryDelay sleeper) {
        this(
                new ModelEndpoint(ModelEndpoint.EndpointKind.OPENAI, baseUrl, apiKey, model, List.of(), "", timeout),
                EgressClient.forStreams(rulesFor(baseUrl, rules)),
                sleeper);
    }

    /** The rules that also allow the host and port of a base URL that the operator set. */
    static EgressRules rulesFor(String baseUrl, EgressRules rules) {
        EgressUrl parsed = parsed(baseUrl);
        return rules.allowing(parsed.host(), parsed.port());
    }

    @Override
    public String name() {
        return endpoint.model();
    }

    @Override
    public ChatReply reply(ChatRequest request, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        if (Tracing.isOn()) {
            Tracing.current()
                    .set(SpanAttributes.PROVIDER, endpoint.kind().name().toLowerCase(Locale.ROOT))
                    .set(
                            SpanAttributes.SERVER_ADDRESS,
                            parsed(endpoint.baseUrl()).host());
        }
        try (var passed = new PassedText(listener)) {
            ChatReply reply = retries.run(
                    request.retryTime(),
                    request.deadline(),
                    remaining -> ask(request, passed, System.nanoTime() + remaining.toNanos()));
            passed.complete(reply.text());
            return reply;
        }
    }

    /** The changes without which the endpoint has refused a request like this one. */
    public Set<Adaptation> adaptations(ChatRequest request) {
        return dialect.adaptations(ChatCompletionWriter.traits(request));
    }

    @Override
    public void close() {
        client.close();
    }

    /** One attempt: the request, changed until the endpoint accepts it. */
    private ChatReply ask(ChatRequest request, PassedText passed, long deadline)
            throws ChatModelException, InterruptedException {
        RequestTraits traits = ChatCompletionWriter.traits(request);
        Set<Adaptation> adapted = dialect.adaptations(traits);
        // By the refusals: a change after which the same one arrives again did not help.
        Map<String, Adaptation> changes = new HashMap<>();
        ChatModelException first = null;
        while (true) {
            byte[] body = ChatCompletionWriter.bytes(
                    protocol.request(ChatCompletionWriter.write(name(), request, adapted), adapted));
            CompletionResponse response = postToKnownUrl(body, passed, deadline);
            if (response.isCompletion()) {
                dialect.accepted(traits, changes.values());
                return ChatCompletionReader.read(
                        response.completion(), name(), request.schema().isPresent());
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
    private CompletionResponse postToKnownUrl(byte[] body, PassedText passed, long deadline)
            throws ChatModelException, InterruptedException {
        int known = urlIndex;
        CompletionResponse first = post(urls.get(known), body, passed, deadline);
        for (int i = 1; i < urls.size() && first.isUnknownAddress(); i++) {
            int index = (known + i) % urls.size();
            CompletionResponse other = post(urls.get(index), body, passed, deadline);
            if (!other.isUnknownAddress()) {
                if (other.isCompletion()) { // A web page is no sign of the API.
                    urlIndex = index;
                }
                return other;
            }
        }
        return first;
    }

    private CompletionResponse post(String url, byte[] body, PassedText passed, long deadline)
            throws ChatModelException, InterruptedException {
        passed.reset();
        long now = System.nanoTime();
        Duration left = Duration.ofNanos(Math.max(1, deadline - now));
        Duration silence = left.compareTo(endpoint.timeout()) < 0 ? left : endpoint.timeout();
        long wholeDeadline = now + silence.toNanos();
        EgressRequest question = EgressRequest.post(url, "application/json", body)
                .withHeaders(protocol.headers(endpoint))
                .withHeaders(endpoint.headers())
                .withTraceContext()
                .withMaxResponseBytes(MAX_RESPONSE_BYTES)
                .withMaxSilence(silence.plusMillis(1))
                .withDeadline(left);
        try {
            return client.stream(
                    question, (head, in) -> CompletionResponse.read(head, in, protocol, passed::add, wholeDeadline));
        } catch (EgressException failure) {
            throw unreachable(failure);
        } catch (IOException tooSlow) {
            throw ChatModelException.transientFault("The chat model did not answer in time.", tooSlow);
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
