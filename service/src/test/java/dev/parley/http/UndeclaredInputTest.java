package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation rejects input that the OpenAPI document does not declare, and each violation has a valid path. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class UndeclaredInputTest {
    /** An id that does not exist: a request that passes all checks changes nothing. */
    private static final String UNKNOWN = "0192f0c1a2b37c4d8e5f60718293a4b5";

    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");
    private static final List<String> CHANGING = List.of("post", "put", "patch", "delete");

    @Inject
    TestOrganizations organizations;

    private final JsonNode document = ApiOperation.documents();

    private final List<String> wrong = new ArrayList<>();
    private TestOrganizations.Tenant tenant;
    private String key;

    @BeforeEach
    void anOrganization() {
        tenant = organizations.create();
        key = organizations.key(tenant.id());
    }

    @Test
    void anUnknownQueryParameterIsRefusedByName() {
        for (ApiOperation operation : strict()) {
            for (String query : List.of("_=1", "Limit=1", "limit%20=1", "%00=", "a~b=")) {
                Api.Answer answer = send(operation, "?" + query, null);
                if (answer.status() != 400 || !answer.body().contains("Unknown Parameter")) {
                    wrong.add(operation.name() + "?" + query + " → " + answer.status() + " " + answer.body());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void anEmptyOrRepeatedQueryParameterIsRefusedByName() {
        int asked = 0;
        for (ApiOperation operation : strict()) {
            for (String name : queryParameters(operation)) {
                asked++;
                for (String query : List.of(name, name + "=", name + "=1&" + name + "=1")) {
                    Api.Answer answer = send(operation, "?" + query, null);
                    if (answer.status() != 400 || !answer.text("/detail").contains("'" + name + "'")) {
                        wrong.add(operation.name() + "?" + query + " → " + answer.status() + " " + answer.body());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(50);
    }

    @Test
    void aBodyThatNoOperationDeclaresIsRefused() {
        int asked = 0;
        for (ApiOperation operation : strict()) {
            if (operation.description().has("requestBody") || !CHANGING.contains(operation.method())) {
                continue;
            }
            asked++;
            int without = send(operation, "", null).status();
            expect(operation, "{}", without, send(operation, "", request -> request.json(" {} ")));
            expect(operation, "chunked", 415, send(operation, "", request -> request.untyped("{}", true)));
            expect(operation, "nothing, chunked", without, send(operation, "", request -> request.untyped("", true)));
            for (String body : List.of("{\"x\":1}", "[]", "null", "1", "{", "{}{}", "\u00ff")) {
                expect(operation, body, 400, send(operation, "", request -> request.json(body)));
            }
            for (String type : List.of("text/plain", "*/*", "application/jsonp", "application/x-www-form-urlencoded")) {
                expect(operation, type, 415, send(operation, "", request -> request.body(type, "{}")));
            }
            expect(operation, "large", 413, send(operation, "", request -> request.json(" ".repeat(1 << 21))));
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(25);
    }

    @Test
    void theRedirectOfAnOpenIdConnectProviderMayHaveParametersOfItsOwn() {
        assertThat(new Api()
                        .get("/dashboard/api/oidc/callback?code=a&state=b&session_state=c&iss=d&scope=")
                        .send()
                        .status())
                .isIn(302, 404);
        new Api().get("/health/live?_=1").send().expect(200);
        new Api().get("/schemas/workflow-definition.json?v=2").send().expect(200);
    }

    @Test
    void everyPathIsAJsonPointerIntoTheBody() {
        for (ApiOperation operation : strict()) {
            for (String name : queryParameters(operation)) {
                for (String value : List.of("~", "/x", "-1", "\u0000")) {
                    String query = "?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
                    check(operation, query, send(operation, query, null));
                }
            }
            Api.Answer badKey = send(operation, "", request -> request.header("Idempotency-Key", " "));
            check(operation, "Idempotency-Key", badKey.expect(400));
            if (CHANGING.contains(operation.method())) {
                for (String body : bodies(operation)) {
                    check(operation, body, send(operation, "", request -> request.json(body)));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Bodies with keys that need escaping, and each documented field with a value of every type. */
    private List<String> bodies(ApiOperation operation) {
        List<String> bodies = new ArrayList<>(List.of("{\"~/\": 1, \"~2\": 1}", "[]", "{\"\": {\"~\": 1}}"));
        JsonNode schema = operation.description().at("/requestBody/content/application~1json/schema");
        JsonNode fields =
                document.at(schema.path("$ref").asText().replaceFirst("#", "")).path("properties");
        for (String value : List.of("1", "\"~/\"", "[1, {\"~/\": 1}]", "{\"~/\": {\"~\": 1}}", "true", "null")) {
            var body = new StringBuilder();
            fields.fieldNames().forEachRemaining(name -> body.append(body.isEmpty() ? "{\"" : ", \"")
                    .append(name)
                    .append("\": ")
                    .append(value));
            bodies.add(body.isEmpty() ? "{\"~\": " + value + "}" : body + "}");
        }
        return bodies;
    }

    private void check(ApiOperation operation, String what, Api.Answer answer) {
        if (answer.status() >= 500) {
            wrong.add(operation.name() + " " + what + " → " + answer.body());
        }
        if (answer.status() != 400) {
            return;
        }
        for (JsonNode violation : answer.json().at("/errors")) {
            if (!POINTER.matcher(violation.path("path").asText("absent")).matches()) {
                wrong.add(operation.name() + " " + what + " → " + violation);
            }
        }
    }

    private void expect(ApiOperation operation, String what, int status, Api.Answer answer) {
        if (answer.status() != status) {
            wrong.add(operation.name() + " " + what + " → " + answer.status() + " " + answer.body());
        }
    }

    /** All except the callback of OpenID Connect. */
    private List<ApiOperation> strict() {
        return ApiOperation.all(document).stream()
                .filter(operation -> operation.path().startsWith("/developer/api")
                        || operation.path().startsWith("/dashboard/api"))
                .filter(operation -> !operation.path().endsWith("/oidc/callback"))
                .toList();
    }

    private static List<String> queryParameters(ApiOperation operation) {
        return operation
                .description()
                .at("/parameters")
                .valueStream()
                .filter(one -> one.path("in").asText().equals("query"))
                .map(one -> one.path("name").asText())
                .toList();
    }

    private Api.Answer send(ApiOperation operation, String query, @Nullable UnaryOperator<Api.Request> with) {
        // A resource of an unknown organization is not found whatever its body; the organization must not be deleted.
        String organization =
                operation.path().endsWith("{orgId}") ? UNKNOWN : tenant.id().text();
        String path = operation.path().replace("{orgId}", organization).replaceAll("\\{[^}]+}", UNKNOWN) + query;
        Api.Request request = operation.isDashboard()
                ? tenant.owner().browser().method(operation.httpMethod(), path)
                : new Api().method(operation.httpMethod(), path).key(key);
        return (with == null ? request : with.apply(request)).send();
    }
}
