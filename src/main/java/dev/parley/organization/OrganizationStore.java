package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The table {@code organization}. Deleted organizations are never returned. */
@Singleton
public final class OrganizationStore {
    private static final String COLUMNS = "o.id, o.name, m.role, o.messages_per_minute,"
            + " coalesce(o.messages_per_minute, :defaultLimit) AS message_limit,"
            + " :defaultLimit AS default_message_limit,"
            + " (SELECT count(*) FROM membership n WHERE n.organization_id = o.id) AS members,"
            + " o.created_at, o.updated_at, o.updated_by, o.revision";

    private final Database database;
    private final Clock clock;

    private final int defaultMessagesPerMinute;

    public OrganizationStore(Database database, Clock clock, Settings.Quotas quotas) {
        this.database = database;
        this.clock = clock;
        this.defaultMessagesPerMinute = quotas.messagesPerMinute();
    }

    /** The organization's message rate: its own, or the installation's default. */
    public int messagesPerMinute(OrganizationId id) {
        return database.with(handle -> handle.createQuery(
                                "SELECT messages_per_minute FROM organization WHERE id = :id AND messages_per_minute > 0")
                        .bind("id", id)
                        .mapTo(Integer.class)
                        .findOne())
                .orElse(defaultMessagesPerMinute);
    }

    /** Creates an organization and its first owner. */
    public OrganizationId create(String name, UserId owner) {
        return database.transaction(handle -> create(handle, name, owner));
    }

    /** Same within a transaction. */
    public OrganizationId create(Handle handle, String name, UserId owner) {
        OrganizationId id = OrganizationId.next();
        Instant now = clock.instant();
        handle.createUpdate(
                        "INSERT INTO organization (id, name, created_at, updated_at) VALUES (:id, :name, :now, :now)")
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

    /** An organization as the user sees it, who may be a non-member. */
    public Optional<Organization> find(OrganizationId id, UserId person) {
        return database.with(handle -> find(handle, id, person));
    }

    private Optional<Organization> find(Handle handle, OrganizationId id, UserId person) {
        return handle.createQuery("""
                        SELECT %s FROM organization o
                        LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = :person
                        WHERE o.id = :id AND o.deleted_at IS NULL""".formatted(COLUMNS))
                .bind("id", id)
                .bind("person", person)
                .bind("defaultLimit", defaultMessagesPerMinute)
                .mapTo(Organization.class)
                .findOne();
    }

    /** The organizations of a user, oldest first. */
    public List<Organization> ofMember(UserId person, Optional<OrganizationId> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM membership m JOIN organization o ON o.id = m.organization_id
                        WHERE m.user_id = :person AND o.deleted_at IS NULL
                          AND (:after::uuid IS NULL OR o.id > :after::uuid)
                        ORDER BY o.id LIMIT :limit""".formatted(COLUMNS))
                .bind("person", person)
                .bind("defaultLimit", defaultMessagesPerMinute)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Organization.class)
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
                .bind("defaultLimit", defaultMessagesPerMinute)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(Organization.class)
                .list());
    }

    /**
     * A change of an organization.
     *
     * @param name empty if it stays unchanged
     * @param setsLimit whether the limit changes; otherwise it is ignored
     * @param limit null for the installation's default
     */
    record OrganizationUpdate(
            Optional<String> name,
            boolean setsLimit,
            @Nullable Integer limit) {}

    /** Changes it if it exists; another revision is a 412. */
    void change(OrganizationId id, OrganizationUpdate update, UserId person, String by, IfMatch ifMatch) {
        database.change(handle -> {
            if (!lock(handle, id)) {
                return;
            }
            Organization before = find(handle, id, person).orElseThrow();
            ifMatch.require(before.revision(), before.updatedBy(), before.updatedAt());
            String name = update.name().orElse(before.name());
            Integer limit = update.setsLimit() ? update.limit() : before.messagesPerMinute();
            if (name.equals(before.name()) && Objects.equals(limit, before.messagesPerMinute())) {
                return;
            }
            handle.createUpdate("""
                            UPDATE organization SET name = :name, messages_per_minute = :limit::integer,
                                revision = revision + 1, updated_by = :by, updated_at = :now
                            WHERE id = :id""")
                    .bind("name", name)
                    .bind("limit", limit)
                    .bind("by", by)
                    .bind("now", clock.instant())
                    .bind("id", id)
                    .execute();
        });
    }

    /** Marks it as deleted; its keys get 422 from then on. */
    public void delete(OrganizationId id) {
        database.change(handle -> handle.createUpdate(
                        "UPDATE organization SET deleted_at = :now WHERE id = :id AND deleted_at IS NULL")
                .bind("id", id)
                .bind("now", clock.instant())
                .execute());
    }

    /** Serialises changes of one organization's members until the transaction ends. */
    public static boolean lock(Handle handle, OrganizationId id) {
        return handle.createQuery("SELECT id FROM organization WHERE id = :id AND deleted_at IS NULL FOR NO KEY UPDATE")
                .bind("id", id)
                .mapTo(UUID.class)
                .findOne()
                .isPresent();
    }
}
