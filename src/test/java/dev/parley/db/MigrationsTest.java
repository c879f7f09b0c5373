package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.util.List;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MigrationsTest {
    @Test
    void anEmptyDatabaseGetsTheSchemaAndASecondStartChangesNothing() {
        try (Database database = TestPostgres.empty()) {
            assertThat(tables(database)).isZero();
            Migrations.run(database.dataSource());
            int tables = tables(database);
            assertThat(tables).isPositive();
            Migrations.run(database.dataSource());
            assertThat(tables(database)).isEqualTo(tables);
        }
    }

    /**
     * Mallory's account with another person's address was an admin of two organizations; the migration leaves it in the
     * first.
     */
    @Test
    void accountsOfEarlierVersionsAreConfinedToTheOrganizationThatCreatedThem() {
        try (Database database = TestPostgres.empty()) {
            Flyway.configure()
                    .dataSource(database.dataSource())
                    .target("33")
                    .load()
                    .migrate();
            UUID operator = user(database, "operator@a.example", true, "hash");
            UUID linked = user(database, "linked@a.example", false, "hash");
            UUID cfo = user(database, "cfo@a.example", false, "hash");
            UUID pending = user(database, "pending@a.example", false, null);
            UUID alone = user(database, "alone@a.example", false, "hash");
            UUID first = organization(database);
            UUID second = organization(database);
            for (UUID user : List.of(operator, linked, cfo, pending)) {
                member(database, first, user, "2026-01-01");
                member(database, second, user, "2026-02-01");
            }
            database.change(handle -> {
                handle.execute("INSERT INTO user_identity VALUES ('i', 's', ?, 'linked@a.example', now())", linked);
                handle.execute(
                        "INSERT INTO team (organization_id, id, name, created_at) VALUES (?, 1, 'T', now())", second);
                handle.execute("INSERT INTO team_member VALUES (?, 1, ?)", second, cfo);
                for (UUID user : List.of(operator, linked, cfo, alone)) {
                    handle.execute(
                            "INSERT INTO session VALUES (?, ?, now(), now(), now())",
                            user.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8),
                            user);
                }
            });

            Migrations.run(database.dataSource());

            assertThat(organizationsOf(database, operator)).containsExactlyInAnyOrder(first, second);
            assertThat(organizationsOf(database, linked)).containsExactlyInAnyOrder(first, second);
            assertThat(organizationsOf(database, cfo)).containsExactly(first);
            assertThat(organizationsOf(database, pending)).containsExactly(first);
            assertThat(uuids(database, "SELECT user_id AS id FROM session")).containsExactlyInAnyOrder(operator, cfo);
            assertThat(uuids(database, "SELECT id FROM app_user")).doesNotContain(alone);
            assertThat(uuids(database, "SELECT id FROM app_user WHERE proven_at IS NOT NULL AND password_hash IS NULL"))
                    .containsExactly(linked);
            assertThat(uuids(
                            database,
                            "SELECT u.id FROM app_user u JOIN membership m ON m.user_id = u.id"
                                    + " WHERE u.organization_id = m.organization_id AND u.password_hash IS NULL"
                                    + " AND m.organization_id = '" + second + "'"))
                    .hasSize(2)
                    .doesNotContain(cfo, pending)
                    .containsAll(uuids(database, "SELECT user_id AS id FROM team_member"))
                    .allMatch(id -> id.version() == 7);
            assertThat(uuids(
                            database,
                            "SELECT organization_id AS id FROM audit_entry WHERE action = 'members.replace' AND user_id = '"
                                    + cfo + "'"))
                    .containsExactly(second);
        }
    }

    private static UUID user(Database database, String email, boolean operator, @Nullable String hash) {
        UUID id = UserId.next().value();
        database.change(handle -> handle.execute(
                "INSERT INTO app_user (id, email, name, operator, password_hash, created_at) VALUES (?, ?, 'P', ?, ?, now())",
                id,
                email,
                operator,
                hash));
        return id;
    }

    private static UUID organization(Database database) {
        UUID id = OrganizationId.next().value();
        database.change(
                handle -> handle.execute("INSERT INTO organization (id, name, created_at) VALUES (?, 'O', now())", id));
        return id;
    }

    private static void member(Database database, UUID organization, UUID user, String since) {
        database.change(handle -> handle.execute(
                "INSERT INTO membership (organization_id, user_id, role, created_at) VALUES (?, ?, 'admin', ?::timestamptz)",
                organization,
                user,
                since));
    }

    private static List<UUID> organizationsOf(Database database, UUID user) {
        return uuids(database, "SELECT organization_id AS id FROM membership WHERE user_id = '" + user + "'");
    }

    private static List<UUID> uuids(Database database, String sql) {
        return database.with(handle -> handle.createQuery(sql).mapTo(UUID.class).list());
    }

    private static int tables(Database database) {
        return database.with(handle -> handle.createQuery(
                        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
                .mapTo(Integer.class)
                .one());
    }
}
