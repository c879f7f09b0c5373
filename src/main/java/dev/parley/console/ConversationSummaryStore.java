package dev.parley.console;

import dev.parley.console.ConversationSummary.MessageLine;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.conversation.ConversationStore.ConversationFilter;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.Database;
import dev.parley.http.OrganizationMember;
import dev.parley.http.Page;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.message.MessageType;
import dev.parley.workflow.instance.core.InstanceStatus;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Reads conversations with their first and last message, in the order of their activity, which is recorded after messages
 * were stored (docs/decisions/0135). A search examines a limited number of conversations and messages per request, and
 * continues with the next page.
 */
@Singleton
class ConversationSummaryStore {
    /** Conversations that a request with a search examines. */
    static final int SEARCHED_CONVERSATIONS = 100;

    /** The newest messages of each that it examines. */
    static final int SEARCHED_MESSAGES = 200;

    /** The newest messages among which the last run is looked for: they may wait for the run of an earlier one. */
    static final int QUEUED_MESSAGES = 20;

    /**
     * LIMIT 1 makes the planner look up each conversation by its key: in a join it preferred to read all of the
     * organization's, expecting few.
     */
    static final String SUMMARIES = """
            SELECT c.id, k.activity, c.title, c.usecase, c.workflow_id, c.team_id,
                c.created_by, c.created_at,
                f.id AS first_id, f.type AS first_type, f.text AS first_text, f.filename AS first_filename,
                f.created_by AS first_created_by, f.created_at AS first_created_at,
                l.id AS last_id, l.type AS last_type, l.text AS last_text, l.filename AS last_filename,
                l.created_by AS last_created_by, l.created_at AS last_created_at,
                s.status AS run_status, u.unread,
                x.id AS match_id, x.type AS match_type, x.text AS match_text, x.filename AS match_filename,
                x.created_by AS match_created_by, x.created_at AS match_created_at
            FROM unnest(:ids::uuid[], :activities::uuid[]) AS k (id, activity)
            CROSS JOIN LATERAL (
                SELECT * FROM conversation WHERE organization_id = :organization AND id = k.id LIMIT 1
            ) c
            LEFT JOIN LATERAL (
                SELECT id, type, left(content, 300) AS text, filename, created_by, created_at FROM message
                WHERE organization_id = c.organization_id AND conversation_id = c.id ORDER BY id LIMIT 1
            ) f ON true
            LEFT JOIN LATERAL (
                SELECT id, type, left(content, 300) AS text, filename, created_by, created_at, workflow_instance_id
                FROM message
                WHERE organization_id = c.organization_id AND conversation_id = c.id ORDER BY id DESC LIMIT 1
            ) l ON true
            LEFT JOIN LATERAL (
                SELECT workflow_instance_id FROM (
                    SELECT id, workflow_instance_id FROM message
                    WHERE l.workflow_instance_id IS NULL AND c.workflow_id IS NOT NULL
                      AND organization_id = c.organization_id AND conversation_id = c.id
                    ORDER BY id DESC LIMIT :queued
                ) t
                WHERE t.workflow_instance_id IS NOT NULL ORDER BY id DESC LIMIT 1
            ) e ON true
            LEFT JOIN message_instance_status s ON s.organization_id = c.organization_id
                AND s.workflow_instance_id = coalesce(l.workflow_instance_id, e.workflow_instance_id)
            LEFT JOIN membership m ON m.organization_id = c.organization_id AND m.user_id = :user
            LEFT JOIN conversation_read r
                ON r.organization_id = c.organization_id AND r.user_id = :user AND r.conversation_id = c.id
            CROSS JOIN LATERAL (
                SELECT coalesce(l.created_by <> :me
                    AND CASE WHEN r.message_id IS NULL THEN l.created_at > m.created_at ELSE l.id > r.message_id END,
                    false) AS unread
            ) u
            LEFT JOIN LATERAL (
                SELECT id, type, substring(content FROM greatest(1, strpos(lower(content), lower(:search)) - 60) FOR 300)
                    AS text, filename, created_by, created_at
                FROM (
                    SELECT id, type, content, filename, created_by, created_at FROM message
                    WHERE :search <> '' AND organization_id = c.organization_id AND conversation_id = c.id
                    ORDER BY id DESC LIMIT :messages
                ) t
                WHERE t.content ILIKE :pattern OR t.filename ILIKE :pattern ORDER BY id DESC LIMIT 1
            ) x ON true
            WHERE true
            """;

    static final String MATCHES = " AND (c.title ILIKE :pattern OR x.id IS NOT NULL)";

    private final Database database;
    private final ConversationActivityRecorder activity;

    ConversationSummaryStore(Database database, ConversationActivityRecorder activity) {
        this.database = database;
        this.activity = activity;
    }

    /** @param activity its place in the list */
    private record Candidate(UUID id, UUID activity) {}

    /** @param activity its place in the list */
    private record ListedSummary(ConversationSummary summary, UUID activity) {}

    /** A filter; null members match all. */
    record SummaryFilter(
            ConversationFilter conversations,
            @Nullable InstanceStatus runStatus,
            boolean unread,
            boolean mine,
            @Nullable String search) {
        /** Whether matches can be found only by looking at the messages. */
        boolean isSearch() {
            return runStatus != null || unread || mine || search != null;
        }
    }

