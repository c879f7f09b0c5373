package dev.parley.mail.archive;

import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.mail.MailState;
import dev.parley.mail.archive.MailArchive.MailRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jspecify.annotations.Nullable;

/** The table {@code mail} as an organization's admins read it. */
public interface MailArchiveStore {
    String COLUMNS = " " + """
            m.id, lower(m.kind COLLATE "C") AS kind, m.recipient AS "to", m.subject, m.state, m.attempts, m.error,
            m.change_id AS change, m.created_at, CASE WHEN m.state = 'PENDING' THEN m.due_at END AS next_attempt_at,
            m.sent_at
            """;

    /** The ranges of an index, one per state and kind, of which at most 20,000 mails each are searched. */
    String RANGES = " " + """
            FROM unnest(:states::text[]) AS s (state)
            CROSS JOIN unnest(:kinds::text[]) AS k (kind)
            CROSS JOIN LATERAL (
                SELECT * FROM (
                    SELECT * FROM mail
                    WHERE organization_id = :organization AND state = s.state AND kind = k.kind
                        AND id < :before AND id >= :since
                    ORDER BY id DESC LIMIT 20000
                ) e
                WHERE\s""";

    /** Around the alias of a mail: whether it contains every word. */
    String MATCHES = "NOT EXISTS (SELECT FROM unnest(:words::text[]) AS w (word) WHERE strpos(lower(";

    String MATCHES_END = ".subject), w.word) = 0)";
    String MATCHING = MATCHES + "e.recipient || ' ' || e" + MATCHES_END;
    String NEWER_MATCHING = MATCHES + "n.recipient || ' ' || n" + MATCHES_END;
    String RECIPIENT_MATCHING = MATCHES + "b.recipient || ' ' || b" + MATCHES_END;

    /** The newest matching mail of each change. */
    String SUMMARIES = """
            SELECT m.id, lower(m.kind COLLATE "C") AS kind, m.subject, m.change_id AS change, m.created_at, r.*
            FROM (
                SELECT l.*""" + RANGES + MATCHING + """
                     AND NOT EXISTS (
                        SELECT FROM mail n
                        WHERE n.organization_id = :organization AND n.change_id = e.change_id AND n.id > e.id
                            AND n.state = ANY (:states) AND\s""" + NEWER_MATCHING + """
                    )
                    ORDER BY id DESC LIMIT :limit
                ) l
                ORDER BY l.id DESC LIMIT :limit
            ) m CROSS JOIN LATERAL (
                SELECT array_agg(a.state) AS states,
                    (array_agg(a.error ORDER BY a.id) FILTER (WHERE a.error IS NOT NULL))[1] AS error,
                    ARRAY(SELECT b.recipient FROM mail b
                        WHERE b.organization_id = :organization AND b.change_id = m.change_id
                        ORDER BY b.state = ANY (:states) AND\s""" + RECIPIENT_MATCHING + """
                         DESC, b.id LIMIT 3) AS "to"
                FROM mail a WHERE a.organization_id = :organization AND a.change_id = m.change_id
            ) r
            ORDER BY m.id DESC""";

    /** The newest mail of a change, and the states and some of the recipients of all of them. */
    record SummaryRow(
            MailId id,
            String kind,
            String subject,
            List<String> to,
            List<MailState> states,
            @Nullable String error,
            String change,
            Instant createdAt) {}

    /** A mail with its body, unless that is confidential. */
    record MailContent(
            @Nested ArchivedEmail mail,
            @Nullable String text,
            @Nullable String html) {}

    @SqlQuery("SELECT" + COLUMNS + RANGES + MATCHING
            + " ORDER BY id DESC LIMIT :limit) m ORDER BY m.id DESC LIMIT :limit")
    List<ArchivedEmail> list(OrganizationId organization, @BindMethods MailRange range, int limit);

    @SqlQuery(SUMMARIES)
    List<SummaryRow> summaries(OrganizationId organization, @BindMethods MailRange range, int limit);

    /** The changes with a matching mail, up to a limit. */
    @SqlQuery("SELECT count(*) FROM (SELECT DISTINCT l.change_id" + RANGES + MATCHING + ") l LIMIT :limit) m")
    int count(OrganizationId organization, @BindMethods MailRange range, int limit);

    @SqlQuery("SELECT" + COLUMNS + """
            , m.body_text AS text, m.body_html AS html FROM mail m
            WHERE m.organization_id = :organization AND m.id = :id AND m.kind <> 'PASSWORD_RESET'""")
    Optional<MailContent> find(OrganizationId organization, MailId id);

    @SqlQuery("""
            SELECT id, recipient AS "to", state, attempts, error,
                CASE WHEN state = 'PENDING' THEN due_at END AS next_attempt_at, sent_at
            FROM mail WHERE organization_id = :organization AND change_id = :change ORDER BY recipient LIMIT 500""")
    List<EmailRecipient> recipients(OrganizationId organization, String change);
}
