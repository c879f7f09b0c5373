package dev.parley.mail;

import dev.parley.id.NodeId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mail that this node sends.
 *
 * @param owner the id of this node that fences its writes
 * @param attempt counts from 1
 */
record OutgoingMail(
        MailKey key,
        NodeId owner,
        int attempt,
        String to,
        String subject,
        String text,
        @Nullable String html,
        Instant createdAt) {
    @Override
    public String toString() {
        return "OutgoingMail[" + key.id() + ", attempt " + attempt + "]";
    }
}
