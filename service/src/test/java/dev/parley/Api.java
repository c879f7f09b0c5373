package dev.parley;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.json.StrictJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * A client of the running service. {@code new Api().post("/developer/api/messages").key(key).json(Map.of(…)).send()}; a
 * dashboard client, {@link #dashboard()}, keeps its session's cookie and sends requests as the dashboard does.
 */
public final class Api {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final String base;
    private final boolean dashboard;
    private volatile Optional<String> session = Optional.empty();

    /** A client of the service that the running {@code @QuarkusTest} started. */
    public Api() {
        this(ConfigProvider.getConfig().getValue("test.url", String.class), false);
    }

    private Api(String base, boolean dashboard) {
        this.base = base;
        this.dashboard = dashboard;
    }

    /** A dashboard browser without a session. */
    public static Api dashboard() {
        return new Api(ConfigProvider.getConfig().getValue("test.url", String.class), true);
    }

    /** The same browser, with an existing session. */
    public Api withSession(String token) {
        session = Optional.of(token);
        return this;
    }

    /** The same client, but its requests go to a proxy in front of the service. */
    public Api through(String proxy) {
        var client = new Api(proxy, dashboard);
        client.session = session;
        return client;
    }

    public Request get(String path) {
        return new Request("GET", path);
    }

    public Request post(String path) {
        return new Request("POST", path);
    }

    public Request put(String path) {
        return new Request("PUT", path);
    }

    public Request patch(String path) {
        return new Request("PATCH", path);
    }

    public Request delete(String path) {
        return new Request("DELETE", path);
    }

    public Request method(String method, String path) {
        return new Request(method, path);
    }

    /** Signs in and keeps the session. */
    public Answer login(String email, String password) {
        return post("/dashboard/api/login")
                .json(Map.of("email", email, "password", password))
                .send();
    }

    public Optional<String> session() {
        return session;
    }

    public String base() {
        return base;
    }

    /** A response. */
    public record Answer(int status, HttpHeaders headers, String body) {
        public JsonNode json() {
            try {
                return StrictJson.mapper().readTree(body);
            } catch (IOException e) {
                throw new AssertionError("not JSON: " + body, e);
            }
        }

        public String header(String name) {
            return headers.firstValue(name).orElseThrow(() -> new AssertionError("no header " + name));
        }

        /** The text of a member such as {@code /items/0/name}; fails if it does not exist. */
        public String text(String pointer) {
            JsonNode node = json().at(pointer);
            if (node.isMissingNode()) {
                throw new AssertionError("no " + pointer + " in " + body);
            }
            return node.asText();
        }

        /** Returns this response if it has this status; otherwise fails with the body. */
        public Answer expect(int wanted) {
            if (status != wanted) {
                throw new AssertionError("expected " + wanted + " but got " + status + ": " + body);
            }
            return this;
        }
    }

    /** A request under construction. */
    public final class Request {
        private final HttpRequest.Builder builder;
        private final String method;
        private HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.noBody();

        private Request(String method, String path) {
            this.method = method;
            this.builder = HttpRequest.newBuilder(URI.create(base.replaceAll("/$", "") + path))
                    .timeout(Duration.ofMinutes(5));
            if (dashboard) {
                builder.header("X-Requested-With", "parley");
                session.ifPresent(token -> builder.header("Cookie", "parley_session=" + token));
            }
        }

        public Request key(String key) {
            return header("Authorization", "Bearer " + key);
        }

        public Request header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        /** Sends the value as JSON; a string is sent unchanged. */
        public Request json(Object value) {
            builder.setHeader("Content-Type", "application/json");
            String text = value instanceof String raw ? raw : StrictJson.write(value);
            body = HttpRequest.BodyPublishers.ofByteArray(text.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        /** Sends the text with another content type. */
        public Request body(String contentType, String text) {
            builder.setHeader("Content-Type", contentType);
            body = HttpRequest.BodyPublishers.ofString(text);
            return this;
        }

        /** Sends the text without a content type, and without its length if chunked. */
        public Request untyped(String text, boolean chunked) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            body = chunked
                    ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                    : HttpRequest.BodyPublishers.ofByteArray(bytes);
            return this;
        }

        public Answer send() {
            try {
                HttpResponse<String> response =
                        CLIENT.send(builder.method(method, body).build(), HttpResponse.BodyHandlers.ofString());
                if (dashboard) {
                    response.headers().allValues("Set-Cookie").forEach(this::keep);
                }
                return new Answer(response.statusCode(), response.headers(), response.body());
            } catch (IOException e) {
                throw new AssertionError(method + " failed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        private void keep(String cookie) {
            String value = cookie.split(";", 2)[0];
            if (value.startsWith("parley_session=")) {
                session =
                        Optional.of(value.substring("parley_session=".length())).filter(token -> !token.isEmpty());
            }
        }
    }
}
