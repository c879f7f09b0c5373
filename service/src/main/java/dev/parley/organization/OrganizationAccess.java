package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.access.OrganizationMember;
import dev.parley.http.access.Viewer;
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
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Access control for organizations, called first by every feature under {@code /dashboard/api/organizations/{orgId}}.
 * Non-members get 404.
 */
@Singleton
public final class OrganizationAccess {
    private static final Duration LAST_SEEN_PRECISION = Duration.ofMinutes(1);

    private final MemberStore members;
    private final TeamStore teams;
    private final Clock clock;

    OrganizationAccess(Database database, Clock clock) {
        this.members = database.statements(MemberStore.class);
        this.teams = database.statements(TeamStore.class);
        this.clock = clock;
    }

    /** Resolves the viewer of a route that both APIs have: a member if the path names an organization, else an API key. */
    public Viewer viewer(RoutingContext request, UriInfo uri) {
        String pathId = uri.getPathParameters().getFirst("orgId");
        if (pathId == null) {
            return ApiKeyCaller.of(request);
        }
        OrganizationId organization = RequestValidator.pathId(pathId, "organization", OrganizationId::parse);
        DashboardUser user = DashboardUser.of(request);
        var _ = require(user, organization, Role.MEMBER);
        return new OrganizationMember(organization, user);
    }

    /**
     * Checks the user's role, and returns it: 404 for non-members, 403 for a member without the role. Records when the
     * member was last seen.
     */
    public Role require(DashboardUser user, OrganizationId organization, Role atLeast) {
        MemberStore.SeenMember member =
                members.seen(organization, user.id()).orElseThrow(() -> ApiProblem.notFound("organization"));
        Role role = Role.of(member.role());
        recordSeen(organization, user.id(), member.lastSeenAt());
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
            members.see(organization, user, now);
        }
    }

    /** The user's role; empty for non-members or a deleted organization. */
    public Optional<Role> role(OrganizationId organization, UserId user) {
        return members.seen(organization, user).map(member -> Role.of(member.role()));
    }

    public boolean isMember(OrganizationId organization, UserId user) {
        return role(organization, user).isPresent();
    }

    public boolean teamExists(OrganizationId organization, int team) {
        return teams.find(organization, team).isPresent();
    }

    /** The teams of a user. */
    public Set<Integer> teamsOf(OrganizationId organization, UserId user) {
        return teams.ofUser(organization, user);
    }

    /** All members, who may be assigned tickets. */
    public Set<UserId> users(OrganizationId organization) {
        return members.users(organization);
    }

    /** The ids of all teams of the organization. */
    public Set<Integer> teams(OrganizationId organization) {
        return teams.ids(organization);
    }
}
