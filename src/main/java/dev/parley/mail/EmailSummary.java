package dev.parley.mail;

import dev.parley.id.MailId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A mail in a list.
 *
 * @param change identifies the announced change; one mail is sent per change and recipient
 * @param error why the last attempt failed
 * @param nextAttemptAt of a PENDING mail
 */
@Schema(name = "Email", description = "An e-mail to one recipient.")
public record EmailSummary(
        MailId id,

        @Schema(enumeration = {"ticket", "reminder", "invitation", "tool"})
        String kind,

        @Schema(examples = "ada@acme.example") String to,

        String subject,
        MailState state,

        @Schema(description = "How often it was handed to the SMTP server, or was about to be")
        int attempts,

        @Schema(description = "Why the last attempt did not succeed") @Nullable
        String error,

        String change,
        Instant createdAt,

        @Schema(description = "Of a PENDING mail") @Nullable Instant nextAttemptAt,

        @Nullable Instant sentAt) {}
