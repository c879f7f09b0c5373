package dev.parley.organization.account;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The statements of {@link StoredAddresses}. Users may be of several organizations. */
interface StoredAddressStore {
    String ACCOUNTS = """
            SELECT u.id, u.email, u.proven_at IS NOT NULL AS proven, u.organization_id AS organization,
                EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id) AS has_identity
            FROM app_user u WHERE\s""";

    /** @param organization to which an unproven account belongs */
    record StoredAccount(
            UserId id, String email, boolean proven, boolean hasIdentity, Optional<OrganizationId> organization) {}

    /** The accounts whose addresses are not in ASCII, proven ones first. */
    @SqlQuery("SELECT id FROM app_user WHERE octet_length(email) > length(email) ORDER BY proven_at IS NULL, id")
    List<UserId> unconverted();

    @SqlQuery(ACCOUNTS + "u.id = :user")
    Optional<StoredAccount> find(UserId user);

    /** The accounts of the address that cannot exist beside this one, proven ones first. */
    @SqlQuery(ACCOUNTS + """
            u.email = :address AND (
                (:proven AND u.proven_at IS NOT NULL)
                OR u.organization_id = :organization::uuid
                OR EXISTS (SELECT FROM membership a JOIN membership b USING (organization_id)
                    WHERE a.user_id = u.id AND b.user_id = :id))
            ORDER BY u.proven_at IS NULL, u.id""")
    List<StoredAccount> others(@BindMethods StoredAccount account, String address);

    @SqlUpdate("UPDATE app_user SET email = :email WHERE id = :user")
    void changeEmail(UserId user, String email);

    /** Of two roles in an organization, the higher one stays; an open invitation's is ignored. */
    @SqlUpdate("""
            UPDATE membership t SET role = f.role FROM membership f, app_user u
            WHERE t.user_id = :to AND f.user_id = :from AND f.organization_id = t.organization_id
              AND u.id = f.user_id AND (u.password_hash IS NOT NULL OR u.proven_at IS NOT NULL)
              AND array_position(ARRAY['owner', 'admin', 'member'], f.role)
                < array_position(ARRAY['owner', 'admin', 'member'], t.role)""")
    void raiseRoles(UserId from, UserId to);

    @SqlUpdate("""
            INSERT INTO membership (organization_id, user_id, role, created_at)
            SELECT organization_id, :to, role, created_at FROM membership WHERE user_id = :from
            ON CONFLICT DO NOTHING""")
    void copyMemberships(UserId from, UserId to);

    @SqlUpdate("""
            INSERT INTO team_member (organization_id, team_id, user_id)
            SELECT organization_id, team_id, :to FROM team_member WHERE user_id = :from
            ON CONFLICT DO NOTHING""")
    void copyTeams(UserId from, UserId to);

    @SqlUpdate("UPDATE user_identity SET user_id = :to WHERE user_id = :from")
    void moveIdentities(UserId from, UserId to);

    /**
     * Of two passwords the newer account's stays, with which the user can sign in, unless it is that of an unproven
     * account and the remaining account is proven.
     */
    @SqlUpdate("""
            UPDATE app_user t SET operator = t.operator OR f.operator,
                password_hash = CASE WHEN (f.proven_at IS NULL) = (t.proven_at IS NULL)
                    THEN coalesce(f.password_hash, t.password_hash) ELSE t.password_hash END
            FROM app_user f WHERE t.id = :to AND f.id = :from""")
    void mergeAccount(UserId from, UserId to);
}
