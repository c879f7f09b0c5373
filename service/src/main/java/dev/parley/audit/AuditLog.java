package dev.parley.audit;

import dev.parley.audit.AuditEntry.ListedAuditEntry;
import dev.parley.db.Database;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The log as admins read it. */
@Singleton
final class AuditLog {
    private final AuditStore store;
    private final AuditTargetReader targets;
    private final Clock clock;

    AuditLog(Database database, AuditTargetReader targets, Clock clock) {
        this.store = database.statements(AuditStore.class);
        this.targets = targets;
        this.clock = clock;
    }

    /** Newest first, without whether the targets exist. */
    List<AuditEntry> entries(
            OrganizationId organization, AuditStore.AuditQuery filter, Optional<AuditEntryId> after, int limit) {
        return store.list(organization, filter, filter.newest(clock.instant()), filter.onlyChanges(), after, limit);
    }

    /** Newest first, with whether each entry's target still exists, so that only existing ones are linked. */
    List<ListedAuditEntry> list(
            OrganizationId organization, AuditStore.AuditQuery filter, Optional<AuditEntryId> after, int limit) {
        List<AuditEntry> entries = entries(organization, filter, after, limit);
        Map<AuditTargetKind, Set<String>> ids = new EnumMap<>(AuditTargetKind.class);
        for (AuditEntry entry : entries) {
            String target = entry.target();
            if (target != null) {
                AuditTargetKind.of(entry.action()).ifPresent(kind -> ids.computeIfAbsent(kind, _ -> new HashSet<>())
                        .add(target));
            }
        }
        ids.replaceAll(
                (kind, some) -> targets.read(organization, kind, some, null).keySet());
        return entries.stream()
                .map(entry -> new ListedAuditEntry(entry, isAmong(ids, entry)))
                .toList();
    }

    private static boolean isAmong(Map<AuditTargetKind, Set<String>> existing, AuditEntry entry) {
        String target = entry.target();
        return target != null
                && AuditTargetKind.of(entry.action())
                        .map(kind -> existing.getOrDefault(kind, Set.of()).contains(target))
                        .orElse(false);
    }
}
