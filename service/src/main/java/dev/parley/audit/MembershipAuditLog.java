package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.account.MembershipAudit;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Logs changes of membership that no admin made, within their transaction. */
@Singleton
final class MembershipAuditLog implements MembershipAudit {
    private final AuditStore store;
    private final AuditTargetReader targets;
    private final CurrentVertxRequest current;
    private final RequestOrigin requestOrigin;
    private final Clock clock;

    MembershipAuditLog(
            Database database,
            AuditTargetReader targets,
            CurrentVertxRequest current,
            RequestOrigin requestOrigin,
            Clock clock) {
        this.store = database.statements(AuditStore.class);
        this.targets = targets;
        this.current = current;
        this.requestOrigin = requestOrigin;
        this.clock = clock;
    }

    @Override
    public void record(OrganizationId organization, MembershipChange change, UserId user, String email) {
        // Omits the origin: the organizations that had an account of the address must not see it.
        AuditStore.AuditOrigin origin = change == MembershipChange.REPLACED
                ? AuditStore.AuditOrigin.NONE
                : requestOrigin.of(current.getCurrent());
        Optional<AuditTarget> member =
                Optional.ofNullable(targets.read(organization, change.action(), List.of(user.text()), null)
                        .get(user.text()));
        boolean joins = change == MembershipChange.ACCEPTED || change == MembershipChange.REGISTERED;
        List<AuditChange> changes = joins ? AuditTarget.changes(Optional.empty(), member) : List.of();
        store.insert(
                organization,
                AuditEntryId.next(),
                clock.instant(),
                new AuditStore.NewAuditEntry(
                        user,
                        email,
                        change.action(),
                        user.text(),
                        member.map(AuditTarget::name).orElse(email),
                        changes,
                        origin));
    }
}
