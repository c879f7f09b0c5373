package dev.parley.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.MailId;
import dev.parley.id.NodeId;
import dev.parley.mail.archive.MailArchiveStore;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A backlog that the statistics do not contain does not slow down its mails (docs/decisions/0111). */
class MailStorePlanTest {
    @Test
    void aMailIsFoundByItsKeyEvenIfTheStatisticsLackItsNode() {
        try (var office = new MailTestBed()) {
            office.database.change(handle -> {
                handle.execute("""
                        INSERT INTO mail (organization_id, id, change_id, kind, recipient, subject, state, due_at,
                            created_at, node_id)
                        SELECT ?, gen_random_uuid(), n, 'TICKET', 'ada@acme.example', '', 'SENT', now(), now(), ?
                        FROM generate_series(1, 5000) n""", office.organization.value(), UUID.randomUUID());
                handle.execute("ANALYZE mail");
                handle.execute("UPDATE mail SET state = 'PENDING'");
            });
            String plan = office.database.with(handle -> String.join(
                    "\n",
                    handle.createQuery("EXPLAIN " + MailStore.BEGIN)
                            .bind("organization", office.organization)
                            .bind("id", MailId.next())
                            .bind("node", NodeId.next())
                            .bind("now", office.clock.instant())
                            .mapTo(String.class)
                            .list()));
            assertThat(plan).contains("using mail_pkey").doesNotContain("mail_due");
        }
    }

    @Test
    void listsReadTheIndexRangesOfStatesAndTheMailsOfOneChange() {
        try (var office = new MailTestBed()) {
            office.database.change(handle -> handle.execute("""
                    INSERT INTO mail (organization_id, id, change_id, kind, recipient, subject, state, due_at, created_at)
                    SELECT ?, gen_random_uuid(), n / 3, 'TICKET', n, '', 'SENT', now(), now()
                    FROM generate_series(1, 6000) n""", office.organization.value()));
            String plan = office.database.with(handle -> String.join(
                    "\n",
                    handle.createQuery("EXPLAIN " + MailArchiveStore.SUMMARIES)
                            .bind("organization", office.organization)
                            .bindArray("states", String.class, "SENT", "FAILED")
                            .bindArray("kinds", String.class, "TICKET")
                            .bindArray("words", String.class, "ada")
                            .bind("since", new UUID(0, 0))
                            .bind("before", new UUID(-1, -1))
                            .bind("limit", 51)
                            .mapTo(String.class)
                            .list()));
            assertThat(plan)
                    .contains("Backward using mail_listed", "using mail_organization_id_change_id_recipient_key")
                    .doesNotContain("Seq Scan", "mail_pkey", "mail_due");
        }
    }
}
