package dev.parley.tool.builtin;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.mail.Email;
import dev.parley.mail.MailAddress;
import dev.parley.mail.MailOutbox;
import dev.parley.settings.Settings;
import dev.parley.tool.BuiltInTool;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolOutcome;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jspecify.annotations.Nullable;

/**
 * {@code email.send}: sends mails through the outbox, one per recipient and idempotency key, however often the task
 * runs. To keep public workflows from relaying spam, recipients must be members of the organization or belong to
 * domains that the operator allows, and an organization sends at most {@link #MAX_EMAILS_PER_HOUR} mails per hour.
 */
@Singleton
public final class EmailTool implements BuiltInTool {
    static final int MAX_EMAILS_PER_HOUR = 200;

    private static final int MAX_RECIPIENTS = 20;
    private static final Duration RATE_LIMIT_RETRY_AFTER = Duration.ofMinutes(10);

    private final Database database;
    private final RecipientStore store;
    private final MailOutbox outbox;
    private final Clock clock;
    private final List<String> domains;

    public EmailTool(Database database, MailOutbox outbox, Clock clock, Settings.Mail settings) {
        this.database = database;
        this.store = database.statements(RecipientStore.class);
        this.outbox = outbox;
        this.clock = clock;
        this.domains = settings.toolDomains();
    }

    /** What decides whether mails may be sent. */
    interface RecipientStore {
        /** The members among these addresses in lower case. */
        @SqlQuery("""
                SELECT u.email FROM app_user u JOIN membership m ON m.user_id = u.id
                WHERE u.email = ANY (:emails) AND m.organization_id = :organization""")
        Set<String> members(OrganizationId organization, List<String> emails);

        /** Mails since then, by the times in their ids, which are indexed. */
        @SqlQuery("""
                SELECT count(*) FROM mail
                WHERE organization_id = :organization AND kind = 'TOOL' AND id > :since
                  AND state = ANY ('{KEPT,PENDING,SENDING,SENT,FAILED,UNCERTAIN}')""")
        int sent(OrganizationId organization, UUID since);
    }

    @Override
    public BuiltInToolId tool() {
        return BuiltInToolId.EMAIL_SEND;
    }

    @Override
    public ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure {
        Set<String> recipients = recipients(call.arguments().get("to"));
        List<Email> mails = recipients.stream()
                .map(to -> new Email(
                        "tool:" + call.idempotencyKey(),
                        Email.EmailKind.TOOL,
                        to,
                        String.valueOf(call.arguments().get("subject")),
                        String.valueOf(call.arguments().get("text")),
                        call.arguments().get("html") instanceof String html ? html : null))
                .toList();
        ToolFailure refused = database.transaction(() -> {
            ToolFailure reason = refusal(organization, recipients);
            if (reason == null) {
                outbox.add(organization, mails);
            }
            return reason;
        });
        if (refused != null) {
            throw refused;
        }
        String text = mails.size() == 1 ? "1 email was sent." : mails.size() + " emails were sent.";
        return new ToolOutcome(text, Map.of("recipients", mails.size()), List.of());
    }

    private static Set<String> recipients(@Nullable Object to) throws ToolFailure {
        List<?> values = to instanceof List<?> list ? list : List.of(String.valueOf(to));
        Set<String> recipients = new LinkedHashSet<>();
        for (Object one : values) {
            for (String address : String.valueOf(one).split(",", -1)) {
                recipients.add(MailAddress.parse(address)
                        .orElseThrow(() -> invalid("a recipient is not a valid email address")));
            }
        }
        if (recipients.size() > MAX_RECIPIENTS) {
            throw invalid("there are more than " + MAX_RECIPIENTS + " recipients");
        }
        return recipients;
    }

    private @Nullable ToolFailure refusal(OrganizationId organization, Set<String> recipients) {
        List<String> lower =
                recipients.stream().map(one -> one.toLowerCase(Locale.ROOT)).toList();
        Set<String> members = store.members(organization, lower);
        Optional<String> external = recipients.stream()
                .filter(address -> !members.contains(address.toLowerCase(Locale.ROOT)) && !isOpen(address))
                .findFirst();
        if (external.isPresent()) {
            return ToolFailure.permanent(
                    "Recipient refused",
                    "'" + external.get()
                            + "' is not a member of the organization, and the operator has not allowed its domain for "
                            + "emails of workflows.");
        }
        UUID since = UuidV7.floor(clock.instant().minus(Duration.ofHours(1)));
        return store.sent(organization, since) + recipients.size() > MAX_EMAILS_PER_HOUR
                ? ToolFailure.transientFailure(
                        "Too many emails",
                        "The organization's workflows have sent " + MAX_EMAILS_PER_HOUR + " emails within an hour.",
                        RATE_LIMIT_RETRY_AFTER)
                : null;
    }

    private boolean isOpen(String address) {
        String domain = address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        return domains.contains("*") || domains.contains(domain);
    }

    private static ToolFailure invalid(String reason) {
        return ToolFailure.permanent("Invalid arguments", "The email cannot be sent: " + reason + ".");
    }
}
