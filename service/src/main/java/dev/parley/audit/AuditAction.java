package dev.parley.audit;

import dev.parley.id.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The action of a changing request under {@code /dashboard/api/organizations}, derived from its method and path, so
 * that every new route is logged: {@code DELETE …/api-keys/{id}} is {@code api-keys.delete} of that key,
 * {@code POST …/tickets/{id}/claim} is {@code tickets.claim}.
 *
 * @param organization from the path; null for a new organization, whose id is in the response
 * @param target the last id of the path; null if something is created, whose id is in the response
 * @param parent the id before the target in the path: the team of a team's member
 */
record AuditAction(
        @Nullable String organization,
        String name,
        @Nullable String target,
        @Nullable String parent) {
    private static final String PREFIX = "/dashboard/api/organizations";

    /** Requests that change nothing, or only what one person sees. */
    private static final Set<String> NOT_LOGGED = Set.of(
            "workflows.validate",
            "workflows.positions",
            "conversations.read-position",
            "data-lakes.preview",
            "data-lakes.replace.preview",
            "data-lakes.replace.upload",
            "tools.request",
            "tool-providers.operations");

    /** Actions that use something and change nothing that others work with. */
    private static final Set<String> USES = Set.of(
            "conversations.create",
            "conversations.messages.create",
            "media.presigned-url",
            "workflows.test-run",
            "code-artifacts.dry-run",
            "tools.try",
            "data-lakes.upload",
            "webhook-endpoints.ping");

    /** Saves of documents that the editor repeats while a person works (docs/decisions/0141). */
    private static final Set<String> REPEATED = Set.of("workflows.update");

    private static final Map<String, String> BULK_IDS =
            Map.of("tickets", "ticket_id", "instances", "workflow_instance_id");

    /** A POST to it creates an element; the entry is about the conversation. */
    private static final String MESSAGES = "conversations.messages";

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
            return Optional.of(new AuditAction(null, "organization.create", null, null));
        }
        String organization = segments.removeFirst();
        if (segments.isEmpty()) {
            return Optional.of(new AuditAction(organization, "organization." + verb(method), organization, null));
        }
        List<String> ids = segments.stream().filter(AuditAction::isId).toList();
        String last = segments.getLast();
        String name = segments.stream().filter(segment -> !isId(segment)).collect(Collectors.joining("."));
        boolean sendsMessage = name.equals(MESSAGES);
        boolean endsWithVerb = method.equals("POST") && segments.size() > 1 && !isId(last) && !sendsMessage;
        String action = endsWithVerb ? name : name + "." + verb(method);
        boolean idIsInResponse = ids.isEmpty() || (action.endsWith(".create") && !sendsMessage);
        return NOT_LOGGED.contains(name)
                ? Optional.empty()
                : Optional.of(new AuditAction(
                        organization,
                        action,
                        idIsInResponse ? null : ids.getLast(),
                        ids.size() > 1 ? ids.getFirst() : null));
    }

    /** Whether an action changes something, rather than only using it. */
    static boolean isChange(String action) {
        return !USES.contains(action);
    }

    /** Whether the log compares all that the action can change, so that an entry without changes would say nothing. */
    boolean isFullyCompared() {
        return name.equals("conversations.update");
    }

    /** Whether repeated changes of a target by one person share an entry for a while. */
    boolean isRepeated() {
        return REPEATED.contains(name);
    }

    /**
     * The action of a creation that waits for an upload: the import that follows is the change, because a file that
     * cannot be imported leaves nothing.
     */
    AuditAction startingUpload() {
        return new AuditAction(organization, name.replaceFirst("create$", "upload"), target, parent);
    }

    /** Whether the request invites a person, whose email address is in its body. */
    boolean invites() {
        return name.equals("members.create");
    }

    /** The action of an invitation that replaces an open one. */
    AuditAction invitingAgain() {
        return new AuditAction(organization, "members.reinvite", target, parent);
    }

    /**
     * The member with an id in each result of a request that changes several resources; its plural is the member of the
     * body with all ids.
     */
    Optional<String> bulkId() {
        if (target != null || creates()) {
            return Optional.empty();
        }
        return Optional.ofNullable(BULK_IDS.get(name.substring(0, name.indexOf('.'))));
    }

    boolean creates() {
        return name.endsWith(".create");
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
