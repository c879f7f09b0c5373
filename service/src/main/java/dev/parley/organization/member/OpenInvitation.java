package dev.parley.organization.member;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An invitation that can be accepted.
 *
 * @param user the unproven account that represents the invited person
 */
@Schema(name = "InvitationView")
public record OpenInvitation(
        OrganizationId organizationId,
        @Schema(examples = "Acme") String organizationName,
        @JsonIgnore UserId user,
        @Schema(examples = "ada@acme.example") String email,

        @Schema(enumeration = {"owner", "admin", "member"}) String role,

        @Schema(description = "Name of the person who invites", examples = "Grace") @Nullable
        String invitedBy,

        @Schema(
                description = "Whether the address has an account, which must accept while signed in; otherwise the "
                        + "person chooses a password")
        boolean hasAccount,

        @Schema(
                description = "Whether the link was mailed, so that accepting proves the address; unproven accounts of "
                        + "the address are then deleted")
        boolean mailed,

        Instant expiresAt) {}
