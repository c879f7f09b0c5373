package dev.parley.http;

import dev.parley.id.OrganizationId;

/** A dashboard user who is a member of the organization. */
public record OrganizationMember(OrganizationId organization, DashboardUser user) implements Viewer {
    @Override
    public String createdBy() {
        return user.createdBy();
    }
}
