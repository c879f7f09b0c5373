package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules that the generated OpenAPI document keeps, whatever endpoints there are. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenApiTest {
    private final JsonNode document =
            new Api().get("/openapi.json").send().expect(200).json();

    @Test
    void itIsOpenApi31() {
        assertThat(document.at("/openapi").asText()).startsWith("3.1");
        assertThat(document.at("/components/securitySchemes").properties()).hasSize(2);
    }

    @Test
    void everyOperationHasASummaryASecuritySchemeAndItsErrors() {
        List<String> wrong = new ArrayList<>();
        document.at("/paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member ->
                        List.of("get", "post", "put", "patch", "delete").contains(member.getKey()))
                .forEach(operation -> check(path.getKey(), operation.getKey(), operation.getValue(), wrong)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPropertyHasASnakeCaseName() {
        List<String> names = new ArrayList<>();
        document.at("/components/schemas")
                .forEach(schema -> schema.at("/properties").fieldNames().forEachRemaining(names::add));
        assertThat(names).isNotEmpty().allMatch(name -> name.matches("[a-z0-9_]+"));
    }

    @Test
    void errorsHaveTheOneShape() {
        assertThat(document.at("/components/schemas/Problem/properties").properties())
                .hasSize(3);
    }

    @Test
    void everyPostOfTheDeveloperApiTakesAnIdempotencyKey() {
        List<String> posts = new ArrayList<>();
        List<String> without = new ArrayList<>();
        document.at("/paths").properties().stream()
                .filter(path -> path.getKey().startsWith("/developer/api")
                        && path.getValue().has("post"))
                .forEach(path -> {
                    posts.add(path.getKey());
                    JsonNode operation = path.getValue().get("post");
                    boolean taken = operation
                            .at("/parameters")
                            .valueStream()
                            .anyMatch(one -> one.path("name").asText().equals(Idempotency.HEADER)
                                    && one.path("in").asText().equals("header"));
                    if (!taken || !operation.at("/responses").has("409")) {
                        without.add(path.getKey());
                    }
                });
        assertThat(posts).contains("/developer/api/messages").hasSizeGreaterThan(8);
        assertThat(without).isEmpty();
    }

    private static void check(String path, String method, JsonNode operation, List<String> wrong) {
        String name = method + " " + path;
        if (!path.startsWith("/developer/api") && !path.startsWith("/dashboard/api")) {
            return;
        }
        if (operation.at("/summary").asText().isEmpty()) {
            wrong.add(name + " has no summary");
        }
        if (operation.at("/responses").properties().stream()
                .noneMatch(response ->
                        response.getKey().startsWith("2") || response.getKey().equals("302"))) {
            wrong.add(name + " does not tell of its success");
        }
        boolean open = path.matches("/dashboard/api/(login|setup|invitations/.*|oidc.*)");
        if (!open && operation.at("/security").isEmpty()) {
            wrong.add(name + " has no security");
        }
        operation.at("/responses").properties().forEach(response -> {
            boolean error =
                    response.getKey().startsWith("4") || response.getKey().startsWith("5");
            if (error
                    && !response.getValue()
                            .at("/content/application~1json/schema/$ref")
                            .asText()
                            .equals("#/components/schemas/Problem")) {
                wrong.add(name + " " + response.getKey() + " is not a Problem");
            }
        });
        for (String status : new String[] {"401", "503"}) {
            if (operation.at("/responses/" + status).isMissingNode() && !(open && status.equals("401"))) {
                wrong.add(name + " does not tell of " + status);
            }
        }
    }
}
