package dev.parley.openai;

import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.ResponseId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code openai_response}. */
interface ResponseStore {
    /**
     * A stored response.
     *
     * @param workflowId null for the response of a model
     * @param input the items of the request, a JSON array; empty for a workflow
     * @param response the object; without the output for a workflow
     * @param chainBytes the size of the input and the response, and of those that it continues
     */
    record StoredResponse(
            OrganizationId organizationId,
            ResponseId id,
            @Nullable ResponseId previousId,
            @Nullable Integer teamId,
            @Nullable WorkflowId workflowId,
            @Nullable ConversationId conversationId,
            String input,
            String response,
            int chainBytes,
            Instant createdAt) {}

    /** A message of a workflow's conversation. */
    record ConversationLine(
            MessageId id,
            String type,
            @Nullable String content,
            @Nullable String file,
            @Nullable TicketId ticketId) {}

    @SqlUpdate("""
            INSERT INTO openai_response (organization_id, id, previous_id, team_id, workflow_id, conversation_id,
                input, response, chain_bytes, created_at)
            VALUES (:organizationId, :id, :previousId, :teamId, :workflowId, :conversationId, :input, :response,
                :chainBytes, :createdAt)""")
    void insert(@BindMethods StoredResponse response);

    @SqlQuery("SELECT * FROM openai_response WHERE organization_id = :organization AND id = :id")
    Optional<StoredResponse> find(OrganizationId organization, ResponseId id);

    /** A response and those that it continues, oldest first. */
    @SqlQuery("""
            WITH RECURSIVE chain AS (
                SELECT r.*, 1 AS depth FROM openai_response r
                WHERE r.organization_id = :organization AND r.id = :id
                UNION ALL
                SELECT r.*, c.depth + 1 FROM chain c
                JOIN openai_response r ON r.organization_id = :organization AND r.id = c.previous_id
                WHERE c.depth < 1000)
            SELECT * FROM chain ORDER BY depth DESC""")
    List<StoredResponse> chain(OrganizationId organization, ResponseId id);

    @SqlUpdate("DELETE FROM openai_response WHERE organization_id = :organization AND id = :id")
    boolean delete(OrganizationId organization, ResponseId id);

    /** The messages after one, in order. */
    @SqlQuery("""
            SELECT id, type, content, file, ticket_id FROM message
            WHERE organization_id = :organization AND conversation_id = :conversation AND id > :after
            ORDER BY id LIMIT 200""")
    List<ConversationLine> after(OrganizationId organization, ConversationId conversation, MessageId after);

    /** The instance that a user's message started or continued; empty if its start failed. */
    @SqlQuery("""
            SELECT workflow_instance_id FROM message
            WHERE organization_id = :organization AND conversation_id = :conversation AND id = :message
              AND workflow_instance_id IS NOT NULL""")
    Optional<WorkflowInstanceId> instance(OrganizationId organization, ConversationId conversation, MessageId message);

    @SqlQuery("""
            SELECT id FROM message WHERE organization_id = :organization AND conversation_id = :conversation
            ORDER BY id DESC LIMIT 1""")
    Optional<MessageId> newest(OrganizationId organization, ConversationId conversation);

    /** Deletes old ones in a batch; returns how many. */
    @SqlUpdate("""
            DELETE FROM openai_response WHERE (organization_id, id) IN (
                SELECT organization_id, id FROM openai_response
                WHERE created_at < :before ORDER BY created_at LIMIT 1000)""")
    int deleteOld(Instant before);

    /** Deletes those of deleted organizations in a batch; returns how many. */
    @SqlUpdate("""
            DELETE FROM openai_response WHERE (organization_id, id) IN (
                SELECT r.organization_id, r.id
                FROM organization o JOIN openai_response r ON r.organization_id = o.id
                WHERE o.deleted_at IS NOT NULL LIMIT 1000)""")
    int deleteOfDeletedOrganizations();
}
