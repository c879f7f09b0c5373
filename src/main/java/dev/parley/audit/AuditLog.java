package dev.parley.audit;

import dev.parley.db.Database;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The log as admins read it: with whether each entry's target still exists, so that only existing ones are linked. */
@Singleton
final class AuditLog {
    private final Database database;
    private final AuditStore store;
    private final AuditTargetReader targets;

    AuditLog(Database database, AuditStore store, AuditTargetReader targets) {
        this.database = database;
        this.store = store;
        this.targets = targets;
    }

    /** Newest first. */
    List<AuditEntry> list(
            OrganizationId organization, AuditStore.AuditQuery filter, Optional<AuditEntryId> after, int limit) {
        List<AuditEntry> entries = store.list(organization, filter, after, limit);
        Map<AuditTargetKind, Set<String>> ids = new EnumMap<>(AuditTargetKind.class);
        for (AuditEntry entry : entries) {
            String target = entry.target();
            if (target != null) {
                AuditTargetKind.of(entry.action()).ifPresent(kind -> ids.computeIfAbsent(kind, _ -> new HashSet<>())
                        .add(target));
            }
        }
        Map<AuditTargetKind, Set<String>> existing = new EnumMap<>(AuditTargetKind.class);
        database.change(handle -> ids.forEach((kind, some) -> existing.put(
                kind, targets.read(handle, organization, kind, some, null).keySet())));
        return entries.stream()
                .map(entry -> entry.withTargetExists(isAmong(existing, entry)))
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
