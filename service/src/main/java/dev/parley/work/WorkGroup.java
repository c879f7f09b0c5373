package dev.parley.work;

import dev.parley.id.OrganizationId;

/**
 * Keys that share limits and take turns with other groups.
 *
 * @param name distinguishes the groups of an organization, for example the origin of a webhook's receiver
 */
public record WorkGroup(OrganizationId organization, String name) {
    /** The only group of an organization. */
    public static WorkGroup of(OrganizationId organization) {
        return new WorkGroup(organization, "");
    }
}
