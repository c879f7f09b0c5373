package dev.parley.console;

import dev.parley.conversation.ConversationFilter;
import dev.parley.http.json.JsonColumns;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/**
 * Reads conversations with their first and last message, in the order of their activity, which is recorded after messages
 * were stored (docs/decisions/0136), and stores how far members have read them.
 */
@RegisterColumnMapperFactory(JsonColumns.class)
interface ConversationSummaryStore {
    /** The id of the newest recorded message, or of the conversation: a time and a unique order. */
    String ACTIVITY = "coalesce(last_message_id, id)";

    /**
     * Looks for the last run among the newest 20 messages, which may wait for the run of an earlier one, and for the
     * searched text in the newest 200. LIMIT 1 makes the planner look up each conversation by its key: in a join it
     * preferred to read all of the organization's, expecting few.
     */
    String SUMMARIES = """
            SELECT c.id, k.activity, c.title, c.usecase, c.workflow_id, c.team_id,
                c.created_by, c.created_at, coalesce(l.created_at, c.created_at) AS last_activity_at,
                f.id AS first_id, f.type AS first_type, f.text AS first_text, f.filename AS first_filename,
                f.metadata AS first_metadata,
                f.created_by AS first_created_by, f.created_at AS first_created_at,
                l.id AS last_id, l.type AS last_type, l.text AS last_text, l.filename AS last_filename,
                l.metadata AS last_metadata,
                l.created_by AS last_created_by, l.created_at AS last_created_at,
                s.status AS run_status, u.unread,
                x.id AS match_id, x.type AS match_type, x.text AS match_text, x.filename AS match_filename,
                NULL::text AS match_metadata,
                x.created_by AS match_created_by, x.created_at AS match_created_at
            FROM unnest(:ids::uuid[], :activities::uuid[]) AS k (id, activity)
            CROSS JOIN LATERAL (
                SELECT * FROM conversation WHERE organization_id = :organization AND id = k.id LIMIT 1
            ) c
            LEFT JOIN LATERAL (
                SELECT id, type, left(content, 300) AS text, filename, created_by, created_at,
                    CASE WHEN type <> 'USER_INPUT' AND length(metadata) <= 4096 THEN metadata END AS metadata
                FROM message
                WHERE organization_id = c.organization_id AND conversation_id = c.id ORDER BY id LIMIT 1
            ) f ON true
            LEFT JOIN LATERAL (
                SELECT id, type, left(content, 300) AS text, filename, created_by, created_at, workflow_instance_id,
                    CASE WHEN type <> 'USER_INPUT' AND length(metadata) <= 4096 THEN metadata END AS metadata
                FROM message
                WHERE organization_id = c.organization_id AND conversation_id = c.id ORDER BY id DESC LIMIT 1
            ) l ON true
            LEFT JOIN LATERAL (
                SELECT workflow_instance_id FROM (
                    SELECT id, workflow_instance_id FROM message
                    WHERE l.workflow_instance_id IS NULL AND c.workflow_id IS NOT NULL
                      AND organization_id = c.organization_id AND conversation_id = c.id
                    ORDER BY id DESC LIMIT 20
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
                    ORDER BY id DESC LIMIT 200
                ) t
                WHERE t.content ILIKE :pattern OR t.filename ILIKE :pattern ORDER BY id DESC LIMIT 1
            ) x ON true
            WHERE true
            """;

    String MATCHES = " AND (c.title ILIKE :pattern OR x.id IS NOT NULL)";

    /** @param activity its place in the list */
    record Candidate(UUID id, UUID activity) {}

    /** @param activity its place in the list */
    record ListedSummary(@Nested ConversationSummary summary, UUID activity) {}

    /**
     * A filter; null members match all.
     *
     * @param search empty for none
     */
    record SummaryFilter(
            ConversationFilter conversations,
            @Nullable InstanceStatus status,
            boolean unread,
            boolean mine,
            String search) {
        /** Whether matches can be found only by looking at the messages. */
        boolean isSearch() {
            return !conditions().isEmpty();
        }

        String conditions() {
            return (status == null ? "" : " AND s.status = :status")
                    + (unread ? " AND u.unread" : "")
                    + (mine ? " AND c.created_by = :me" : "")
                    + (search.isEmpty() ? "" : MATCHES);
        }

        public String pattern() {
            return "%" + search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
        }
    }

    /** @param conditions those of the filter */
    @SqlQuery("SELECT id, " + ACTIVITY
            + " AS activity FROM conversation WHERE organization_id = :organization <conditions>" + " ORDER BY "
            + ACTIVITY + " DESC LIMIT :limit")
    List<Candidate> candidates(
            OrganizationId organization, @BindMethods ConversationFilter filter, @Define String conditions, int limit);

    /**
     * The candidates that match, with the latest activity first.
     *
     * @param me the value of {@code created_by}
     * @param conditions those of the filter
     */
    @SqlQuery(SUMMARIES + "<conditions> ORDER BY k.activity DESC LIMIT :limit")
    List<ListedSummary> summaries(
            OrganizationId organization,
            UserId user,
            String me,
            @BindMethods SummaryFilter filter,
            @Define String conditions,
            List<UUID> ids,
            List<UUID> activities,
            int limit);

    /** Moves a member's read position forward; of a user who is not a member there is none. */
    @SqlUpdate("""
            INSERT INTO conversation_read (organization_id, user_id, conversation_id, message_id)
            SELECT organization_id, user_id, :conversation, :message FROM membership
            WHERE organization_id = :organization AND user_id = :user
            ON CONFLICT (organization_id, user_id, conversation_id) DO UPDATE
                SET message_id = EXCLUDED.message_id WHERE conversation_read.message_id < EXCLUDED.message_id""")
    void markRead(OrganizationId organization, UserId user, ConversationId conversation, MessageId message);
}
