package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An unknown field in a body does not hide what else is wrong with it. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BodyViolationsTest {
    /** Depends on what is stored, and is checked by the resource. */
    private static final Set<String> CHECKED_LATER = Set.of(
            "POST /dashboard/api/organizations/{orgId}/code-artifacts/{artifactId}/dry-run /version",
            "POST /dashboard/api/organizations/{orgId}/tickets/{ticketId}/complete /answer/?",
            "POST /dashboard/api/organizations/{orgId}/tickets/{ticketId}/complete /answer/approved",
            "POST /dashboard/api/organizations/{orgId}/tickets/{ticketId}/complete /answer/comment",
            "POST /dashboard/api/organizations/{orgId}/workflows/{workflowId}/test-run /task_id");

    /** Values that are wrong for nearly every member, by its type. */
    private static final List<Map<String, Object>> WRONG = List.of(
            Map.of(),
            Map.of("string", "", "integer", -1, "number", -1, "array", List.of(), "object", Map.of()),
            Map.of("string", " ", "integer", 0, "array", List.of("?"), "object", Map.of("?", "?")),
            Map.of("string", "\u0001?\u202e", "integer", Integer.MAX_VALUE, "array", List.of("", "?")),
            Map.of("string", "x".repeat(20_001), "array", List.of("x".repeat(2_000))));

    @Inject
    TestOrganizations organizations;

    private final JsonNode document = ApiOperation.documents();

    @Test
    void whatIsWrongIsReportedBesideAnUnknownField() {
        ApiFixture fixture = new ApiFixture(organizations);
        Set<String> hidden = new TreeSet<>();
        int compared = 0;
        for (ApiOperation operation : ApiOperation.all(document)) {
            JsonNode members = members(operation);
            for (Map<String, Object> wrong : members.isEmpty() ? List.<Map<String, Object>>of() : WRONG) {
                Map<String, Object> body = body(members, wrong);
                Set<String> paths = violations(fixture, operation, body);
                body.put("unknown", 1);
                Set<String> beside = violations(fixture, operation, body);
                // A route that the caller may not use does not read the body.
                if (!beside.isEmpty()) {
                    assertThat(beside).as(operation.name()).contains("/unknown");
                }
                compared += paths.size();
                paths.removeAll(beside);
                paths.forEach(path -> hidden.add(operation.name() + " " + path));
            }
        }
        assertThat(hidden).isSubsetOf(CHECKED_LATER);
        assertThat(compared).isGreaterThan(100);
    }

    private JsonNode members(ApiOperation operation) {
        JsonNode schema = operation.description().at("/requestBody/content/application~1json/schema");
        return document.at(schema.path("$ref").asText().replaceFirst("#", "")).path("properties");
    }

    private static Map<String, Object> body(JsonNode members, Map<String, Object> wrong) {
        Map<String, Object> body = new LinkedHashMap<>();
        members.properties().forEach(member -> {
            String types = member.getValue().toString();
            new TreeMap<>(wrong).forEach((type, value) -> {
                if (types.contains("\"" + type + "\"")) {
                    body.putIfAbsent(member.getKey(), value);
                }
            });
        });
        return body;
    }

    private static Set<String> violations(ApiFixture fixture, ApiOperation operation, Map<String, Object> body) {
        String path = fixture.path(operation);
        Api.Answer answer = fixture.request(operation, path).json(body).send();
        assertThat(answer.status())
                .as(operation.name() + " " + answer.body())
                .isBetween(body.containsKey("unknown") ? 400 : 200, 499);
        return answer.status() != 400
                ? new TreeSet<>()
                : answer.json()
                        .at("/errors")
                        .valueStream()
                        .map(violation -> violation.path("path").asText())
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
