package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.session.SignInThrottle;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Forwarded headers of a trusted proxy are used; {@link SignInTest} and the audit log's test have no such proxy. */
@QuarkusTest
@QuarkusTestResource(value = MailedServiceResource.class, restrictToAnnotatedClass = true)
class TrustedProxiesTest {
    private static final String PASSWORD = "a password of the test";

    @Inject
    TestOrganizations organizations;

    @Test
    void theThrottleCountsTheRealClientAddress() {
        for (int i = 0; i < SignInThrottle.FREE_ATTEMPTS_PER_ADDRESS; i++) {
            // Everything before the proxy's own entry is forged by the client.
            login("nobody" + i + "@test.example", "203.0.113." + i + ", 198.51.100.7");
        }
        assertThat(login("nobody@test.example", "198.51.100.7").status()).isEqualTo(429);
        assertThat(login("nobody@test.example", "203.0.113.1, 198.51.100.7").status())
                .isEqualTo(429);
        assertThat(login("nobody@test.example", "198.51.100.8").status()).isEqualTo(401);
    }

    @Test
    void theCookieIsSecureWhenTheClientSpeaksTls() {
        TestOrganizations.TestUser somebody = organizations.withPassword(PASSWORD);
        assertThat(cookie(somebody, "X-Forwarded-Proto", "https")).contains("Secure");
        assertThat(cookie(somebody, "Forwarded", "for=198.51.100.9;proto=https"))
                .contains("Secure");
        assertThat(cookie(somebody, "X-Forwarded-Proto", "http")).doesNotContain("Secure");
        assertThat(cookie(somebody, "X-Forwarded-Proto", "https, http")).doesNotContain("Secure");
    }

    @Test
    void theAuditLogHasTheClientsAddress() {
        TestOrganizations.Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        owner.post(tenant.path() + "/teams")
                .header("X-Forwarded-For", "198.51.100.10")
                .json(Map.of("name", "T"))
                .send()
                .expect(201);
        assertThat(owner.get(tenant.path() + "/audit-log").send().text("/items/0/address"))
                .isEqualTo("198.51.100.10");
    }

    @Test
    void uploadUrlsHaveTheSchemeThatTheClientSpeaks() {
        Tenant tenant = Tenant.create();
        assertThat(new Api()
                        .post("/developer/api/media/presigned-url")
                        .key(tenant.key())
                        .header("X-Forwarded-Proto", "https")
                        .json(Map.of("filename", "a.png", "content_type", "image/png"))
                        .send()
                        .expect(201)
                        .text("/upload_url"))
                .startsWith("https://");
    }

    private static Api.Answer login(String email, String forwardedFor) {
        return Api.dashboard()
                .post("/dashboard/api/login")
                .header("X-Forwarded-For", forwardedFor)
                .json(Map.of("email", email, "password", PASSWORD))
                .send();
    }

    private static String cookie(TestOrganizations.TestUser somebody, String header, String value) {
        return Api.dashboard()
                .post("/dashboard/api/login")
                .header(header, value)
                .json(Map.of("email", somebody.email(), "password", PASSWORD))
                .send()
                .expect(200)
                .header("Set-Cookie");
    }
}
