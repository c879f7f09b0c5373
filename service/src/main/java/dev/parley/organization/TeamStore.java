package dev.parley.organization;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The tables {@code team} and {@code team_member}. Deleted teams are never returned. */
public interface TeamStore {
    String TEAM = """
            SELECT t.id, t.name, t.created_at, t.updated_at, t.updated_by, t.revision, (SELECT count(*)
                FROM team_member tm WHERE tm.organization_id = t.organization_id AND tm.team_id = t.id) AS members
            FROM team t WHERE t.organization_id = :organization AND t.deleted_at IS NULL""";

    @SqlQuery(TEAM + " AND t.id = :id")
    Optional<Team> find(OrganizationId organization, int id);

    @SqlQuery(TEAM + " AND t.id = :id FOR NO KEY UPDATE OF t")
    Optional<Team> lock(OrganizationId organization, int id);

    /** Prevents a concurrent deletion. */
    @SqlQuery(TEAM + " AND t.id = :id FOR SHARE OF t")
    Optional<Team> keep(OrganizationId organization, int id);

    /** @param after 0 for the first page */
    @SqlQuery(TEAM + " AND t.id > :after ORDER BY t.id LIMIT :limit")
    List<Team> list(OrganizationId organization, int after, int limit);

    @SqlQuery("SELECT id FROM team WHERE organization_id = :organization AND deleted_at IS NULL")
    Set<Integer> ids(OrganizationId organization);

    @SqlQuery("""
            SELECT tm.team_id FROM team_member tm
            JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
            WHERE tm.organization_id = :organization AND tm.user_id = :user AND t.deleted_at IS NULL""")
    Set<Integer> ofUser(OrganizationId organization, UserId user);

    @SqlUpdate("""
            INSERT INTO team (organization_id, id, name, created_at, updated_at)
            VALUES (:organization, :id, :name, :now, :now)""")
    void insert(OrganizationId organization, int id, String name, Instant now);

    @SqlUpdate("""
            UPDATE team SET name = :name, revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void rename(OrganizationId organization, int id, String name, String by, Instant now);

    @SqlUpdate("""
            UPDATE team SET deleted_at = :now WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""")
    boolean delete(OrganizationId organization, int id, Instant now);

    @SqlUpdate("DELETE FROM team_member WHERE organization_id = :organization AND team_id = :id")
    void deleteMembers(OrganizationId organization, int id);

    @SqlQuery("SELECT " + MemberStore.COLUMNS + """
             FROM team_member tm
            JOIN membership m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
            JOIN app_user u ON u.id = m.user_id
            WHERE tm.organization_id = :organization AND tm.team_id = :id
              AND (:after::uuid IS NULL OR tm.user_id > :after::uuid)
            ORDER BY tm.user_id LIMIT :limit""")
    List<Member> members(OrganizationId organization, int id, Optional<UserId> after, int limit);

    /** Adds a member of the organization; false for others, and if the team has the member. */
    @SqlUpdate("""
            INSERT INTO team_member (organization_id, team_id, user_id)
            SELECT organization_id, :id, user_id FROM membership
            WHERE organization_id = :organization AND user_id = :user
            FOR KEY SHARE
            ON CONFLICT DO NOTHING""")
    boolean addMember(OrganizationId organization, int id, UserId user);

    @SqlUpdate("UPDATE team_member SET user_id = :to WHERE organization_id = :organization AND user_id = :from")
    void moveMember(OrganizationId organization, UserId from, UserId to);

    @SqlQuery("""
            SELECT EXISTS (SELECT FROM team_member
            WHERE organization_id = :organization AND team_id = :id AND user_id = :user)""")
    boolean hasMember(OrganizationId organization, int id, UserId user);

    @SqlUpdate("""
            DELETE FROM team_member WHERE organization_id = :organization AND team_id = :id AND user_id = :user""")
    boolean removeMember(OrganizationId organization, int id, UserId user);
}
