package dev.parley.mail.archive;

import dev.parley.id.MailId;
import dev.parley.mail.MailState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The mails of one change, which differ only in their recipients, in a list. */
@Schema(
        name = "EmailSummary",
        description = "An email to one or more recipients, each of whom gets a mail of their own.")
public record EmailSummary(
        @Schema(description = "Id of one recipient's mail, which reads the email")
        MailId id,

        @Schema(enumeration = {"ticket", "reminder", "invitation", "tool"})
        String kind,

        String subject,

        @Schema(
                description = "Up to three recipients, those that match the filter first",
                examples = "[\"ada@acme.example\"]")
        List<String> to,

        @Schema(description = "Number of recipients by state", examples = "{\"SENT\": 4}")
        Map<MailState, Integer> states,

        @Schema(description = "Why the last attempt failed, for one of the recipients") @Nullable
        String error,

        @Schema(description = "Identifies the announced change")
        String change,

        Instant createdAt) {
    public EmailSummary {
        to = List.copyOf(to);
        states = Collections.unmodifiableMap(new TreeMap<>(states));
    }
}
