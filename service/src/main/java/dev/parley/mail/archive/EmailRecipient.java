package dev.parley.mail.archive;

import dev.parley.id.MailId;
import dev.parley.mail.MailState;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A recipient of an email and the state of their mail.
 *
 * @param nextAttemptAt null unless PENDING
 */
@Schema(name = "EmailRecipient")
public record EmailRecipient(
        @Schema(description = "Id of this recipient's mail, to send it again")
        MailId id,

        @Schema(examples = "ada@acme.example") String to,

        MailState state,

        @Schema(description = "Number of attempts to send it, including one in progress")
        int attempts,

        @Schema(description = "Why the last attempt failed") @Nullable
        String error,

        @Schema(description = "Time of the next attempt, while PENDING") @Nullable
        Instant nextAttemptAt,

        @Nullable Instant sentAt) {}
