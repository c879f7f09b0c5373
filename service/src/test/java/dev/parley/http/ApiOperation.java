package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.Api;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** An operation of the OpenAPI document. */
record ApiOperation(String method, String path, JsonNode description) {
    /** The order of methods, and below it the length of the path: deletions come last, innermost first. */
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

    String httpMethod() {
        return method.toUpperCase(Locale.ROOT);
    }

    String name() {
        return httpMethod() + " " + path;
    }

    boolean isDashboard() {
        return path.startsWith("/dashboard");
    }

    /** The documented response of a status, its reference resolved; missing when there is none. */
    JsonNode response(JsonNode document, String status) {
        JsonNode response = description.at("/responses/" + status);
        return response.has("$ref") ? document.at(response.get("$ref").asText().substring(1)) : response;
    }

    /** Both served documents in one. They describe the components that both have in the same way. */
    static JsonNode documents() {
        ObjectNode all = document("/openapi.json").deepCopy();
        JsonNode dashboard = document("/openapi/dashboard.json");
        all.withObject("/paths").setAll((ObjectNode) dashboard.get("paths"));
        dashboard.get("components").properties().forEach(kind -> kind.getValue()
                .properties()
                .forEach(member -> {
                    JsonNode other =
                            all.withObject("/components/" + kind.getKey()).replace(member.getKey(), member.getValue());
                    assertThat(other).as(member.getKey()).isIn(null, member.getValue());
                }));
        return all;
    }

    static JsonNode document(String path) {
        return new Api().get(path).send().expect(200).json();
    }

    /** Excludes signing out, and live streams, which do not end. */
    static List<ApiOperation> all(JsonNode document) {
        List<ApiOperation> all = new ArrayList<>();
        document.at("/paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member -> METHODS.contains(member.getKey()))
                .filter(member -> !path.getKey().endsWith("/logout"))
                .filter(member -> !path.getKey().endsWith("/events"))
                .forEach(member -> all.add(new ApiOperation(member.getKey(), path.getKey(), member.getValue()))));
        all.sort(Comparator.<ApiOperation>comparingInt(one -> METHODS.indexOf(one.method()))
                // A ticket closes with its instance, so operations on tickets come first.
                .thenComparing(one -> !one.path().contains("/tickets/"))
                .thenComparing(
                        Comparator.comparingInt((ApiOperation one) -> one.path().length())
                                .reversed())
                .thenComparing(ApiOperation::path));
        assertThat(all).hasSizeGreaterThan(15);
        return all;
    }
}
