package dev.parley.mail;

import dev.parley.db.Database;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.result.RowView;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The table {@code mail} as an organization's admins read it. */
@Singleton
public final class MailArchive {
    private static final UUID START = new UUID(0, 0);
    private static final UUID END = new UUID(-1, -1);

    /** The mails of each state and kind that one page searches at most, which bounds its time. */
    private static final int MAX_SEARCHED = 20_000;

    private static final int SHOWN_RECIPIENTS = 3;
    private static final int MAX_RECIPIENTS = 500;

    private static final String COLUMNS = """
            m.id, lower(m.kind COLLATE "C") AS kind, m.recipient AS "to", m.subject, m.state, m.attempts, m.error,
            m.change_id AS change, m.created_at, CASE WHEN m.state = 'PENDING' THEN m.due_at END AS next_attempt_at,
            m.sent_at""";

    private static final String LIST = """
            SELECT %s FROM unnest(:states::text[]) AS s (state)
            CROSS JOIN unnest(:kinds::text[]) AS k (kind)
            CROSS JOIN LATERAL (
                SELECT * FROM (
                    SELECT * FROM mail
                    WHERE organization_id = :organization AND state = s.state AND kind = k.kind
                        AND id < :before AND id >= :since
                    ORDER BY id DESC LIMIT :searched
                ) e
                WHERE %s ORDER BY id DESC LIMIT :limit
            ) m
            ORDER BY m.id DESC LIMIT :limit""".formatted(COLUMNS, matches("e"));

    /** The newest matching mail of each change, from one index range per state and kind. */
    static final String SUMMARIES = """
            SELECT m.id, lower(m.kind COLLATE "C") AS kind, m.subject, m.change_id, m.created_at, r.*
            FROM (
                SELECT l.* FROM unnest(:states::text[]) AS s (state)
                CROSS JOIN unnest(:kinds::text[]) AS k (kind)
                CROSS JOIN LATERAL (
                    SELECT id, kind, subject, change_id, created_at FROM (
                        SELECT * FROM mail
                        WHERE organization_id = :organization AND state = s.state AND kind = k.kind
                            AND id < :before AND id >= :since
                        ORDER BY id DESC LIMIT :searched
                    ) e
                    WHERE %s AND NOT EXISTS (
                        SELECT FROM mail n
                        WHERE n.organization_id = :organization AND n.change_id = e.change_id AND n.id > e.id
                            AND n.state = ANY (:states) AND %s)
                    ORDER BY id DESC LIMIT :limit
                ) l
                ORDER BY l.id DESC LIMIT :limit
            ) m CROSS JOIN LATERAL (
                SELECT array_agg(a.state) AS states,
                    (array_agg(a.error ORDER BY a.id) FILTER (WHERE a.error IS NOT NULL))[1] AS error,
                    ARRAY(SELECT b.recipient FROM mail b
                        WHERE b.organization_id = :organization AND b.change_id = m.change_id
                        ORDER BY b.state = ANY (:states) AND %s DESC, b.id LIMIT %d) AS "to"
                FROM mail a WHERE a.organization_id = :organization AND a.change_id = m.change_id
            ) r
            ORDER BY m.id DESC""".formatted(matches("e"), matches("n"), matches("b"), SHOWN_RECIPIENTS);

    /** The changes with a matching mail, up to a limit. */
    private static final String COUNT = """
            SELECT count(*) FROM (
                SELECT DISTINCT l.change_id FROM unnest(:states::text[]) AS s (state)
                CROSS JOIN unnest(:kinds::text[]) AS k (kind)
                CROSS JOIN LATERAL (
                    SELECT change_id FROM (
                        SELECT * FROM mail
                        WHERE organization_id = :organization AND state = s.state AND kind = k.kind
                            AND id < :before AND id >= :since
                        ORDER BY id DESC LIMIT :searched
                    ) e
                    WHERE %s
                ) l
                LIMIT :limit
            ) m""".formatted(matches("e"));

    private final Database database;

    public MailArchive(Database database) {
        this.database = database;
    }

    /**
     * A filter for lists.
     *
     * @param states empty for all
     * @param kinds empty for all
     * @param words parts of the recipient's address or the subject, separated by space; searched in the newest mails
     */
    public record MailFilter(
            Set<MailState> states,
            Set<Email.EmailKind> kinds,
            String words,
            Optional<Instant> since,
            Optional<Instant> until) {
        public static final MailFilter ALL = new MailFilter(Set.of(), Set.of(), "", Optional.empty(), Optional.empty());
    }

