package dev.parley.mail;

import dev.parley.db.Database;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/** The table {@code mail} as an organization's admins read it; each page is read from index ranges. */
@Singleton
public final class MailArchive {
    private static final UUID END = new UUID(-1, -1);
    private static final String COLUMNS = """
            m.id, lower(m.kind COLLATE "C") AS kind, m.recipient AS "to", m.subject, m.state, m.attempts, m.error,
            m.change_id AS change, m.created_at, CASE WHEN m.state = 'PENDING' THEN m.due_at END AS next_attempt_at,
            m.sent_at""";

    private final Database database;

    public MailArchive(Database database) {
        this.database = database;
    }

    /**
     * A mail with its body.
     *
     * @param text null if the body is confidential
     * @param html null if there is none, or the body is confidential
     */
    public record ArchivedContent(
            @Nested EmailSummary mail,
            @Nullable String text,
            @Nullable String html) {}

    /**
     * Mails by descending id, after the cursor.
     *
     * @param states empty for all
     * @param kinds empty for all
     */
    public List<EmailSummary> list(
            OrganizationId organization,
            Set<MailState> states,
            Set<Email.EmailKind> kinds,
            Optional<MailId> after,
            int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM unnest(:states::text[]) AS s (state)
                        CROSS JOIN unnest(:kinds::text[]) AS k (kind)
                        CROSS JOIN LATERAL (
                            SELECT * FROM mail
                            WHERE organization_id = :organization AND state = s.state AND kind = k.kind AND id < :before
                            ORDER BY id DESC LIMIT :limit
                        ) m
                        ORDER BY m.id DESC LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bindArray("states", String.class, names(List.of(MailState.values()), states))
                .bindArray("kinds", String.class, names(Email.EmailKind.listed(), kinds))
                .bind("before", after.map(MailId::value).orElse(END))
                .bind("limit", limit)
                .mapTo(EmailSummary.class)
                .list());
    }

    public Optional<ArchivedContent> find(OrganizationId organization, MailId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s, m.body_text AS text, m.body_html AS html FROM mail m
                        WHERE m.organization_id = :organization AND m.id = :id AND m.kind <> 'PASSWORD_RESET'""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(ArchivedContent.class)
                .findOne());
    }

    private static <E extends Enum<E>> List<String> names(List<E> all, Set<E> wanted) {
        return all.stream()
                .filter(one -> wanted.isEmpty() || wanted.contains(one))
                .map(Enum::name)
                .toList();
    }
}
