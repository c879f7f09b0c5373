package dev.parley.organization;

import dev.parley.id.UserId;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A person in an organization. */
@Schema(name = "Member")
public record Member(
        UserId id,
        @Schema(examples = "ada@acme.example") String email,
        @Schema(examples = "Ada") String name,

        @Schema(enumeration = {"owner", "admin", "member"}) String role,

        @Schema(
                description = "`invited` until the person has chosen a password or signed in by OpenID Connect",
                enumeration = {"active", "invited"})
        String status,

        @Schema(
                description = "Whether the person has proven the email address, by a mailed invitation or OpenID "
                        + "Connect. An account with an unproven address belongs to this organization alone, and is "
                        + "deleted when another person proves the address.")
        boolean emailProven,

        Instant createdAt,

        @Schema(
                description = "Time of the last request to this organization in the dashboard, to the minute",
                nullable = true)
        @Nullable
        Instant lastSeenAt,

        @Schema(description = "When the person's invitation expires, also if it has expired", nullable = true) @Nullable
        Instant invitationExpiresAt,

        @Schema(description = "The name of the person who invited last", examples = "Grace", nullable = true) @Nullable
        String invitedBy,

        @Schema(description = "Whether the email with the person's invitation could not be delivered")
        boolean invitationFailed,

        @Schema(description = "Ids of the person's teams", examples = "[3]")
        List<Integer> teamIds) {
    public Member {
        teamIds = List.copyOf(teamIds);
    }
}
