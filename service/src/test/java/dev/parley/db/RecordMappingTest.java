package dev.parley.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RecordMappingTest {
    private static final Instant TIME = Instant.parse("2026-11-22T10:15:30.123456Z");

    private static Database database;

    private enum Shade {
        LIGHT,
        DARK
    }

    private record Label(String text) {}

    private record Account(UserId id, @Nullable OrganizationId organizationId) {}

    private record Sample(
            @Nested Account account,
            Shade shade,
            @Nullable Label label,
            @Nullable Instant createdAt,
            Optional<Instant> closedAt,
            @Nullable Integer size,
            List<String> tags) {}

    @BeforeAll
    static void open() {
        database = TestPostgres.empty();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void readsEachComponentFromTheColumnOfItsName() {
        UserId user = UserId.next();
        OrganizationId organization = OrganizationId.next();

        Sample read = database.with(handle -> handle.createQuery("""
                        SELECT :user AS id, :organization AS organization_id, 'dark' AS shade, '{"a": 1}'::json AS label,
                            :time::timestamptz AS created_at, :time::timestamptz AS closed_at, 3 AS size,
                            string_to_array('a,b', ',') AS tags""")
                .bind("user", user)
                .bind("organization", Optional.of(organization))
                .bind("time", TIME)
                .mapTo(Sample.class)
                .one());

        assertEquals(
                new Sample(
                        new Account(user, organization),
                        Shade.DARK,
                        new Label("{\"a\": 1}"),
                        TIME,
                        Optional.of(TIME),
                        3,
                        List.of("a", "b")),
                read);
    }

    @Test
    void readsAndBindsWhatIsAbsent() {
        UserId user = UserId.next();

        Sample read = database.with(handle -> handle.createQuery("""
                        SELECT :user::uuid AS id, :organization::uuid AS organization_id, 'LIGHT' AS shade,
                            NULL AS label, :time::timestamptz AS created_at, NULL::timestamptz AS closed_at,
                            :size::integer AS size, string_to_array('', ',') AS tags
                        WHERE :organization::uuid IS NULL""")
                .bind("user", user)
                .bind("organization", Optional.<OrganizationId>empty())
                .bind("time", Optional.<Instant>empty())
                .bind("size", (@Nullable Integer) null)
                .mapTo(Sample.class)
                .one());

        assertEquals(
                new Sample(new Account(user, null), Shade.LIGHT, null, null, Optional.empty(), null, List.of()), read);
    }

    @Test
    void readsASingleColumnAsAnId() {
        UUID id = UUID.randomUUID();

        assertEquals(Optional.of(new UserId(id)), database.with(handle -> handle.createQuery("SELECT :id::uuid")
                .bind("id", id)
                .mapTo(UserId.class)
                .findOne()));
        assertNull(database.with(handle -> handle.createQuery("SELECT NULL::uuid")
                .mapTo(UserId.class)
                .list()
                .getFirst()));
    }
}