    /**
     * The conversations with the latest activity first.
     *
     * @param after the {@code next} of the page before; a page of a search may have fewer items, or none
     */
    Page<ConversationSummary> page(OrganizationMember viewer, SummaryFilter filter, @Nullable UUID after, int limit) {
        activity.flush();
        int most = filter.isSearch() ? SEARCHED_CONVERSATIONS : limit;
        return database.with(handle -> {
            List<Candidate> candidates = candidates(handle, viewer.organization(), filter, after, most + 1);
            boolean more = candidates.size() > most;
            List<Candidate> examined = more ? candidates.subList(0, most) : candidates;
            List<ListedSummary> found = summaries(handle, viewer, filter, examined, limit + 1);
            Page<ListedSummary> page = found.size() > limit
                    ? Page.of(found, limit, one -> UuidV7.text(one.activity))
                    : new Page<>(found, more ? UuidV7.text(examined.getLast().activity) : null);
            return new Page<>(page.items().stream().map(ListedSummary::summary).toList(), page.next());
        });
    }

    private static List<Candidate> candidates(
            Handle handle, OrganizationId organization, SummaryFilter filter, @Nullable UUID after, int limit) {
        Map<String, Object> values = new HashMap<>();
        String latest = filter.conversations.latestActive(
                "id, " + ConversationFilter.ACTIVITY + " AS activity", organization, after, values);
        return handle.createQuery(latest + " LIMIT :limit")
                .bindMap(values)
                .bind("limit", limit)
                .mapTo(Candidate.class)
                .list();
    }

    private static List<ListedSummary> summaries(
            Handle handle, OrganizationMember viewer, SummaryFilter filter, List<Candidate> candidates, int limit) {
        var sql = new StringBuilder(SUMMARIES);
        Map<String, Object> values = new HashMap<>();
        values.put("organization", viewer.organization());
        values.put("user", viewer.user().id());
        values.put("me", viewer.createdBy());
        values.put("limit", limit);
        if (filter.runStatus != null) {
            sql.append(" AND s.status = :status");
            values.put("status", filter.runStatus.name());
        }
        if (filter.unread) {
            sql.append(" AND u.unread");
        }
        if (filter.mine) {
            sql.append(" AND c.created_by = :me");
        }
        if (filter.search != null) {
            sql.append(MATCHES);
        }
        String search = filter.search == null ? "" : filter.search;
        values.put("search", search);
        values.put("pattern", pattern(search));
        values.put("messages", SEARCHED_MESSAGES);
        values.put("queued", QUEUED_MESSAGES);
        return handle.createQuery(
                        sql.append(" ORDER BY k.activity DESC LIMIT :limit").toString())
                .bindMap(values)
                .bindArray(
                        "ids",
                        UUID.class,
                        candidates.stream().map(Candidate::id).toList())
                .bindArray(
                        "activities",
                        UUID.class,
                        candidates.stream().map(Candidate::activity).toList())
                .map((row, _) -> new ListedSummary(read(row), row.getObject("activity", UUID.class)))
                .list();
    }

    private static String pattern(String text) {
        return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
    }

    /** Moves a member's read position forward; of a user who is not a member there is none. */
    void markRead(OrganizationId organization, UserId user, ConversationId conversation, MessageId message) {
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO conversation_read (organization_id, user_id, conversation_id, message_id)
                        SELECT organization_id, user_id, :conversation, :message FROM membership
                        WHERE organization_id = :organization AND user_id = :user
                        ON CONFLICT (organization_id, user_id, conversation_id) DO UPDATE
                            SET message_id = EXCLUDED.message_id WHERE conversation_read.message_id < EXCLUDED.message_id
                        """)
                .bind("organization", organization)
                .bind("user", user)
                .bind("conversation", conversation)
                .bind("message", message)
                .execute());
    }

    private static ConversationSummary read(ResultSet row) throws SQLException {
        UUID workflow = row.getObject("workflow_id", UUID.class);
        String status = row.getString("run_status");
        MessageLine last = line(row, "last_");
        var createdAt = row.getObject("created_at", OffsetDateTime.class).toInstant();
        return new ConversationSummary(
                new ConversationId(row.getObject("id", UUID.class)),
                row.getString("title"),
                ConversationUsecase.valueOf(row.getString("usecase")),
                workflow == null ? null : new WorkflowId(workflow),
                row.getObject("team_id", Integer.class),
                row.getString("created_by"),
                createdAt,
                line(row, "first_"),
                last,
                line(row, "match_"),
                last == null ? createdAt : last.createdAt(),
                status == null ? null : InstanceStatus.valueOf(status),
                row.getBoolean("unread"));
    }

    private static @Nullable MessageLine line(ResultSet row, String prefix) throws SQLException {
        UUID id = row.getObject(prefix + "id", UUID.class);
        return id == null
                ? null
                : new MessageLine(
                        new MessageId(id),
                        MessageType.valueOf(row.getString(prefix + "type")),
                        row.getString(prefix + "text"),
                        row.getString(prefix + "filename"),
                        row.getString(prefix + "created_by"),
                        row.getObject(prefix + "created_at", OffsetDateTime.class)
                                .toInstant());
    }
}
