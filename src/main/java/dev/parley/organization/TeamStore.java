package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.SqlFailure;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;

/** The tables {@code team} and {@code team_member}. Deleted teams are never returned. */
@Singleton
public final class TeamStore {
    private static final String COLUMNS = """
            t.id, t.name, t.created_at, t.updated_at, t.updated_by, t.revision, (SELECT count(*) FROM team_member tm
            WHERE tm.organization_id = t.organization_id AND tm.team_id = t.id) AS members""";

    private final Database database;
    private final Clock clock;

    public TeamStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Creates a team; a duplicate name is a 409. */
    public Team create(OrganizationId organization, String name) {
        return withUniqueName(() -> database.transaction(handle -> create(handle, organization, name)));
    }

    Optional<Team> find(OrganizationId organization, int id) {
        return database.with(handle -> find(handle, organization, id));
    }

    /** Renames a team; a duplicate name is a 409, another revision a 412. */
    Team rename(OrganizationId organization, int id, String name, String by, IfMatch ifMatch) {
        return withUniqueName(() -> database.transaction(handle -> {
            lock(handle, organization, id, "FOR NO KEY UPDATE");
            Team before = find(handle, organization, id).orElseThrow();
            ifMatch.require(before.revision(), before.updatedBy(), before.updatedAt());
            if (name.equals(before.name())) {
                return before;
            }
            handle.createUpdate("""
                            UPDATE team SET name = :name, revision = revision + 1, updated_by = :by, updated_at = :now
                            WHERE organization_id = :organization AND id = :id""")
                    .bind("name", name)
                    .bind("by", by)
                    .bind("now", clock.instant())
                    .bind("organization", organization)
                    .bind("id", id)
                    .execute();
            return find(handle, organization, id).orElseThrow();
        }));
    }

    private static Team withUniqueName(Supplier<Team> change) {
        try {
            return change.get();
        } catch (JdbiException e) {
            if (SqlFailure.isUniqueViolation(e)) {
                throw ApiProblem.of(ProblemKind.CONFLICT, "Another team has this name.");
            }
            throw e;
        }
    }

    /** Same within a transaction; a duplicate name fails it. */
    public Team create(Handle handle, OrganizationId organization, String name) {
        int id = OrganizationCounters.next(handle, organization, "team");
        handle.createUpdate("""
                        INSERT INTO team (organization_id, id, name, created_at, updated_at)
                        VALUES (:organization, :id, :name, :now, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", name)
                .bind("now", clock.instant())
                .execute();
        return find(handle, organization, id).orElseThrow();
    }

    public List<Team> list(OrganizationId organization, Optional<Integer> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM team t
                        WHERE t.organization_id = :organization AND t.deleted_at IS NULL AND t.id > :after
                        ORDER BY t.id LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after.orElse(0))
                .bind("limit", limit)
                .mapTo(Team.class)
                .list());
    }

    /** Deletes a team and its memberships; its API keys stop working. */
    public void delete(OrganizationId organization, int id) {
        database.change(handle -> {
            int deleted = handle.createUpdate("""
                            UPDATE team SET deleted_at = :now
                            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("now", clock.instant())
                    .execute();
            if (deleted == 0) {
                throw ApiProblem.notFound("team");
            }
            handle.createUpdate("DELETE FROM team_member WHERE organization_id = :organization AND team_id = :id")
                    .bind("organization", organization)
                    .bind("id", id)
                    .execute();
        });
    }

    public List<Member> members(OrganizationId organization, int id, Optional<UserId> after, int limit) {
        return database.with(handle -> {
            if (find(handle, organization, id).isEmpty()) {
                throw ApiProblem.notFound("team");
            }
            return handle.createQuery("""
                            SELECT %s FROM team_member tm
                            JOIN membership m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
                            JOIN app_user u ON u.id = m.user_id
                            WHERE tm.organization_id = :organization AND tm.team_id = :id
                              AND (:after::uuid IS NULL OR tm.user_id > :after::uuid)
                            ORDER BY tm.user_id LIMIT :limit""".formatted(MemberStore.COLUMNS))
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("after", after)
                    .bind("limit", limit)
                    .mapTo(Member.class)
                    .list();
        });
    }

    /** Adds a member of the organization to a team; idempotent. */
    public void addMember(OrganizationId organization, int id, UserId user) {
        database.change(handle -> addMember(handle, organization, id, user));
    }

    /** Same within a transaction. */
    public void addMember(Handle handle, OrganizationId organization, int id, UserId user) {
        // The lock prevents a concurrent deletion of the team, which would keep this member forever.
        lock(handle, organization, id, "FOR SHARE");
        int added = handle.createUpdate("""
                            INSERT INTO team_member (organization_id, team_id, user_id)
                            SELECT organization_id, :id, user_id FROM membership
                            WHERE organization_id = :organization AND user_id = :user
                            FOR KEY SHARE
                            ON CONFLICT DO NOTHING""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("user", user)
                .execute();
        if (added == 0 && !isMember(handle, organization, id, user)) {
            throw ApiProblem.notFound("member");
        }
    }

    /** Removes a user from a team; 404 for users who are not in it. */
    public void removeMember(OrganizationId organization, int id, UserId user) {
        database.change(handle -> {
            lock(handle, organization, id, "FOR SHARE");
            int removed = handle.createUpdate("""
                            DELETE FROM team_member
                            WHERE organization_id = :organization AND team_id = :id AND user_id = :user""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("user", user)
                    .execute();
            if (removed == 0) {
                throw ApiProblem.notFound("member");
            }
        });
    }

    private static void lock(Handle handle, OrganizationId organization, int id, String strength) {
        Optional<Integer> found = handle.createQuery("""
                        SELECT id FROM team
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL\s""" + strength)
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne();
        if (found.isEmpty()) {
            throw ApiProblem.notFound("team");
        }
    }

    private static boolean isMember(Handle handle, OrganizationId organization, int id, UserId user) {
        return handle.createQuery("""
                        SELECT user_id FROM team_member
                        WHERE organization_id = :organization AND team_id = :id AND user_id = :user""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("user", user)
                .mapTo(UUID.class)
                .findOne()
                .isPresent();
    }

    static boolean exists(Handle handle, OrganizationId organization, int id) {
        return find(handle, organization, id).isPresent();
    }

    private static Optional<Team> find(Handle handle, OrganizationId organization, int id) {
        return handle.createQuery("""
                        SELECT %s FROM team t
                        WHERE t.organization_id = :organization AND t.id = :id
                          AND t.deleted_at IS NULL""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Team.class)
                .findOne();
    }
}
