package dev.parley.audit;

import dev.parley.id.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The action of a changing request under {@code /dashboard/api/organizations}, derived from its method and path, so
 * that every new route is logged: {@code DELETE …/api-keys/{id}} is {@code api-keys.delete} of that key,
 * {@code POST …/tickets/{id}/claim} is {@code tickets.claim}.
 *
 * @param organization from the path; null for a new organization, whose id is in the response
 * @param target the last id of the path; null if something is created, whose id is in the response
 */
record AuditAction(
        @Nullable String organization,
        String name,
        @Nullable String target) {
    private static final String PREFIX = "/dashboard/api/organizations";

    /** POSTs that change nothing, or only positions in the editor. */
    private static final Set<String> NOT_LOGGED = Set.of("workflows.validate", "workflows.positions");

    /** Sub-collections: a POST to them creates an element. */
    private static final Set<String> SUBCOLLECTIONS = Set.of("messages", "versions");

    /** The action of a request; empty if it changes nothing in an organization. */
    static Optional<AuditAction> of(String method, String path) {
        if (!path.startsWith(PREFIX)
                || !Set.of("POST", "PUT", "PATCH", "DELETE").contains(method)) {
            return Optional.empty();
        }
        List<String> segments = new ArrayList<>(
                List.of(path.substring(PREFIX.length()).replaceAll(";[^/]*", "").split("/")));
        segments.removeIf(String::isEmpty);
        if (segments.isEmpty()) {
            return Optional.of(new AuditAction(null, "organization.create", null));
        }
        String organization = segments.removeFirst();
        if (segments.isEmpty()) {
            return Optional.of(new AuditAction(organization, "organization." + verb(method), organization));
        }
        String target = segments.stream()
                .filter(AuditAction::isId)
                .reduce((_, last) -> last)
                .orElse(null);
        String last = segments.getLast();
        List<String> names = segments.stream().filter(segment -> !isId(segment)).toList();
        String name = String.join(".", names);
        boolean endsWithVerb =
                method.equals("POST") && segments.size() > 1 && !isId(last) && !SUBCOLLECTIONS.contains(last);
        String action = endsWithVerb ? name : name + "." + verb(method);
        boolean creates = action.endsWith(".create");
        return NOT_LOGGED.contains(name)
                ? Optional.empty()
                : Optional.of(new AuditAction(organization, action, creates ? null : target));
    }

    private static String verb(String method) {
        return switch (method) {
            case "POST" -> "create";
            case "DELETE" -> "delete";
            default -> "update";
        };
    }

    private static boolean isId(String segment) {
        return UuidV7.parse(segment).isPresent() || segment.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
