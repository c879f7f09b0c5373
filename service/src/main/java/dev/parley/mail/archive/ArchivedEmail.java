package dev.parley.mail.archive;

import dev.parley.id.MailId;
import dev.parley.mail.MailState;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A mail to one recipient.
 *
 * @param change identifies the announced change; one mail is sent per change and recipient
 * @param error why the last attempt failed
 * @param nextAttemptAt null unless PENDING
 */
@Schema(name = "Email", description = "An email to one recipient.")
public record ArchivedEmail(
        MailId id,

        @Schema(enumeration = {"ticket", "reminder", "invitation", "tool"})
        String kind,

        @Schema(examples = "ada@acme.example") String to,

        String subject,
        MailState state,

        @Schema(description = "Number of attempts to send it, including one in progress")
        int attempts,

        @Schema(description = "Why the last attempt failed") @Nullable
        String error,

        String change,
        Instant createdAt,

        @Schema(description = "Time of the next attempt, while PENDING") @Nullable
        Instant nextAttemptAt,

        @Nullable Instant sentAt) {}
