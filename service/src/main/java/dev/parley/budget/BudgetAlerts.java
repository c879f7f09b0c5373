package dev.parley.budget;

import dev.parley.budget.BudgetStore.LockedPeriod;
import dev.parley.budget.BudgetStore.PeriodBounds;
import dev.parley.db.Database;
import dev.parley.event.EventLog;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.json.Rfc3339;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;

/** Announces, in the transaction of a change, that most of a budget is used or that it refused a call: once per period. */
@Singleton
final class BudgetAlerts {
    private static final int MICROS_DIGITS = 6;

    private final BudgetStore store;
    private final EventLog events;
    private final MailOutbox outbox;
    private final String publicUrl;
    private final String currency;

    BudgetAlerts(
            Database database,
            EventLog events,
            MailOutbox outbox,
            Settings.PublicUrl publicUrl,
            Settings.Models models) {
        this.store = database.statements(BudgetStore.class);
        this.events = events;
        this.outbox = outbox;
        this.publicUrl = publicUrl.url();
        this.currency = models.prices().currency().getCurrencyCode();
    }

    void warned(Handle handle, OrganizationId organization, int id, Instant now) {
        announce(handle, organization, id, now, EventType.BUDGET_WARNED, "has used 80 % of");
    }

    void exceeded(Handle handle, OrganizationId organization, int id, Instant now) {
        announce(handle, organization, id, now, EventType.BUDGET_EXCEEDED, "needs more than is left of");
    }

    private void announce(
            Handle handle, OrganizationId organization, int id, Instant now, EventType type, String sentence) {
        Budget budget = store.find(organization, id, PeriodBounds.of(now)).orElse(null);
        if (budget == null) {
            return;
        }
        String summary = capitalized(scope(budget)) + " " + sentence + " its budget of " + text(budget, budget.limit())
                + " for this " + period(budget) + ".";
        var template = new EmailTemplate()
                .heading(type == EventType.BUDGET_WARNED ? "80 % of a budget are used" : "A budget is used up")
                .paragraph(summary)
                .paragraph(
                        type == EventType.BUDGET_WARNED
                                ? "When the limit is reached, calls of models are refused until "
                                        + Rfc3339.text(budget.resetsAt()) + "."
                                : "Calls of models that do not fit are refused until " + Rfc3339.text(budget.resetsAt())
                                        + " or until the limit is raised. Agents pause meanwhile and then go on.")
                .link("Open the budgets", publicUrl + "/organizations/" + organization.text() + "/usage")
                .footer("You get this email because you are an admin of the organization.");
        String change = type.text() + ":" + id + ":" + budget.period().start(now) + ":" + budget.revision();
        outbox.add(
                organization,
                store.adminEmails(organization).stream()
                        .map(to -> new Email(
                                change, Email.EmailKind.BUDGET, to, summary, template.text(), template.html()))
                        .toList());
        try {
            var _ = events.append(
                    handle.getConnection(),
                    List.of(new NewEvent(organization, null, null, type, now, StrictJson.write(budget))));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /** Why a budget does not allow a call. */
    String refusal(Budget budget, LockedPeriod before) {
        return "The budget of " + scope(budget) + " for this " + period(budget) + " does not allow the call: of "
                + text(budget, budget.limit()) + ", " + text(budget, before.used()) + " are used and "
                + text(budget, before.reserved()) + " reserved, and the call may need "
                + text(budget, before.amount()) + ". The next " + period(budget) + " starts at "
                + Rfc3339.text(budget.resetsAt()) + ".";
    }

    private static String scope(Budget budget) {
        String name = budget.scopeName() == null ? "" : " '" + budget.scopeName() + "'";
        return switch (budget.scope()) {
            case ORGANIZATION -> "the organization";
            case API_KEY -> "the API key" + name;
            case WORKFLOW -> "the workflow" + name;
        };
    }

    private static String capitalized(String text) {
        return "T" + text.substring(1);
    }

    private static String period(Budget budget) {
        return budget.period().name().toLowerCase(Locale.ROOT);
    }

    private String text(Budget budget, long amount) {
        return budget.unit() == BudgetUnit.TOKENS
                ? String.format(Locale.ROOT, "%,d tokens", amount)
                : BigDecimal.valueOf(amount, MICROS_DIGITS).stripTrailingZeros().toPlainString() + " " + currency;
    }
}
