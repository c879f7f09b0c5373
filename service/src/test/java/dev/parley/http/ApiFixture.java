package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.media.TestFiles;
import dev.parley.organization.member.TestOrganizations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * An organization with one of each resource in the OpenAPI document's paths, and a body for each operation that must
 * succeed.
 */
final class ApiFixture {
    private static final String UNKNOWN = "0192f0c1a2b37c4d8e5f60718293a4b5";

    /** A minimal web API. */
    private static final String OPENAPI = """
            {"openapi": "3.1.0", "servers": [{"url": "http://127.0.0.1:1"}], "paths": {"/a": {"get": {}}}}""";

    final Api browser;
    final String key;
    final Map<String, String> parameters = new HashMap<>();
    final Map<String, Object> bodies = new HashMap<>();

    ApiFixture(TestOrganizations organizations) {
        TestOrganizations.Tenant tenant = organizations.create();
        browser = tenant.owner().browser();
        key = organizations.key(tenant.id());
        parameters.put("orgId", tenant.id().text());
        parameters.put("userId", tenant.member().id().text());
        String org = tenant.path();
        parameters.put("teamId", post(org + "/teams", Map.of("name", "Team")).text("/id"));
        parameters.put("keyId", post(org + "/api-keys", Map.of("name", "k")).text("/id"));
        post(org + "/code-artifacts", code());
        parameters.put("artifactId", "1");
        String document = example("invoice-approval", tenant.owner().id().text());
        workflow(org, document);
        webhooks(org);
        budget(org);
        lake(org);
        conversation();
        file();
        delivery(org);
        paths(document);
    }

