package dev.parley.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Calls of the service that prepare the measurements: the dashboard's as its operator, the developer API's by key. */
final class Api {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final String url;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(cookies)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final Map<String, String> headers =
            new HashMap<>(Map.of("Content-Type", "application/json", "X-Requested-With", "parley"));

    /** A status and the JSON that came with it. */
    record Answer(int status, JsonNode json, String text) {}

    Api(String url) {
        this.url = url;
    }

    /** Sends the key with every call from now on. */
    void key(String key) {
        headers.put("Authorization", "Bearer " + key);
    }

    /** The cookies of the signed-in user, as a request header has them. */
    String cookieHeader() {
        return cookies.getCookieStore().getCookies().stream()
                .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    Answer send(String method, String path, Object body) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT);
            headers.forEach(request::header);
            request.method(
                    method,
                    body == null
                            ? HttpRequest.BodyPublishers.noBody()
                            : HttpRequest.BodyPublishers.ofString(
                                    body instanceof String text ? text : JSON.writeValueAsString(body)));
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String text = response.body();
            return new Answer(
                    response.statusCode(), text.startsWith("{") ? JSON.readTree(text) : JSON.nullNode(), text);
        } catch (IOException e) {
            throw new BenchException(method + " " + path + ": " + e);
        } catch (InterruptedException e) {
            throw new BenchException("interrupted");
        }
    }

    /** Sends, and gives up the bench unless it succeeds. */
    JsonNode call(String method, String path, Object body) {
        Answer answer = send(method, path, body);
        if (answer.status() >= 300) {
            throw new BenchException(method + " " + path + " answered " + answer.status() + ": " + answer.text());
        }
        return answer.json();
    }
}
