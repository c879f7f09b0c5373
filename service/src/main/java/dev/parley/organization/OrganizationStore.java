package dev.parley.organization;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code organization}. Deleted organizations are never returned. */
public interface OrganizationStore {
    String COLUMNS = """
            SELECT o.id, o.name, m.role, o.messages_per_minute,
                coalesce(o.messages_per_minute, :defaultLimit) AS message_limit,
                :defaultLimit AS default_message_limit, o.allowed_models,
                (SELECT count(*) FROM membership n WHERE n.organization_id = o.id) AS members,
                o.created_at, o.updated_at, o.updated_by, o.revision
            FROM organization o\s""";

    /** An organization as the user sees it, who may be a non-member. */
    @SqlQuery(COLUMNS + """
            LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = :user
            WHERE o.id = :organization AND o.deleted_at IS NULL""")
    Optional<Organization> find(OrganizationId organization, UserId user, int defaultLimit);

    /** The organizations of a user, oldest first. */
    @SqlQuery(COLUMNS + """
            JOIN membership m ON m.organization_id = o.id AND m.user_id = :user
            WHERE o.deleted_at IS NULL AND (:after::uuid IS NULL OR o.id > :after::uuid)
            ORDER BY o.id LIMIT :limit""")
    List<Organization> ofMember(UserId user, Optional<OrganizationId> after, int limit, int defaultLimit);

    /** All organizations of the installation, oldest first, for an operator. */
    @SqlQuery(COLUMNS + """
            LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = :user
            WHERE o.deleted_at IS NULL AND (:after::uuid IS NULL OR o.id > :after::uuid)
            ORDER BY o.id LIMIT :limit""")
    List<Organization> all(UserId user, Optional<OrganizationId> after, int limit, int defaultLimit);

    @SqlQuery("SELECT name FROM organization WHERE id = :organization")
    String name(OrganizationId organization);

    @SqlQuery("SELECT messages_per_minute FROM organization WHERE id = :organization AND messages_per_minute > 0")
    Optional<Integer> messagesPerMinute(OrganizationId organization);

    @SqlUpdate("INSERT INTO organization (id, name, created_at, updated_at) VALUES (:organization, :name, :now, :now)")
    void insert(OrganizationId organization, String name, Instant now);

    @SqlUpdate("""
            UPDATE organization SET name = :name, messages_per_minute = :limit, allowed_models = :models::text[],
                revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE id = :organization""")
    void change(
            OrganizationId organization,
            String name,
            @Nullable Integer limit,
            @Nullable List<String> models,
            String by,
            Instant now);

    /** Marks it as deleted; its keys get 422 from then on. */
    @SqlUpdate("UPDATE organization SET deleted_at = :now WHERE id = :organization AND deleted_at IS NULL")
    void delete(OrganizationId organization, Instant now);

    /** Serialises changes of one organization's members until the transaction ends; empty if it was deleted. */
    @SqlQuery("SELECT id FROM organization WHERE id = :organization AND deleted_at IS NULL FOR NO KEY UPDATE")
    Optional<OrganizationId> lock(OrganizationId organization);

    /** Like {@link #lock}; 404 if it was deleted. */
    default void lockExisting(OrganizationId organization) {
        if (lock(organization).isEmpty()) {
            throw ApiProblem.notFound("organization");
        }
    }
}
