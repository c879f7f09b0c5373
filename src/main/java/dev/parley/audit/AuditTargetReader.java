package dev.parley.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.UserStore;
import dev.parley.problem.Text;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** Reads the resources that audit entries are about, each by its primary key. */
@Singleton
final class AuditTargetReader {
    private static final int MAX_VALUE_LENGTH = 300;

    /** The targets of an action as they are now; without those that are deleted. */
    Map<String, AuditTarget> read(
            Handle handle,
            OrganizationId organization,
            String action,
            Collection<String> ids,
            @Nullable String parent) {
        return AuditTargetKind.of(action)
                .map(kind -> read(handle, organization, kind, ids, parent))
                .orElse(Map.of());
    }

    /** The existing targets by their ids, as the API writes them. */
    Map<String, AuditTarget> read(
            Handle handle,
            OrganizationId organization,
            AuditTargetKind kind,
            Collection<String> ids,
            @Nullable String parent) {
        List<String> valid = ids.stream().filter(kind::accepts).distinct().toList();
        if (valid.isEmpty()) {
            return Map.of();
        }
        var query = handle.createQuery(kind.query())
                .bind("organization", organization)
                .bindArray("ids", String.class, valid);
        if (kind == AuditTargetKind.TEAM_MEMBER) {
            query.bind("parent", parent != null && AuditTargetKind.isInteger(parent) ? parent : null);
        }
        Map<String, AuditTarget> found = new HashMap<>();
        query.reduceRows(found, (targets, row) -> {
            targets.put(row.getColumn("id", String.class).replace("-", ""), target(row));
            return targets;
        });
        return found;
    }

    /** The member with an email address. */
    Optional<UserId> member(Handle handle, OrganizationId organization, String email) {
        return handle.createQuery("""
                        SELECT u.id FROM app_user u JOIN membership m ON m.user_id = u.id
                        WHERE m.organization_id = :organization AND u.email = :email""")
                .bind("organization", organization)
                .bind("email", UserStore.normalized(email).replace("\0", ""))
                .mapTo(UserId.class)
                .findOne();
    }

    private static AuditTarget target(RowView row) {
        Map<String, String> fields = new LinkedHashMap<>();
        StrictJson.readTrusted(row.getColumn("fields", String.class), JsonNode.class)
                .properties()
                .forEach(field -> {
                    if (!field.getValue().isNull()) {
                        fields.put(field.getKey(), shortened(field.getValue().asText()));
                    }
                });
        return new AuditTarget(shortened(row.getColumn("name", String.class)), fields);
    }

    private static String shortened(String text) {
        return Text.ellipsis(text, MAX_VALUE_LENGTH);
    }
}
