package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.TestPostgres;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OutageTest {
    @Inject
    TestOrganizations organizations;

    @Test
    void anUnavailableDatabaseIsA503AndRecovers() {
        Tenant tenant = organizations.create();
        String key = organizations.key(tenant.id());
        Api browser = tenant.owner().browser();
        TestPostgres.refuseConnections();
        try {
            List<CompletableFuture<Api.Answer>> answers = List.of(
                    CompletableFuture.supplyAsync(() -> new Api()
                            .get("/developer/api/conversations")
                            .key(key)
                            .send()),
                    CompletableFuture.supplyAsync(
                            () -> browser.get("/dashboard/api/me").send()),
                    CompletableFuture.supplyAsync(() -> browser.login("a@b.example", "some password")));
            for (CompletableFuture<Api.Answer> future : answers) {
                Api.Answer answer = future.join();
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("Retry-After")).isEqualTo("2");
                // The first one may notice that its connection was ended.
                assertThat(answer.body())
                        .matches(
                                "\\{\"error\":\"Service unavailable\",\"detail\":\"The database (cannot be reached"
                                        + "|is starting, stopping or recovering) right now; nothing was stored.\",\"code\":\"unavailable\"}");
            }
        } finally {
            TestPostgres.acceptConnections();
        }
        Instant deadline = Instant.now().plusSeconds(30);
        while (browser.get("/dashboard/api/me").send().status() != 200) {
            assertThat(Instant.now()).isBefore(deadline);
        }
        new Api().get("/developer/api/conversations").key(key).send().expect(200);
    }
}
