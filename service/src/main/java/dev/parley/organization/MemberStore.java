package dev.parley.organization;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code membership}. */
public interface MemberStore {
    /** Can sign in: by a password, or by an identity at the OpenID provider. */
    String CAN_SIGN_IN = "(u.password_hash IS NOT NULL OR EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id))";

    String STATUS = "CASE WHEN " + CAN_SIGN_IN + " THEN 'active' ELSE 'invited' END";

    String COLUMNS = "u.id, u.email, u.name, m.role, " + STATUS + """
             AS status, u.proven_at IS NOT NULL AS email_proven, m.created_at, m.last_seen_at,
            (SELECT v.expires_at FROM invitation v
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invitation_expires_at,
            (SELECT b.name FROM invitation v JOIN app_user b ON b.id = v.invited_by
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invited_by,
            EXISTS (SELECT FROM invitation v JOIN mail n ON n.organization_id = v.organization_id
                    AND n.state = 'FAILED' AND n.kind = 'INVITATION' AND n.recipient = u.email
                    AND n.created_at >= v.expires_at - interval '7 days'
                WHERE v.organization_id = m.organization_id AND v.user_id = m.user_id) AS invitation_failed,
            ARRAY(SELECT tm.team_id FROM team_member tm
                WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id ORDER BY tm.team_id) AS team_ids""";

    String MEMBER = "SELECT " + COLUMNS + """
             FROM membership m JOIN app_user u ON u.id = m.user_id
            WHERE m.organization_id = :organization\s""";

    /** A member's role, and the last request to the organization. */
    record SeenMember(String role, @Nullable Instant lastSeenAt) {}

    /**
     * Members by the creation time of their account.
     *
     * @param status only members with this status
     * @param search part of the name or email address, in any case; empty for all
     */
    @SqlQuery(MEMBER + """
              AND (:after::uuid IS NULL OR m.user_id > :after::uuid)
              AND (:search = '' OR strpos(lower(u.name), lower(:search)) > 0 OR strpos(u.email, lower(:search)) > 0)
              AND (:status::text IS NULL OR\s""" + STATUS + """
             = :status::text)
            ORDER BY m.user_id LIMIT :limit""")
    List<Member> list(
            OrganizationId organization, Optional<String> status, String search, Optional<UserId> after, int limit);

    @SqlQuery(MEMBER + "AND m.user_id = :user")
    Optional<Member> find(OrganizationId organization, UserId user);

    /** @param email normalized */
    @SqlQuery(MEMBER + "AND u.email = :email")
    Optional<Member> findByEmail(OrganizationId organization, String email);

    /** Of an organization that is not deleted. */
    @SqlQuery("""
            SELECT m.role, m.last_seen_at FROM membership m JOIN organization o ON o.id = m.organization_id
            WHERE m.organization_id = :organization AND m.user_id = :user AND o.deleted_at IS NULL""")
    Optional<SeenMember> seen(OrganizationId organization, UserId user);

    @SqlUpdate("UPDATE membership SET last_seen_at = :now WHERE organization_id = :organization AND user_id = :user")
    void see(OrganizationId organization, UserId user, Instant now);

    @SqlQuery("SELECT user_id FROM membership WHERE organization_id = :organization")
    Set<UserId> users(OrganizationId organization);

    @SqlUpdate("""
            INSERT INTO membership (organization_id, user_id, role, created_at)
            VALUES (:organization, :user, :role, :now)""")
    void insert(OrganizationId organization, UserId user, String role, Instant now);

    @SqlUpdate("UPDATE membership SET role = :role WHERE organization_id = :organization AND user_id = :user")
    void changeRole(OrganizationId organization, UserId user, String role);

    @SqlUpdate("DELETE FROM membership WHERE organization_id = :organization AND user_id = :user")
    void delete(OrganizationId organization, UserId user);

    @SqlUpdate("""
            DELETE FROM team_member
            WHERE organization_id = :organization AND user_id = :user AND team_id <> ALL (:teams)""")
    void leaveOtherTeams(OrganizationId organization, UserId user, List<Integer> teams);

    /** Gives another account the same role, and nothing else. */
    @SqlUpdate("""
            INSERT INTO membership (organization_id, user_id, role, created_at)
            SELECT organization_id, :to, role, created_at FROM membership
            WHERE organization_id = :organization AND user_id = :from""")
    void copy(OrganizationId organization, UserId from, UserId to);

    /** Of all organizations; false if the user had none. */
    @SqlUpdate("DELETE FROM membership WHERE user_id = :user")
    boolean deleteAll(UserId user);

    @SqlQuery("""
            SELECT EXISTS (SELECT FROM membership m JOIN app_user u ON u.id = m.user_id
            WHERE m.organization_id = :organization AND m.role = 'owner' AND\s""" + CAN_SIGN_IN + ")")
    boolean hasOwner(OrganizationId organization);

    @SqlQuery("SELECT EXISTS (SELECT FROM organization WHERE id = :organization AND deleted_at IS NULL)")
    boolean exists(OrganizationId organization);

    /** The existing organizations of a user. */
    @SqlQuery("""
            SELECT m.organization_id FROM membership m JOIN organization o ON o.id = m.organization_id
            WHERE m.user_id = :user AND o.deleted_at IS NULL ORDER BY m.organization_id""")
    List<OrganizationId> organizationsOf(UserId user);
}
