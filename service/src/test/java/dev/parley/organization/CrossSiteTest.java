package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changing requests from other sites; {@code OURS} represents the service's origin in the test. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CrossSiteTest {
    private static final String REFUSED = """
            {"error":"Cross-site request refused","detail":"A changing request must come from the dashboard's own \
            origin; other clients send 'X-Requested-With: parley'.","code":"cross_site_request"}""";

    @Inject
    TestOrganizations organizations;

    @ParameterizedTest
    @CsvSource({
        // Sec-Fetch-Site, Origin, X-Requested-With, allowed
        "same-origin,,,true",
        "none,,,true",
        "same-site,,,false",
        "cross-site,,,false",
        "cross-site,OURS,parley,false",
        "same-origin,https://evil.example,,true",
        ",OURS,,true",
        ",http://localhost:8080,,true",
        ",https://evil.example,,false",
        ",https://evil.example,parley,false",
        ",null,parley,false",
        ",OURS.evil.example,,false",
        ",,parley,true",
        ",,XMLHttpRequest,false",
        ",,,false"
    })
    void onlyOurOwnPagesMayChangeAnything(String site, String origin, String with, boolean allowed) {
        String token = organizations.testUser().browser().session().orElseThrow();
        Api plain = new Api();
        for (String path : new String[] {"/dashboard/api/logout", "/dashboard/api/login"}) {
            Api.Request request = plain.post(path).header("Cookie", "parley_session=" + token);
            if (path.endsWith("login")) {
                request.json(Map.of());
            }
            URI base = URI.create(plain.base());
            if (site != null) {
                request.header("Sec-Fetch-Site", site);
            }
            if (origin != null) {
                request.header("Origin", origin.replace("OURS", "http://" + base.getAuthority()));
            }
            if (with != null) {
                request.header("X-Requested-With", with);
            }
            Api.Answer answer = request.send();
            if (allowed) {
                assertThat(answer.status()).isEqualTo(path.endsWith("login") ? 400 : 204);
            } else {
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.body()).isEqualTo(REFUSED);
            }
        }
    }

    @Test
    void readingNeedsNoOrigin() {
        String token = organizations.testUser().browser().session().orElseThrow();
        assertThat(new Api()
                        .get("/dashboard/api/me")
                        .header("Cookie", "parley_session=" + token)
                        .header("Sec-Fetch-Site", "cross-site")
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
