package dev.parley.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource at one time: its name and the fields that the audit log compares, without secrets.
 *
 * @param fields only those that are set, in the order in which they are shown
 */
record AuditTarget(String name, Map<String, String> fields) {
    /** The field for the name of a renamed resource. */
    static final String NAME = "name";

    /** The field for the name that a person gave, where the resource has another name without it. */
    static final String TITLE = "title";

    AuditTarget {
        fields = new LinkedHashMap<>(fields);
    }

    /**
     * What an action changed: all fields of a created or deleted resource, otherwise those that differ. A new title is
     * one change, although it changes the name, too.
     */
    static List<AuditChange> changes(Optional<AuditTarget> before, Optional<AuditTarget> after) {
        List<AuditChange> changes = new ArrayList<>();
        Map<String, String> old = before.map(AuditTarget::fields).orElse(Map.of());
        Map<String, String> now = after.map(AuditTarget::fields).orElse(Map.of());
        if (before.isPresent() && after.isPresent() && Objects.equals(old.get(TITLE), now.get(TITLE))) {
            add(changes, NAME, before.get().name, after.get().name);
        }
        Set<String> names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        names.forEach(name -> add(changes, name, old.get(name), now.get(name)));
        return changes;
    }

    private static void add(List<AuditChange> changes, String field, @Nullable String before, @Nullable String after) {
        if (!Objects.equals(before, after)) {
            changes.add(new AuditChange(field, before, after));
        }
    }
}
