package dev.parley.organization;

import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An invitation that can be accepted.
 *
 * @param user the unproven account that represents the invited person
 * @param invitedBy the name of the person who invites; null if that account was deleted
 * @param mailed whether only the owner of the address has seen the token, so that accepting proves the address
 * @param hasAccount whether the address has a proven account that can sign in, which alone may accept
 */
record OpenInvitation(
        OrganizationId organization,
        String organizationName,
        UserId user,
        String email,
        String role,
        @Nullable String invitedBy,
        boolean mailed,
        boolean hasAccount,
        Instant expiresAt) {}
