package dev.parley.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests a path without an endpoint: 404 with a valid key and 401 otherwise. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ApiKeyAuthenticationTest {
    private static final String PATH = "/developer/api/nothing/here";

    private static final String MISSING = """
            {"error":"Authentication failed","detail":"A valid API key is required in the Authorization header as \
            'Bearer <your-api-key>'."}""";

    private static final String INVALID = """
            {"error":"Authentication failed","detail":"Invalid or inactive API key."}""";

    private final Api api = new Api();

    @Inject
    ApiKeys keys;

    @Inject
    ApiKeyCache cache;

    @Inject
    Organizations organizations;

    @Inject
    Database database;

    @Inject
    TestClock clock;

    private OrganizationId organization;

    @BeforeEach
    void anOrganization() {
        UserId owner = UserId.next();
        database.change(handle -> handle.execute(
                "INSERT INTO app_user (id, email, name, operator, created_at, proven_at)"
                        + " VALUES (?, ?, 'Owner', false, now(), now())",
                owner.value(),
                owner.text() + "@test.example"));
        organization = organizations.create("Test", owner);
    }

    @AfterEach
    void theRealTime() {
        clock.reset();
    }

    @Test
    void aKeyOpensTheApi() {
        String key = create(NewApiKey.unrestricted("plain")).key();
        Api.Answer answer = api.get(PATH).key(key).send();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("""
                {"error":"Not found","detail":"There is nothing at this address.","code":"not_found"}""");
        assertThat(api.get(PATH)
                        .header("Authorization", "bEARER   " + key)
                        .send()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void withoutAHeaderTheKeyIsMissing() {
        assertRefused(api.get(PATH).send(), MISSING);
        assertRefused(api.get("/developer/api").send(), MISSING);
        assertRefused(api.post(PATH).json("{").send(), MISSING);
        assertRefused(api.get("//developer/./api/x").send(), MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic c2s6", "sk-abc", "Bearersk-abc"})
    void anotherSchemeOrNoKeyIsAMissingKey(String header) {
        assertRefused(api.get(PATH).header("Authorization", header).send(), MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "sk-",
                "sk-0000000000000000000000000000000000000000000",
                "sk-0000000000000000000000000000000000000 000000",
                "SK-0000000000000000000000000000000000000000000",
                "sk-%00%00"
            })
    void aMalformedKeyIsInvalid(String key) {
        assertRefused(api.get(PATH).key(key).send(), INVALID);
    }

    @Test
    void anUnknownKeyIsInvalid() {
        assertRefused(api.get(PATH).key(ApiKeyFormat.generate()).send(), INVALID);
    }

    @Test
    void twoHeadersAreNoKey() {
        String key = create(NewApiKey.unrestricted("twice")).key();
        assertRefused(api.get(PATH).key(key).key(key).send(), INVALID);
    }

    @Test
    void matrixParametersDoNotBypassAuthentication() {
        assertThat(api.get("/developer;x=1/api/conversations").send().status()).isEqualTo(401);
        assertThat(api.get("/developer/api;x=1/conversations").send().status()).isEqualTo(401);
        assertThat(api.get("/developer/%61pi/conversations").send().status()).isEqualTo(401);
    }

    @Test
    void aRevokedKeyStopsAtOnceHereAndWithinASecondElsewhere() {
        ApiKeys.NewlyStoredKey here = create(NewApiKey.unrestricted("here"));
        ApiKeys.NewlyStoredKey elsewhere = create(NewApiKey.unrestricted("elsewhere"));
        assertThat(status(here.key())).isEqualTo(404);
        assertThat(status(elsewhere.key())).isEqualTo(404);

        cache.invalidate(keys.revoke(organization, here.apiKey().id()).orElseThrow());
        assertRefused(api.get(PATH).key(here.key()).send(), INVALID);

        // Simulates another node, which writes the row but cannot change this node's cache.
        keys.revoke(organization, elsewhere.apiKey().id());
        Instant deadline = Instant.now().plusSeconds(1);
        Instant sentAt = Instant.now();
        while (status(elsewhere.key()) != 401) {
            assertThat(sentAt).isBefore(deadline);
            sentAt = Instant.now();
        }
    }

    @Test
    void aKeyEndsAtItsTimeAlthoughItIsInMemory() {
        Instant end = clock.instant().plus(Duration.ofHours(1));
        String key = create(new NewApiKey("short", Optional.empty(), Optional.empty(), Optional.of(end)))
                .key();
        assertThat(status(key)).isEqualTo(404);
        clock.advance(Duration.ofMinutes(61));
        assertRefused(api.get(PATH).key(key).send(), INVALID);
    }

    @Test
    void theKeyOfADeletedOrganizationGetsA422() {
        String key = create(NewApiKey.unrestricted("orphan")).key();
        ApiKeys.NewlyStoredKey revoked = create(NewApiKey.unrestricted("revoked"));
        keys.revoke(organization, revoked.apiKey().id());
        organizations.delete(organization);
        Api.Answer answer = api.get(PATH).key(key).send();
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body()).isEqualTo("""
                {"error":"Missing organization ID","detail":"The organization of this API key no longer exists.",\
                "code":"missing_organization"}""");
        assertRefused(api.get(PATH).key(revoked.key()).send(), INVALID);
    }

    @Test
    void aBodyThatIsDeclaredTooLargeIsRefusedAfterTheKey() {
        String key = create(NewApiKey.unrestricted("large")).key();
        String large = "\"" + "x".repeat((1 << 20) + 1) + "\"";
        assertThat(api.post(PATH).json(large).send().status()).isEqualTo(401);
        Api.Answer answer = api.post(PATH).key(key).json(large).send();
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.text("/error")).isEqualTo("Payload too large");
    }

    @Test
    void theLastUseIsWrittenOnceAMinute() {
        ApiKeys.NewlyStoredKey created = create(NewApiKey.unrestricted("used"));
        assertThat(created.apiKey().lastUsedAt()).isNull();
        status(created.key());
        Instant first = awaitLastUse(created, Instant.EPOCH);
        for (int i = 0; i < 50; i++) {
            cache.invalidate(keys.hash(created.key()));
            status(created.key());
        }
        assertThat(lastUse(created)).isEqualTo(first);
        clock.advance(Duration.ofSeconds(61));
        cache.invalidate(keys.hash(created.key()));
        status(created.key());
        assertThat(awaitLastUse(created, first)).isAfterOrEqualTo(first.plusSeconds(60));
    }

    @Test
    void aRefusedRequestIsNoUse() {
        Instant end = clock.instant().plus(Duration.ofHours(1));
        ApiKeys.NewlyStoredKey expired =
                create(new NewApiKey("short", Optional.empty(), Optional.empty(), Optional.of(end)));
        clock.advance(Duration.ofMinutes(61));
        assertThat(status(expired.key())).isEqualTo(401);
        ApiKeys.NewlyStoredKey orphan = create(NewApiKey.unrestricted("orphan"));
        organizations.delete(organization);
        assertThat(status(orphan.key())).isEqualTo(422);
        anOrganization();
        // Uses are recorded asynchronously, approximately in order.
        ApiKeys.NewlyStoredKey good = create(NewApiKey.unrestricted("good"));
        assertThat(status(good.key())).isEqualTo(404);
        awaitLastUse(good, Instant.EPOCH);
        assertThat(lastUse(expired)).isEqualTo(Instant.EPOCH);
        assertThat(lastUse(orphan)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void manyRequestsAtOnceWithOneKeyAreAllAnswered() {
        String key = create(NewApiKey.unrestricted("busy")).key();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Integer>> answers = IntStream.range(0, 200)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(
                            () -> api.post(PATH)
                                    .key(key)
                                    .json(Map.of("a", "b"))
                                    .send()
                                    .status(),
                            threads))
                    .toList();
            assertThat(answers.stream().map(CompletableFuture::join)).containsOnly(404);
        }
    }

    private ApiKeys.NewlyStoredKey create(NewApiKey requested) {
        return keys.create(organization, requested, "system");
    }

    private int status(String key) {
        return api.get(PATH).key(key).send().status();
    }

    private Instant awaitLastUse(ApiKeys.NewlyStoredKey key, Instant after) {
        Instant deadline = Instant.now().plusSeconds(10);
        while (Instant.now().isBefore(deadline)) {
            Instant last = lastUse(key);
            if (last.isAfter(after)) {
                return last;
            }
        }
        throw new AssertionError("the last use was not written");
    }

    private Instant lastUse(ApiKeys.NewlyStoredKey key) {
        return database.with(handle -> handle.createQuery("SELECT last_used_at FROM api_key WHERE id = :id")
                .bind("id", key.apiKey().id())
                .map((row, _) -> row.getObject(1, OffsetDateTime.class))
                .findOne()
                .map(OffsetDateTime::toInstant)
                .orElse(Instant.EPOCH));
    }

    private static void assertRefused(Api.Answer answer, String body) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.header("X-Request-Id")).isNotEmpty();
    }
}
