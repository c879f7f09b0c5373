package dev.parley.llm;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Carries the model library's requests over the guarded client, within the time that {@link #REMAINING} leaves. */
final class ModelHttp implements HttpClient {
    /** How long the current request may take; bound by the caller around the library's call. */
    static final ScopedValue<Duration> REMAINING = ScopedValue.newInstance();

    private static final long MAX_ANSWER_BYTES = 4L * 1024 * 1024;

    /** An identifier such as {@code model_not_found}. A key has digits or a hyphen, so it can not pass for one. */
    private static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"([a-z_]{1,48})\"");

    /** An answer that is no success. The body is not kept: services quote keys and prompts in it. */
    static final class ModelRejection extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;
        private final String code;
        private final @Nullable Duration retryAfter;

        ModelRejection(EgressResponse response) {
            super("status " + response.status(), null, false, false);
            Matcher found = CODE.matcher(response.text());
            this.status = response.status();
            this.code = found.find() ? found.group(1) : "";
            this.retryAfter = response.head().retryAfter(Instant.now()).orElse(null);
        }

        int status() {
            return status;
        }

        String code() {
            return code;
        }

        Optional<Duration> retryAfter() {
            return Optional.ofNullable(retryAfter);
        }
    }

    /** A checked failure on its way through the library, which knows only unchecked ones. */
    static final class ConnectionLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        ConnectionLost(Exception cause) {
            super(cause);
        }
    }

    private final EgressClient client;

    ModelHttp(EgressClient client) {
        this.client = client;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        EgressRequest sent = EgressRequest.get(request.url())
                .withMethod(request.method().name())
                .withDeadline(REMAINING.get())
                .withMaxResponseBytes(MAX_ANSWER_BYTES);
        for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
            for (String value : header.getValue()) {
                sent = sent.withHeader(header.getKey(), value);
            }
        }
        if (request.body() != null) {
            sent = sent.withBody(request.body().getBytes(StandardCharsets.UTF_8));
        }
        EgressResponse response;
        try {
            response = client.execute(sent);
        } catch (EgressException | InterruptedException failed) {
            throw new ConnectionLost(failed);
        }
        if (!response.head().isSuccess()) {
            throw new ModelRejection(response);
        }
        return SuccessfulHttpResponse.builder()
                .statusCode(response.status())
                .headers(response.head().headers())
                .body(response.text())
                .build();
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        throw new UnsupportedOperationException("Answers are read whole.");
    }

    /** The library asks for a builder; its time limits do not matter, since each request brings its own. */
    static final class Builder implements HttpClientBuilder {
        private final EgressClient client;
        private @Nullable Duration connectTimeout;
        private @Nullable Duration readTimeout;

        Builder(EgressClient client) {
            this.client = client;
        }

        @Override
        public @Nullable Duration connectTimeout() {
            return connectTimeout;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            connectTimeout = timeout;
            return this;
        }

        @Override
        public @Nullable Duration readTimeout() {
            return readTimeout;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            readTimeout = timeout;
            return this;
        }

        @Override
        public HttpClient build() {
            return new ModelHttp(client);
        }
    }
}
