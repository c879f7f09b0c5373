package dev.parley.conversation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.event.ConversationCallbacks;
import dev.parley.id.ConversationId;
import dev.parley.id.IdRange;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.settings.ServiceSize;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Conversations in PostgreSQL, with a cache of the immutable properties of recently used ones. */
@Singleton
public final class ConversationStore implements ConversationCallbacks {
    /** In the smallest heap. */
    private static final int RECENT_CONVERSATIONS = 50_000;

    private static final String COLUMNS = """
            organization_id AS organization, id, channel, usecase, config, metadata, team_id, workflow_id, callback_url,
            title, created_by, created_at
            """;

    private final Database database;
    private final Cache<ConversationKey, ConversationRef> recent;

    private record ConversationKey(OrganizationId organization, ConversationId id) {}

    /** A filter for lists; null members match all. */
    public record ConversationFilter(
            @Nullable ConversationUsecase usecase,
            @Nullable WorkflowId workflowId,
            @Nullable Integer teamId,
            @Nullable IdRange ids) {
        /** The id of the newest recorded message, or of the conversation: a time and a unique order. */
        public static final String ACTIVITY = "coalesce(last_message_id, id)";

        public static final ConversationFilter ALL = new ConversationFilter(null, null, null, null);

        /**
         * The newest conversations that match, older than {@code after}: a query up to its LIMIT, which has only the
         * requested conditions, so that an index serves each list. Adds its parameters to {@code values}.
         */
        String newest(
                String columns,
                OrganizationId organization,
                @Nullable ConversationId after,
                Map<String, Object> values) {
            return matches(columns, "id", organization, after == null ? null : after.value(), values);
        }

        /** The same in the order of {@link #ACTIVITY}, with lower values than {@code after}. */
        public String latestActive(
                String columns, OrganizationId organization, @Nullable UUID after, Map<String, Object> values) {
            return matches(columns, ACTIVITY, organization, after, values);
        }

        private String matches(
                String columns,
                String order,
                OrganizationId organization,
                @Nullable UUID after,
                Map<String, Object> values) {
            var where = new StringBuilder("organization_id = :organization");
            values.put("organization", organization);
            if (after != null) {
                where.append(" AND ").append(order).append(" < :after");
                values.put("after", after);
            }
            if (usecase != null) {
                where.append(" AND usecase = :usecase");
                values.put("usecase", usecase.name());
            }
            if (workflowId != null) {
                where.append(" AND workflow_id = :workflow");
                values.put("workflow", workflowId);
            }
            if (teamId != null) {
                where.append(" AND team_id = :team");
                values.put("team", teamId);
            }
            if (ids != null) {
                where.append(" AND id BETWEEN :from AND :to");
                values.put("from", ids.from());
                values.put("to", ids.to());
            }
            return "SELECT " + columns + " FROM conversation WHERE " + where + " ORDER BY " + order + " DESC";
        }
    }

    public ConversationStore(Database database, ServiceSize size) {
        this.recent = Caffeine.newBuilder()
                .maximumSize(size.byHeap(RECENT_CONVERSATIONS))
                .build();
        this.database = database;
    }

    public void insert(Handle handle, Conversation conversation) {
        handle.createUpdate("""
                        INSERT INTO conversation (organization_id, id, channel, usecase, config, metadata, team_id,
                            workflow_id, callback_url, created_by, created_at)
                        VALUES (:organization, :id, :channel, :usecase, :config, :metadata, :team, :workflow, :callback,
                            :createdBy, :createdAt)
                        """)
                .bind("organization", conversation.organization())
                .bind("id", conversation.id())
                .bind("channel", conversation.channel())
                .bind("usecase", conversation.usecase().name())
                .bind("config", conversation.config().text())
                .bind("metadata", conversation.metadata().text())
                .bind("team", conversation.teamId())
                .bind("workflow", conversation.workflowId())
                .bind("callback", conversation.callbackUrl())
                .bind("createdBy", conversation.createdBy())
                .bind("createdAt", conversation.createdAt())
                .execute();
    }

    public Optional<Conversation> find(OrganizationId organization, ConversationId id) {
        return database.with(handle -> handle.createQuery(
                        "SELECT " + COLUMNS + " FROM conversation WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Conversation.class)
                .findOne());
    }

    /** Changes the title; empty if there is no such conversation. */
    Optional<Conversation> rename(OrganizationId organization, ConversationId id, @Nullable String title) {
        return database.with(handle -> handle.createQuery("""
                        UPDATE conversation SET title = :title WHERE organization_id = :organization AND id = :id
                        RETURNING\s""" + COLUMNS)
                .bind("organization", organization)
                .bind("id", id)
                .bind("title", title)
                .mapTo(Conversation.class)
                .findOne());
    }

    /** The cached conversation; empty if it must be looked up. Never blocks. */
    public Optional<ConversationRef> recent(OrganizationId organization, ConversationId id) {
        return Optional.ofNullable(recent.getIfPresent(new ConversationKey(organization, id)));
    }

    /** The conversation for processing, from the cache or the database. */
    public Optional<ConversationRef> ref(OrganizationId organization, ConversationId id) {
        Optional<ConversationRef> cached = recent(organization, id);
        if (cached.isPresent()) {
            return cached;
        }
        Optional<ConversationRef> found = find(organization, id)
                .map(conversation -> new ConversationRef(
                        organization,
                        id,
                        conversation.usecase(),
                        conversation.teamId(),
                        conversation.workflowId(),
                        conversation.callbackUrl()));
        found.ifPresent(ref -> recent.put(new ConversationKey(organization, id), ref));
        return found;
    }

    @Override
    public Optional<String> url(OrganizationId organization, ConversationId conversation) {
        return ref(organization, conversation).map(ConversationRef::callbackUrl);
    }

    /** Newest first, at most {@code limit} rows, older than {@code after}. */
    public List<Conversation> list(
            OrganizationId organization, ConversationFilter filter, @Nullable ConversationId after, int limit) {
        Map<String, Object> values = new HashMap<>();
        String newest = filter.newest(COLUMNS, organization, after, values);
        return database.with(handle -> handle.createQuery(newest + " LIMIT :limit")
                .bindMap(values)
                .bind("limit", limit)
                .mapTo(Conversation.class)
                .list());
    }
}
