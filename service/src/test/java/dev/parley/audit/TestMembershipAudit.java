package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.account.MembershipAudit;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** The audit log of memberships for tests without a request. */
public final class TestMembershipAudit implements MembershipAudit {
    private static final AuditStore.AuditQuery ALL = new AuditStore.AuditQuery(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    private final AuditStore store;
    private final AuditLog log;
    private final Clock clock;

    public TestMembershipAudit(Database database, Clock clock) {
        this.store = database.statements(AuditStore.class);
        this.log = new AuditLog(database, new AuditTargetReader(database), clock);
        this.clock = clock;
    }

    @Override
    public void record(OrganizationId organization, MembershipChange change, UserId user, String email) {
        store.insert(
                organization,
                AuditEntryId.next(),
                clock.instant(),
                new AuditStore.NewAuditEntry(
                        user, email, change.action(), user.text(), email, List.of(), AuditStore.AuditOrigin.NONE));
    }

    /** The actions in the organization's log, newest first. */
    public List<String> actions(OrganizationId organization) {
        return log.entries(organization, ALL, Optional.empty(), 100).stream()
                .map(AuditEntry::action)
                .toList();
    }
}
