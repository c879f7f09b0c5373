package dev.parley.http.access;

import dev.parley.id.OrganizationId;
import io.vertx.ext.web.RoutingContext;

/** A dashboard user who is a member of the organization. */
public record OrganizationMember(OrganizationId organization, DashboardUser user) implements Viewer {
    static final String ATTRIBUTE = "parley.member";

    public void attach(RoutingContext request) {
        request.put(ATTRIBUTE, this);
    }

    @Override
    public String createdBy() {
        return user.createdBy();
    }
}
