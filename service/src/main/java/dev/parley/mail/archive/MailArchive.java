package dev.parley.mail.archive;

import dev.parley.db.Database;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.mail.Email;
import dev.parley.mail.MailState;
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
import org.jspecify.annotations.Nullable;

/** The mails of an organization, as its admins read them. */
@Singleton
public final class MailArchive {
    private static final UUID START = new UUID(0, 0);
    private static final UUID END = new UUID(-1, -1);

    private final MailArchiveStore store;

    public MailArchive(Database database) {
        this.store = database.statements(MailArchiveStore.class);
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

    /** A filter and a cursor, as statements need them. */
    public record MailRange(List<String> states, List<String> kinds, List<String> words, UUID since, UUID before) {
        static MailRange of(MailFilter filter, Optional<MailId> after) {
            return new MailRange(
                    names(List.of(MailState.values()), filter.states),
                    names(Email.EmailKind.listed(), filter.kinds),
                    Arrays.stream(filter.words.toLowerCase(Locale.ROOT).split("\\s+"))
                            .filter(word -> !word.isEmpty())
                            .toList(),
                    filter.since.map(UuidV7::floor).orElse(START),
                    Stream.concat(after.map(MailId::value).stream(), filter.until.map(UuidV7::floor).stream())
                            .min(MailArchive::compareAsStored)
                            .orElse(END));
        }
    }

    /**
     * A mail with its body.
     *
     * @param recipients all who got the mail of this change, by their addresses; at most 500
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
        return store.list(organization, MailRange.of(filter, after), limit);
    }

    /** Newest first, after the cursor; the mails of one change are one item. */
    public List<EmailSummary> summaries(
            OrganizationId organization, MailFilter filter, Optional<MailId> after, int limit) {
        return store.summaries(organization, MailRange.of(filter, after), limit).stream()
                .map(MailArchive::summary)
                .toList();
    }

    /** The number of items in the list of summaries; at most the limit. */
    public int count(OrganizationId organization, MailFilter filter, int limit) {
        return store.count(organization, MailRange.of(filter, Optional.empty()), limit);
    }

    public Optional<ArchivedContent> find(OrganizationId organization, MailId id) {
        return store.find(organization, id)
                .map(found -> new ArchivedContent(
                        found.mail(),
                        store.recipients(organization, found.mail().change()),
                        found.text(),
                        found.html()));
    }

    private static EmailSummary summary(MailArchiveStore.SummaryRow row) {
        Map<MailState, Integer> states = new EnumMap<>(MailState.class);
        row.states().forEach(state -> states.merge(state, 1, Integer::sum));
        return new EmailSummary(
                row.id(), row.kind(), row.subject(), row.to(), states, row.error(), row.change(), row.createdAt());
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
