package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The table {@code organization}. A deleted organization is not found by anything here. */
@Singleton
public final class OrganizationStore {
    private static final String COLUMNS = "o.id, o.name, m.role, o.messages_per_minute, o.created_at";

    private final Database database;
    private final Clock clock;

    private final int defaultMessagesPerMinute;

    public OrganizationStore(Database database, Clock clock, Settings.Quotas quotas) {
        this.database = database;
        this.clock = clock;
        this.defaultMessagesPerMinute = quotas.messagesPerMinute();
    }

    /** The organization's message rate: its own, or the installation's. */
    public int messagesPerMinute(OrganizationId id) {
        return database.with(handle -> handle.createQuery(
                                "SELECT messages_per_minute FROM organization WHERE id = :id AND messages_per_minute > 0")
                        .bind("id", id)
                        .mapTo(Integer.class)
                        .findOne())
                .orElse(defaultMessagesPerMinute);
    }

    /** Makes an organization and its first owner. */
    public OrganizationId create(String name, UserId owner) {
        return database.transaction(handle -> create(handle, name, owner));
    }

    /** The same within a transaction. */
    public OrganizationId create(Handle handle, String name, UserId owner) {
        OrganizationId id = OrganizationId.next();
        OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
        handle.createUpdate("INSERT INTO organization (id, name, created_at) VALUES (:id, :name, :now)")
                .bind("id", id)
                .bind("name", name)
                .bind("now", now)
                .execute();
        handle.createUpdate("""
                            INSERT INTO membership (organization_id, user_id, role, created_at)
                            VALUES (:id, :owner, 'owner', :now)""")
                .bind("id", id)
                .bind("owner", owner)
                .bind("now", now)
                .execute();
        return id;
    }

    /** One organization as the person sees it, be the person a member or not. */
    public Optional<Organization> find(OrganizationId id, UserId person) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM organization o
                        LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = :person
                        WHERE o.id = :id AND o.deleted_at IS NULL""".formatted(COLUMNS))
                .bind("id", id)
                .bind("person", person)
                .map((row, _) -> read(row))
                .findOne());
    }

    /** The organizations of a person, oldest first. */
    public List<Organization> ofMember(UserId person, Optional<OrganizationId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM membership m JOIN organization o ON o.id = m.organization_id
                        WHERE m.user_id = :person AND o.deleted_at IS NULL
                          AND (:after::uuid IS NULL OR o.id > :after::uuid)
                        ORDER BY o.id LIMIT :limit""".formatted(COLUMNS))
                .bind("person", person)
                .bind("after", value(after))
                .bind("limit", limit)
                .map((row, _) -> read(row))
                .list());
    }

    /** All organizations of the installation, oldest first, for an operator. */
    public List<Organization> all(UserId person, Optional<OrganizationId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM organization o
                        LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = :person
                        WHERE o.deleted_at IS NULL AND (:after::uuid IS NULL OR o.id > :after::uuid)
                        ORDER BY o.id LIMIT :limit""".formatted(COLUMNS))
                .bind("person", person)
                .bind("after", value(after))
                .bind("limit", limit)
                .map((row, _) -> read(row))
                .list());
    }

    public void rename(OrganizationId id, String name) {
        database.change(handle -> handle.createUpdate("UPDATE organization SET name = :name WHERE id = :id")
                .bind("id", id)
                .bind("name", name)
                .execute());
    }

    /** Sets the organization's own limit; null takes it back to the installation's default. */
    public void limit(OrganizationId id, @Nullable Integer messagesPerMinute) {
        database.change(handle -> handle.createUpdate(
                        "UPDATE organization SET messages_per_minute = :limit::integer WHERE id = :id")
                .bind("id", id)
                .bind("limit", messagesPerMinute)
                .execute());
    }

    /** Marks it deleted; its keys are answered 422 from then on. */
    public void delete(OrganizationId id) {
        database.change(handle -> handle.createUpdate(
                        "UPDATE organization SET deleted_at = :now WHERE id = :id AND deleted_at IS NULL")
                .bind("id", id)
                .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                .execute());
    }

    /** Makes changes of one organization's members go one after the other, until the transaction ends. */
    public static boolean lock(Handle handle, OrganizationId id) {
        return handle.createQuery("SELECT id FROM organization WHERE id = :id AND deleted_at IS NULL FOR NO KEY UPDATE")
                .bind("id", id)
                .mapTo(UUID.class)
                .findOne()
                .isPresent();
    }

    private static @Nullable UUID value(Optional<OrganizationId> id) {
        return id.map(OrganizationId::value).orElse(null);
    }

    private static Organization read(ResultSet row) throws SQLException {
        return new Organization(
                new OrganizationId(row.getObject("id", UUID.class)),
                row.getString("name"),
                row.getString("role"),
                row.getObject("messages_per_minute", Integer.class),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
