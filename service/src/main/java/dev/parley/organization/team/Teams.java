package dev.parley.organization.team;

import dev.parley.db.Database;
import dev.parley.db.SqlFailure;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.organization.Team;
import dev.parley.organization.TeamStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.function.Supplier;
import org.jdbi.v3.core.JdbiException;

/** Changes teams and their members. */
@Singleton
public final class Teams {
    private final Database database;
    private final TeamStore store;
    private final OrganizationCounters counters;
    private final Clock clock;

    public Teams(Database database, Clock clock) {
        this.database = database;
        this.store = database.statements(TeamStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.clock = clock;
    }

    /** Creates a team; a duplicate name is a 409. */
    public Team create(OrganizationId organization, String name) {
        return withUniqueName(() -> database.transaction(() -> {
            int id = counters.next(organization, "team");
            store.insert(organization, id, name, clock.instant());
            return store.find(organization, id).orElseThrow();
        }));
    }

    /** Renames a team; a duplicate name is a 409, another revision a 412. */
    Team rename(OrganizationId organization, int id, String name, String by, IfMatch ifMatch) {
        return withUniqueName(() -> database.transaction(() -> {
            Team before = store.lock(organization, id).orElseThrow(Teams::noTeam);
            ifMatch.require(before.revision(), before.updatedBy(), before.updatedAt());
            if (name.equals(before.name())) {
                return before;
            }
            store.rename(organization, id, name, by, clock.instant());
            return store.find(organization, id).orElseThrow();
        }));
    }

    private static Team withUniqueName(Supplier<Team> change) {
        try {
            return change.get();
        } catch (JdbiException e) {
            if (SqlFailure.isUniqueViolation(e)) {
                throw ApiProblem.of(ProblemKind.NAME_TAKEN, "Another team has this name.");
            }
            throw e;
        }
    }

    /** Deletes a team and its memberships; its API keys stop working. */
    public void delete(OrganizationId organization, int id) {
        database.change(_ -> {
            if (!store.delete(organization, id, clock.instant())) {
                throw noTeam();
            }
            store.deleteMembers(organization, id);
        });
    }

    /** Adds a member of the organization to a team; idempotent. */
    public void addMember(OrganizationId organization, int id, UserId user) {
        database.change(_ -> {
            keep(organization, id);
            if (!store.addMember(organization, id, user) && !store.hasMember(organization, id, user)) {
                throw ApiProblem.notFound("member");
            }
        });
    }

    /** Removes a user from a team; 404 for users who are not in it. */
    public void removeMember(OrganizationId organization, int id, UserId user) {
        database.change(_ -> {
            keep(organization, id);
            if (!store.removeMember(organization, id, user)) {
                throw ApiProblem.notFound("member");
            }
        });
    }

    private void keep(OrganizationId organization, int id) {
        if (store.keep(organization, id).isEmpty()) {
            throw noTeam();
        }
    }

    static ApiProblem noTeam() {
        return ApiProblem.notFound("team");
    }
}
