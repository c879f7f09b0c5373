package dev.parley.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.MailId;
import dev.parley.id.NodeId;
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
                            .bind("lost", "")
                            .mapTo(String.class)
                            .list()));
            assertThat(plan).contains("using mail_pkey").doesNotContain("mail_due");
        }
    }
}
