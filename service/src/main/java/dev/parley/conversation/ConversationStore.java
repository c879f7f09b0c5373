package dev.parley.conversation;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code conversation}. */
interface ConversationStore {
    String COLUMNS = " organization_id AS organization, id, channel, usecase, config, metadata, team_id, workflow_id,"
            + " callback_url, title, created_by, created_at ";

    @SqlUpdate("""
            INSERT INTO conversation (organization_id, id, channel, usecase, config, metadata, team_id, workflow_id,
                callback_url, created_by, created_at)
            VALUES (:organization, :id, :channel, :usecase, :config.text, :metadata.text, :teamId, :workflowId,
                :callbackUrl, :createdBy, :createdAt)""")
    void insert(@BindMethods Conversation conversation);

    @SqlUpdate("""
            DELETE FROM conversation WHERE organization_id = :organization AND id = :id AND NOT EXISTS (
                SELECT FROM message WHERE organization_id = :organization AND conversation_id = :id)""")
    void deleteEmpty(OrganizationId organization, ConversationId id);

    @SqlQuery("SELECT" + COLUMNS + "FROM conversation WHERE organization_id = :organization AND id = :id")
    Optional<Conversation> find(OrganizationId organization, ConversationId id);

    @SqlQuery("""
            SELECT organization_id AS organization, id, usecase, team_id, workflow_id, callback_url
            FROM conversation WHERE organization_id = :organization AND id = :id""")
    Optional<ConversationRef> findRef(OrganizationId organization, ConversationId id);

    /** Changes the title; null removes it. */
    @SqlQuery("UPDATE conversation SET title = :title WHERE organization_id = :organization AND id = :id RETURNING"
            + COLUMNS)
    Optional<Conversation> rename(OrganizationId organization, ConversationId id, @Nullable String title);

    /**
     * Newest first.
     *
     * @param conditions those of the filter
     */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM conversation WHERE organization_id = :organization <conditions> ORDER BY id DESC LIMIT :limit""")
    List<Conversation> list(
            OrganizationId organization, @BindMethods ConversationFilter filter, @Define String conditions, int limit);
}
