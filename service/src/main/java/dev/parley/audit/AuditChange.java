package dev.parley.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A field that an action changed. Values are text and never secrets. */
@Schema(name = "AuditChange")
public record AuditChange(
        @Schema(examples = "role") String field,

        @Schema(description = "Null if the field was not set", examples = "member") @Nullable
        String before,

        @Schema(description = "Null if the field is no longer set", examples = "admin") @Nullable
        String after) {

    /** The changes of two actions in a row as one: the values before the first and after the second. */
    static List<AuditChange> merge(List<AuditChange> first, List<AuditChange> second) {
        Map<String, AuditChange> merged = new LinkedHashMap<>();
        first.forEach(change -> merged.put(change.field, change));
        second.forEach(change -> merged.merge(
                change.field, change, (before, after) -> new AuditChange(after.field, before.before, after.after)));
        return merged.values().stream()
                .filter(change -> !Objects.equals(change.before, change.after))
                .toList();
    }
}
