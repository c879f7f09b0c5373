package dev.parley.organization;

import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.Access.Caller;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.access.OrganizationMember;
import dev.parley.http.access.Routes;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

/** Checks that the signed-in user has the role that a route's {@link Access} demands, before the body is read. */
@Singleton
public final class AccessFilter {
    private final OrganizationAccess access;

    AccessFilter(OrganizationAccess access) {
        this.access = access;
    }

    @ServerRequestFilter(priority = Priorities.USER + 1)
    public void check(RoutingContext request, ResourceInfo resource, UriInfo uri) {
        Caller caller = Routes.caller(resource.getResourceClass(), resource.getResourceMethod());
        Role role = role(caller);
        if (role != null) {
            OrganizationId organization = RequestValidator.pathId(
                    uri.getPathParameters().getFirst("orgId"), "organization", OrganizationId::parse);
            DashboardUser user = DashboardUser.of(request);
            request.put(MemberRequest.ROLE, access.require(user, organization, role));
            new OrganizationMember(organization, user).attach(request);
        } else if (caller == Caller.OPERATOR && !DashboardUser.of(request).operator()) {
            throw operatorsOnly();
        }
    }

    static ApiProblem operatorsOnly() {
        return ApiProblem.of(ProblemKind.FORBIDDEN, "Only an operator of the installation may do this.");
    }

    private static @Nullable Role role(@Nullable Caller caller) {
        return switch (caller) {
            case MEMBER -> Role.MEMBER;
            case ADMIN -> Role.ADMIN;
            case OWNER -> Role.OWNER;
            case OPEN, KEY, USER, OPERATOR -> null;
            case null -> null;
        };
    }
}
