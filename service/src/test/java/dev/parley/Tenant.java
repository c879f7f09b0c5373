package dev.parley;

import dev.parley.apikey.ApiKeys;
import dev.parley.apikey.NewApiKey;
import dev.parley.db.Database;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.arc.Arc;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

/** An organization with a key for one test, isolated from other tests. */
public record Tenant(OrganizationId organization, UserId owner, ApiKeyId keyId, String key) {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** A new organization with a high message limit. */
    public static Tenant create() {
        return create(1_000_000);
    }

    public static Tenant create(int messagesPerMinute) {
        UserId owner = UserId.next();
        bean(Database.class)
                .change(handle -> handle.execute(
                        "INSERT INTO app_user (id, email, name, operator, created_at, proven_at)"
                                + " VALUES (?, ?, 'Owner', false, now(), now())",
                        owner.value(),
                        owner.text() + "@test.example"));
        OrganizationId organization = bean(Organizations.class).create("Test", owner);
        bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE organization SET messages_per_minute = ? WHERE id = ?",
                        messagesPerMinute,
                        organization.value()));
        ApiKeys.NewlyStoredKey created =
                bean(ApiKeys.class).create(organization, NewApiKey.unrestricted("test"), "user:" + owner.text());
        return new Tenant(organization, owner, created.apiKey().id(), created.key());
    }

    /** A browser in which the owner is signed in. */
    public Api browser() {
        return bean(TestOrganizations.class).browser(owner);
    }

    public static <T> T bean(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    public Api.Answer get(String path) {
        return new Api().get("/developer/api" + path).key(key).send();
    }

    public Api.Answer post(String path, Object json) {
        return new Api().post("/developer/api" + path).key(key).json(json).send();
    }

    /** A new DEFAULT conversation. */
    public String conversation() {
        return post("/conversations", Map.of()).expect(201).text("/id");
    }

    public Api.Answer send(String conversation, String text) {
        return post("/messages", Map.of("conversation_id", conversation, "content_type", "text", "content", text));
    }

    /** Polls until the response matches, for at most three minutes. */
    public static <T> T eventually(Supplier<T> ask, java.util.function.Predicate<T> suits) {
        return eventually(TIMEOUT, ask, suits);
    }

    /** Polls until the response matches, for at most the given time. */
    public static <T> T eventually(Duration atMost, Supplier<T> ask, java.util.function.Predicate<T> suits) {
        Instant deadline = Instant.now().plus(atMost);
        T last = ask.get();
        while (!suits.test(last)) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("still not so: " + last);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
            last = ask.get();
        }
        return last;
    }
}