    private void workflow(String org, String document) {
        String workflow = post(org + "/workflows", document).text("/id");
        browser.post(org + "/workflows/" + workflow + "/publish").send().expect(200);
        parameters.put("workflowId", workflow);
        parameters.put("workflow_id", workflow);
        parameters.put("version", "1");
        String instance = developer("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "Invoice 7"))
                .text("/workflow_instance_id");
        parameters.put("workflow_instance_id", instance);
        parameters.put("instanceId", instance);
        parameters.put(
                "ticketId",
                Tenant.eventually(
                                () -> browser.get(org + "/tickets").send(),
                                answer -> !answer.json().at("/items/0/id").isMissingNode())
                        .text("/items/0/id"));
    }

    private void webhooks(String org) {
        Map<String, Object> endpoint =
                Map.of("url", "http://127.0.0.1:9/hooks", "event_types", java.util.List.of("message.created"));
        parameters.put("endpointId", post(org + "/webhook-endpoints", endpoint).text("/id"));
        bodies.put("POST /dashboard/api/organizations/{orgId}/webhook-endpoints", endpoint);
        bodies.put(
                "PATCH /dashboard/api/organizations/{orgId}/webhook-endpoints/{endpointId}",
                Map.of("description", "Changed"));
    }

    private void budget(String org) {
        Map<String, Object> daily =
                Map.of("scope", "ORGANIZATION", "period", "DAY", "unit", "TOKENS", "limit", 1_000_000);
        parameters.put(
                "budgetId",
                String.valueOf(post(org + "/budgets", daily).json().at("/id").asInt()));
        bodies.put(
                "POST /dashboard/api/organizations/{orgId}/budgets",
                Map.of("scope", "ORGANIZATION", "period", "MONTH", "unit", "COST", "limit", 1_000_000));
        bodies.put("PATCH /dashboard/api/organizations/{orgId}/budgets/{budgetId}", Map.of("limit", 2_000_000));
    }

    private void lake(String org) {
        Map<String, Object> lake = Map.of("name", "Orders", "format", "csv");
        parameters.put("lakeId", post(org + "/data-lakes", lake).text("/data_lake/id"));
        bodies.put("POST /dashboard/api/organizations/{orgId}/data-lakes", Map.of("name", "Invoices", "format", "csv"));
    }

    private void delivery(String org) {
        parameters.put(
                "deliveryId",
                Tenant.eventually(
                                () -> browser.get(org + "/webhook-deliveries").send(),
                                answer -> !answer.json().at("/items/0/id").isMissingNode())
                        .text("/items/0/id"));
    }

    private void conversation() {
        String conversation = developer("/conversations", Map.of()).text("/id");
        parameters.put("conversation_id", conversation);
        parameters.put("conversationId", conversation);
        Map<String, Object> message =
                Map.of("conversation_id", conversation, "content_type", "text", "content", "hello");
        String messageId = developer("/messages", message).text("/id");
        bodies.put(
                "PUT /dashboard/api/organizations/{orgId}/conversations/{conversationId}/read-position",
                Map.of("message_id", messageId));
        bodies.put("POST /developer/api/messages", message);
    }

    private void file() {
        Map<String, Object> requested = Map.of("filename", "a.png", "content_type", "image/png");
        bodies.put("POST /developer/api/media/presigned-url", requested);
        bodies.put("POST /dashboard/api/organizations/{orgId}/media/presigned-url", requested);
        var tenant = new Tenant(
                dev.parley.id.OrganizationId.parse(parameters.get("orgId")).orElseThrow(),
                dev.parley.id.UserId.next(),
                dev.parley.id.ApiKeyId.next(),
                key);
        parameters.put(
                "path",
                TestFiles.sent(tenant, "a.png", "image/png", TestFiles.PNG).text("/metadata/file/path"));
    }

    private void paths(String document) {
        String org = "/dashboard/api/organizations/{orgId}";
        bodies.put("POST /developer/api/conversations", Map.of("metadata", Map.of("a", 1)));
        bodies.put("POST /developer/api/workflows/{workflow_id}/trigger/sync", Map.of("human_msg", "Invoice 8"));
        bodies.put("PATCH " + org, Map.of("name", "Renamed"));
        bodies.put("POST " + org + "/api-keys", Map.of("name", "another"));
        bodies.put("PATCH " + org + "/api-keys/{keyId}", Map.of("name", "renamed"));
        bodies.put("POST " + org + "/api-keys/{keyId}/roll", Map.of("overlap_minutes", 60));
        bodies.put(
                "POST " + org + "/members",
                Map.of("email", parameters.get("userId") + "@new.example", "name", "N", "role", "member"));
        bodies.put("PATCH " + org + "/members/{userId}", Map.of("role", "admin"));
        bodies.put("POST " + org + "/teams", Map.of("name", "Another"));
        bodies.put("PATCH " + org + "/teams/{teamId}", Map.of("name", "Renamed"));
        bodies.put("PUT " + org + "/teams/{teamId}/members/{userId}", Map.of());
        bodies.put("PATCH " + org + "/data-lakes/{lakeId}", Map.of("name", "Renamed"));
        bodies.put("POST " + org + "/code-artifacts", code());
        bodies.put("PUT " + org + "/code-artifacts/{artifactId}", code());
        bodies.put("POST " + org + "/code-artifacts/{artifactId}/dry-run", Map.of("inputs", Map.of("x", 1)));
        bodies.put(
                "POST " + org + "/code-artifacts/dry-run",
                Map.of("language", "javascript", "source", "function main() { return {}; }"));
        bodies.put("POST " + org + "/workflows", document);
        bodies.put("PUT " + org + "/workflows/{workflowId}", document);
        bodies.put("POST " + org + "/workflows/validate", document);
        bodies.put("PUT " + org + "/workflows/{workflowId}/positions", Map.of("positions", Map.of()));
        parameters.put("toolId", "1");
        parameters.put("templateId", "one-task");
        bodies.put(
                "POST " + org + "/tool-providers",
                Map.of("name", "mine", "kind", "mcp", "url", "http://127.0.0.1:1/mcp"));
        parameters.put(
                "providerId",
                post(
                                org.replace("{orgId}", parameters.get("orgId")) + "/tool-providers",
                                Map.of("name", "api", "kind", "openapi", "document", OPENAPI))
                        .text("/id"));
        bodies.put("PATCH " + org + "/tool-providers/{providerId}", Map.of("description", "Mine"));
        models(org);
        bodies.put("POST " + org + "/tool-providers/operations", Map.of("document", OPENAPI));
        bodies.put("POST " + org + "/tools/{toolId}/try", Map.of("arguments", Map.of("url", "http://127.0.0.1:1/")));
        bodies.put(
                "POST " + org + "/instances/cancel",
                Map.of("workflow_instance_ids", List.of(parameters.get("instanceId"))));
        bodies.put("POST " + org + "/tickets/{ticketId}/comment", Map.of("text", "On it"));
        bodies.put("POST " + org + "/conversations", Map.of());
        bodies.put(
                "POST " + org + "/conversations/{conversationId}/messages",
                Map.of("content_type", "text", "content", "hello"));
        bodies.put("POST " + org + "/workflows/{workflowId}/test-run", Map.of("human_msg", "Invoice 9"));
    }

    private void models(String org) {
        String path = org.replace("{orgId}", parameters.get("orgId"));
        Map<String, Object> provider = Map.of("name", "mine", "kind", "openai", "base_url", "http://127.0.0.1:1/v1");
        parameters.put(
                "modelProviderId", post(path + "/model-providers", provider).text("/id"));
        bodies.put(
                "POST " + org + "/model-providers",
                Map.of("name", "other", "kind", "anthropic", "base_url", "http://127.0.0.1:1"));
        bodies.put("PATCH " + org + "/model-providers/{modelProviderId}", Map.of("api_version", "2024-10-21"));
        int id = Integer.parseInt(parameters.get("modelProviderId"));
        parameters.put(
                "modelId",
                post(path + "/models", Map.of("provider_id", id, "alias", "fast", "name", "m"))
                        .text("/id"));
        bodies.put("POST " + org + "/models", Map.of("provider_id", id, "alias", "slow", "name", "m"));
        bodies.put("PUT " + org + "/models/{modelId}", Map.of("provider_id", id, "alias", "fast", "name", "m2"));
    }

    private static Map<String, Object> code() {
        return Map.of("name", "Code", "language", "javascript", "source", "function main(i) { return { y: i.x }; }");
    }

    private String example(String name, String user) {
        try {
            return Files.readString(Path.of("../examples", name + ".json"))
                    .replace("{{user}}", user)
                    .replace("{{team}}", parameters.get("teamId"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Api.Answer post(String path, Object body) {
        return browser.post(path).json(body).send().expect(201);
    }

    private Api.Answer developer(String path, Object body) {
        Api.Answer answer =
                new Api().post("/developer/api" + path).key(key).json(body).send();
        assertThat(answer.status()).as(answer.body()).isLessThan(300);
        return answer;
    }

    Api.Answer call(ApiOperation operation) {
        return send(operation, request(operation, path(operation)));
    }

    Api.Request request(ApiOperation operation, String path) {
        return operation.isDashboard()
                ? browser.method(operation.httpMethod(), path)
                : new Api().method(operation.httpMethod(), path).key(key);
    }

    /** Sends a request that changes nothing, because its ids do not exist. */
    Api.Answer refused(ApiOperation operation, UnaryOperator<Api.Request> with) {
        String path = operation.path().replaceAll("\\{[^}]+}", UNKNOWN);
        return with.apply(request(operation, path)).send();
    }

    /** Sends the request with the operation's body. */
    Api.Answer send(ApiOperation operation, Api.Request request) {
        Object body = bodies.get(operation.name());
        if (body == null && !operation.description().at("/requestBody").isMissingNode()) {
            body = "{}";
        }
        return body == null ? request.send() : request.json(body).send();
    }

    /** The operation's path with ids of this organization. */
    String path(ApiOperation operation) {
        String path = operation.path();
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
        }
        return path.replaceAll("\\{[^}]+}", UNKNOWN);
    }
}
