package dev.parley.http.access;

import dev.parley.id.OrganizationId;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** A dashboard user who is a member of the organization. */
public record OrganizationMember(OrganizationId organization, DashboardUser user) implements Viewer {
    static final String ATTRIBUTE = "parley.member";

    public void attach(RoutingContext request) {
        request.put(ATTRIBUTE, this);
    }

    /** Empty if the route belongs to no organization, or before access was checked. */
    public static Optional<OrganizationMember> find(RoutingContext request) {
        return Optional.ofNullable(request.get(ATTRIBUTE));
    }

    @Override
    public String createdBy() {
        return user.createdBy();
    }
}