    /**
     * A mail with its body.
     *
     * @param recipients all who got the mail of this change, by their addresses; at most {@link #MAX_RECIPIENTS}
     * @param text null if the body is confidential
     * @param html null if there is none, or the body is confidential
     */
    public record ArchivedContent(
            ArchivedEmail mail,
            List<EmailRecipient> recipients,
            @Nullable String text,
            @Nullable String html) {}

    /** Newest first, after the cursor. */
    public List<ArchivedEmail> list(OrganizationId organization, MailFilter filter, Optional<MailId> after, int limit) {
        return database.with(handle -> bind(handle.createQuery(LIST), organization, filter, after, limit)
                .mapTo(ArchivedEmail.class)
                .list());
    }

    /** Newest first, after the cursor; the mails of one change are one item. */
    public List<EmailSummary> summaries(
            OrganizationId organization, MailFilter filter, Optional<MailId> after, int limit) {
        return database.with(handle -> bind(handle.createQuery(SUMMARIES), organization, filter, after, limit)
                .map(row -> summary(row))
                .list());
    }

    /** The number of items in the list of summaries; at most the limit. */
    public int count(OrganizationId organization, MailFilter filter, int limit) {
        return database.with(handle -> bind(handle.createQuery(COUNT), organization, filter, Optional.empty(), limit)
                .mapTo(Integer.class)
                .one());
    }

    private static Query bind(
            Query query, OrganizationId organization, MailFilter filter, Optional<MailId> after, int limit) {
        UUID before = Stream.concat(after.map(MailId::value).stream(), filter.until.map(UuidV7::floor).stream())
                .min(MailArchive::compareAsStored)
                .orElse(END);
        return query.bind("organization", organization)
                .bindArray("states", String.class, names(List.of(MailState.values()), filter.states))
                .bindArray("kinds", String.class, names(Email.EmailKind.listed(), filter.kinds))
                .bindArray("words", String.class, words(filter.words))
                .bind("since", filter.since.map(UuidV7::floor).orElse(START))
                .bind("before", before)
                .bind("searched", MAX_SEARCHED)
                .bind("limit", limit);
    }

    public Optional<ArchivedContent> find(OrganizationId organization, MailId id) {
        record Found(
                @Nested ArchivedEmail mail,
                @Nullable String text,
                @Nullable String html) {}
        return database.with(handle -> handle.createQuery("""
                        SELECT %s, m.body_text AS text, m.body_html AS html FROM mail m
                        WHERE m.organization_id = :organization AND m.id = :id AND m.kind <> 'PASSWORD_RESET'""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Found.class)
                .findOne()
                .map(found -> new ArchivedContent(
                        found.mail, recipients(handle, organization, found.mail.change()), found.text, found.html)));
    }

    private static List<EmailRecipient> recipients(Handle handle, OrganizationId organization, String change) {
        return handle.createQuery("""
                        SELECT id, recipient AS "to", state, attempts, error,
                            CASE WHEN state = 'PENDING' THEN due_at END AS next_attempt_at, sent_at
                        FROM mail WHERE organization_id = :organization AND change_id = :change
                        ORDER BY recipient LIMIT :limit""")
                .bind("organization", organization)
                .bind("change", change)
                .bind("limit", MAX_RECIPIENTS)
                .mapTo(EmailRecipient.class)
                .list();
    }

    private static EmailSummary summary(RowView row) {
        Map<MailState, Integer> states = new EnumMap<>(MailState.class);
        for (String state : row.getColumn("states", String[].class)) {
            states.merge(MailState.valueOf(state), 1, Integer::sum);
        }
        return new EmailSummary(
                row.getColumn("id", MailId.class),
                row.getColumn("kind", String.class),
                row.getColumn("subject", String.class),
                List.of(row.getColumn("to", String[].class)),
                states,
                row.getColumn("error", String.class),
                row.getColumn("change_id", String.class),
                row.getColumn("created_at", Instant.class));
    }

    /** The condition that a mail contains every word. */
    private static String matches(String mail) {
        return """
                NOT EXISTS (SELECT FROM unnest(:words::text[]) AS w (word)
                    WHERE strpos(lower(%1$s.recipient || ' ' || %1$s.subject), w.word) = 0)""".formatted(mail);
    }

    private static List<String> words(String search) {
        return Arrays.stream(search.toLowerCase(Locale.ROOT).split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** As PostgreSQL orders UUIDs: unsigned. */
    private static int compareAsStored(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    private static <E extends Enum<E>> List<String> names(List<E> all, Set<E> wanted) {
        return all.stream()
                .filter(one -> wanted.isEmpty() || wanted.contains(one))
                .map(Enum::name)
                .toList();
    }
}
