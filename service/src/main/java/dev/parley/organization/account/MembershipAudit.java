package dev.parley.organization.account;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;

/**
 * Logs changes of membership that no admin made in the organization's audit log, within the transaction of the change.
 */
public interface MembershipAudit {
    /** The change; {@link #action} is its name in the audit log. */
    enum MembershipChange {
        /** The person accepted the organization's invitation. */
        ACCEPTED("invitations.accept"),
        /** The person registered by OpenID Connect. */
        REGISTERED("members.register"),
        /** An unproven account lost its membership because another person proved its address. */
        REPLACED("members.replace"),
        /** The person set a new password by a reset link. */
        PASSWORD_RESET("members.reset-password");

        private final String action;

        MembershipChange(String action) {
            this.action = action;
        }

        public String action() {
            return action;
        }
    }

    void record(OrganizationId organization, MembershipChange change, UserId user, String email);
}
