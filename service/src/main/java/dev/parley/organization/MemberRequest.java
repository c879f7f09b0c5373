package dev.parley.organization;

import dev.parley.http.access.DashboardUser;
import dev.parley.id.OrganizationId;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;

/** The request of a member, whose role {@link AccessFilter} has checked. */
@SuppressWarnings("NullAway.Init") // The framework sets the fields.
public class MemberRequest {
    static final String ROLE = "parley.role";

    @Context
    RoutingContext http;

    @PathParam("orgId")
    OrganizationId organization;

    public OrganizationId organization() {
        return organization;
    }

    public RoutingContext http() {
        return http;
    }

    public DashboardUser user() {
        return DashboardUser.of(http);
    }

    public Role role() {
        return http.get(ROLE);
    }

    /** The value of {@code created_by} and of histories. */
    public String createdBy() {
        return user().createdBy();
    }
}
