package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other spellings of a path reach the same resource through the same filters, or none. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class PathVariantsTest {
    @Inject
    TestOrganizations organizations;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/developer/api/messages/",
                "/developer/api/messages//",
                "/developer/api/messages;a=b",
                "/developer;a/api;b/messages;c/",
                "/developer/api/%6dessages",
                "/developer//api/messages",
                "/developer/api/./messages",
                "/developer/x/../api/messages"
            })
    void noVariantBypassesTheKeyOrTheLimit(String path) {
        Tenant tenant = Tenant.create(1);
        String conversation = tenant.conversation();
        assertThat(new Api().post(path).json("{}").send().status()).isIn(401, 404);
        Map<String, Object> message =
                Map.of("conversation_id", conversation, "content_type", "text", "content", "Hello");

        Api.Answer first = new Api().post(path).key(tenant.key()).json(message).send();
        Api.Answer second = new Api().post(path).key(tenant.key()).json(message).send();

        if (first.status() != 404) {
            first.expect(200);
            second.expect(429);
            assertThat(second.header("RateLimit")).startsWith("\"messages\";r=0");
        }
    }

    @Test
    void noVariantBypassesTheAuditLog() {
        TestOrganizations.Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        int made = 0;
        for (String list : new String[] {"/teams", "/teams/", "/teams;a=b", ";a/teams;b/", "/%74eams", "//teams"}) {
            Api.Answer answer = owner.post(tenant.path() + list)
                    .json(Map.of("name", "T" + list))
                    .send();
            if (answer.status() == 201) {
                made++;
            } else {
                answer.expect(404);
            }
        }
        assertThat(owner.get(tenant.path() + "/audit-log").send().json().at("/items"))
                .hasSize(made)
                .allMatch(entry -> entry.at("/action").asText().equals("teams.create"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dashboard/api/me/", "/dashboard;a/api/me", "/dashboard/%61pi/me", "//dashboard/api/me"})
    void noVariantBypassesTheSession(String path) {
        assertThat(new Api().get(path).send().status()).isIn(401, 404);
    }

    @Test
    void anIdOfDotsDoesNotLeadElsewhere() {
        TestOrganizations.Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        for (String dots : new String[] {"..", "%2e%2e", ".%2E", "../", "%2e%2e;a", "x/../..", "."}) {
            assertThat(owner.delete(tenant.path() + "/teams/" + dots).send().status())
                    .as(dots)
                    .isEqualTo(404);
        }
        owner.get(tenant.path()).send().expect(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/developer/api/messages | OPTIONS, POST",
                "/developer/api/conversations | GET, HEAD, OPTIONS, POST",
                "/developer/api/conversations/x/ | GET, HEAD, OPTIONS",
                "/developer/api/media/files/a/b/c | GET, HEAD, OPTIONS",
            })
    void allowListsThePathsMethods(String path, String methods) {
        String key = Tenant.create().key();
        assertThat(new Api().method("TRACE", path).key(key).send().expect(405).header("Allow"))
                .isEqualTo(methods);
        assertThat(new Api().method("OPTIONS", path).key(key).send().header("Allow"))
                .isEqualTo(methods);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/workflows | GET, HEAD, OPTIONS, POST",
                "/workflows/0192f0c1a2b37c4d8e5f60718293a4b5/publish | OPTIONS, POST",
                "/workflows/validate | OPTIONS, POST",
                "/code-artifacts/dry-run | OPTIONS, POST",
                "/data-lakes/s3-prefixes | GET, HEAD, OPTIONS",
            })
    void allowOfALiteralPathThatLooksLikeAnIdIsItsOwn(String path, String methods) {
        TestOrganizations.Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        String address = tenant.path() + path;

        assertThat(owner.method("OPTIONS", address).send().expect(200).header("Allow"))
                .isEqualTo(methods);
        for (String method : new String[] {"TRACE", "GET", "PUT", "DELETE", "PATCH", "PROPFIND"}) {
            Api.Answer answer = owner.method(method, address).send();
            if (!methods.contains(method)) {
                assertThat(answer.expect(405).header("Allow")).as(method).isEqualTo(methods);
                assertThat(answer.text("/error")).isEqualTo("Method not allowed");
            }
        }
    }

    @Test
    void traceIsTheSameEverywhere() {
        Api unknown = new Api();
        unknown.method("TRACE", "/developer/api/messages").send().expect(401);
        unknown.method("TRACE", "/dashboard/api/me").send().expect(401);
        unknown.method("TRACE", "/openapi.json").send().expect(405);
        organizations
                .create()
                .owner()
                .browser()
                .method("TRACE", "/dashboard/api/me")
                .send()
                .expect(405);
    }
}
