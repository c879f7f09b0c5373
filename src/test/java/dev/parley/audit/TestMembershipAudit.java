package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MembershipAudit;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The audit log of memberships for tests without a request. */
public final class TestMembershipAudit implements MembershipAudit {
    private final AuditStore store;

    public TestMembershipAudit(Database database, Clock clock) {
        this.store = new AuditStore(database, clock);
    }

    @Override
    public void record(Handle handle, OrganizationId organization, MembershipChange change, UserId user, String email) {
        store.add(
                handle,
                organization,
                new AuditStore.NewAuditEntry(
                        user, email, change.action(), user.text(), email, List.of(), AuditStore.AuditOrigin.NONE));
    }

    /** The actions in the organization's log, newest first. */
    public List<String> actions(OrganizationId organization) {
        return store.list(organization, AuditStore.AuditQuery.ALL, Optional.empty(), 100).stream()
                .map(AuditEntry::action)
                .toList();
    }
}
