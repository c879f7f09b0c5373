package dev.parley.http;

import dev.parley.id.OrganizationId;

/** A dashboard user in an organization of which the user is a member. */
public record OrganizationMember(OrganizationId organization, DashboardUser user) implements Viewer {
    @Override
    public String createdBy() {
        return user.createdBy();
    }
}
