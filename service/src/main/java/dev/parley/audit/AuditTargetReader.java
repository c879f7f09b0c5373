package dev.parley.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.problem.Text;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the resources that audit entries are about, each by its primary key. */
@Singleton
final class AuditTargetReader {
    private static final int MAX_VALUE_LENGTH = 300;

    private final AuditStore store;

    AuditTargetReader(Database database) {
        this.store = database.statements(AuditStore.class);
    }

    /** The targets of an action as they are now; without those that are deleted. */
    Map<String, AuditTarget> read(
            OrganizationId organization, String action, Collection<String> ids, @Nullable String parent) {
        return AuditTargetKind.of(action)
                .map(kind -> read(organization, kind, ids, parent))
                .orElse(Map.of());
    }

    /** The existing targets by their ids, as the API writes them. */
    Map<String, AuditTarget> read(
            OrganizationId organization, AuditTargetKind kind, Collection<String> ids, @Nullable String parent) {
        List<String> valid = ids.stream().filter(kind::accepts).distinct().toList();
        if (valid.isEmpty()) {
            return Map.of();
        }
        String team = parent != null && AuditTargetKind.isInteger(parent) ? parent : null;
        Map<String, AuditTarget> found = new HashMap<>();
        store.targets(kind.query(), organization, valid, team)
                .forEach(row -> found.put(row.id().replace("-", ""), target(row)));
        return found;
    }

    private static AuditTarget target(AuditStore.TargetRow row) {
        Map<String, String> fields = new LinkedHashMap<>();
        StrictJson.readTrusted(row.fields(), JsonNode.class).properties().forEach(field -> {
            if (!field.getValue().isNull()) {
                fields.put(field.getKey(), shortened(field.getValue().asText()));
            }
        });
        return new AuditTarget(shortened(row.name()), fields);
    }

    private static String shortened(String text) {
        return Text.ellipsis(text, MAX_VALUE_LENGTH);
    }
}
