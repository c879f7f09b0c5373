package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.ApiKeyCaller;
import dev.parley.http.DashboardUser;
import dev.parley.http.OrganizationMember;
import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Access control for organizations, called first by every feature under {@code /dashboard/api/organizations/{orgId}}.
 * Non-members get 404.
 */
@Singleton
public final class OrganizationAccess {
    private static final Duration LAST_SEEN_PRECISION = Duration.ofMinutes(1);

    private final Database database;
    private final Clock clock;

    private record SeenMember(Role role, @Nullable Instant lastSeenAt) {}

    OrganizationAccess(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Resolves the viewer of a route that both APIs have: a member if the path names an organization, else an API key. */
    public Viewer viewer(RoutingContext request, UriInfo uri) {
        String pathId = uri.getPathParameters().getFirst("orgId");
        if (pathId == null) {
            return ApiKeyCaller.of(request);
        }
        DashboardUser user = DashboardUser.of(request);
        return new OrganizationMember(require(user, pathId, Role.MEMBER), user);
    }

    /**
     * Parses the organization's id and checks the user's role: 404 for non-members or a malformed id, 403 for a member
     * without the role.
     */
    public OrganizationId require(DashboardUser person, String pathId, Role atLeast) {
        OrganizationId organization = RequestValidator.pathId(pathId, "organization", OrganizationId::parse);
        require(person, organization, atLeast);
        return organization;
    }

    /** Same, and returns the user's role. Records when the member was last seen. */
    public Role require(DashboardUser person, OrganizationId organization, Role atLeast) {
        SeenMember member = find(organization, person.id()).orElseThrow(() -> ApiProblem.notFound("organization"));
        Role role = member.role();
        recordSeen(organization, person.id(), member.lastSeenAt());
        MDC.put("organizationId", organization.text());
        if (!role.isAtLeast(atLeast)) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    atLeast == Role.OWNER ? "Only owners can do this." : "Only owners and admins can do this.");
        }
        return role;
    }

    private void recordSeen(OrganizationId organization, UserId user, @Nullable Instant before) {
        Instant now = clock.instant();
        if (before == null || before.plus(LAST_SEEN_PRECISION).isBefore(now)) {
            database.change(handle -> handle.createUpdate("""
                            UPDATE membership SET last_seen_at = :now
                            WHERE organization_id = :organization AND user_id = :user""")
                    .bind("now", now)
                    .bind("organization", organization)
                    .bind("user", user)
                    .execute());
        }
    }

    /** The user's role; empty for non-members or a deleted organization. */
    public Optional<Role> role(OrganizationId organization, UserId user) {
        return find(organization, user).map(SeenMember::role);
    }

    private Optional<SeenMember> find(OrganizationId organization, UserId user) {
        return database.with(handle -> handle.createQuery("""
                        SELECT m.role, m.last_seen_at FROM membership m JOIN organization o ON o.id = m.organization_id
                        WHERE m.organization_id = :organization AND m.user_id = :user AND o.deleted_at IS NULL""")
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(SeenMember.class)
                .findOne());
    }

    public boolean isMember(OrganizationId organization, UserId user) {
        return role(organization, user).isPresent();
    }

    public boolean teamExists(OrganizationId organization, int team) {
        return database.with(handle -> handle.createQuery("""
                        SELECT EXISTS (SELECT FROM team
                        WHERE organization_id = :organization AND id = :team AND deleted_at IS NULL)""")
                .bind("organization", organization)
                .bind("team", team)
                .mapTo(Boolean.class)
                .one());
    }

    /** The teams of a user. */
    public Set<Integer> teamsOf(OrganizationId organization, UserId user) {
        return Set.copyOf(database.with(handle -> handle.createQuery("""
                        SELECT tm.team_id FROM team_member tm
                        JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
                        WHERE tm.organization_id = :organization AND tm.user_id = :user AND t.deleted_at IS NULL""")
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(Integer.class)
                .list()));
    }

    /** All members, who may be assigned tickets. */
    public Set<UserId> users(OrganizationId organization) {
        return database.with(
                handle -> handle.createQuery("SELECT user_id FROM membership WHERE organization_id = :organization")
                        .bind("organization", organization)
                        .mapTo(UserId.class)
                        .collect(Collectors.toSet()));
    }

    /** The ids of all teams of the organization. */
    public Set<Integer> teams(OrganizationId organization) {
        return database.with(handle -> handle.createQuery(
                        "SELECT id FROM team WHERE organization_id = :organization AND deleted_at IS NULL")
                .bind("organization", organization)
                .mapTo(Integer.class)
                .collect(Collectors.toSet()));
    }
}
