package dev.parley.mail;

import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mail that this node has claimed.
 *
 * @param attempt counts from 1; fences this node after its lease expired and another node claimed the mail
 */
record OutgoingMail(
        OrganizationId organization,
        MailId id,
        int attempt,
        String to,
        String subject,
        String text,
        @Nullable String html,
        Instant createdAt) {
    @Override
    public String toString() {
        return "OutgoingMail[" + id + ", attempt " + attempt + "]";
    }
}
