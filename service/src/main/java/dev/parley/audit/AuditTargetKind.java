package dev.parley.audit;

import dev.parley.id.UuidV7;
import java.util.Arrays;
import java.util.Optional;

/**
 * The resources that audit entries are about, with the query that reads name and fields of several by their ids. The
 * queries are here rather than in the features, so that {@link AuditFilter} covers every route. They select no secrets,
 * and only the part of a URL before its query, which may contain one.
 */
enum AuditTargetKind {
    ORGANIZATION("organization", true, """
            SELECT o.id, o.name, json_build_object('messages_per_minute', o.messages_per_minute,
                'allowed_models', array_to_string(o.allowed_models, ', ')) AS fields
            FROM organization o
            WHERE o.id = :organization AND o.id = ANY (:ids::uuid[]) AND o.deleted_at IS NULL"""),
    MEMBER("members|invitations", true, """
            SELECT u.id, u.name, json_build_object('email', u.email, 'role', m.role, 'status',
                CASE WHEN u.password_hash IS NULL AND NOT EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id)
                    THEN 'invited' ELSE 'active' END, 'teams', (
                    SELECT string_agg(t.name || ' (' || t.id || ')', ', ' ORDER BY t.id)
                    FROM team_member tm JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
                    WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id)) AS fields
            FROM membership m JOIN app_user u ON u.id = m.user_id
            WHERE m.organization_id = :organization AND m.user_id = ANY (:ids::uuid[])"""),
    TEAM("teams", false, """
            SELECT t.id, t.name, json_build_object() AS fields FROM team t
            WHERE t.organization_id = :organization AND t.id = ANY (:ids::integer[]) AND t.deleted_at IS NULL"""),
    TEAM_MEMBER("teams.members", true, """
            SELECT u.id, u.name, json_build_object('team', t.name) AS fields
            FROM membership m JOIN app_user u ON u.id = m.user_id
            LEFT JOIN team_member tm ON tm.organization_id = m.organization_id AND tm.user_id = m.user_id
                AND tm.team_id = :parent::integer
            LEFT JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
            WHERE m.organization_id = :organization AND m.user_id = ANY (:ids::uuid[])"""),
    API_KEY("api-keys", true, """
            SELECT k.id, k.name, json_build_object('team', t.name, 'agent', w.name, 'expires_at',
                to_char(k.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) AS fields
            FROM api_key k
            LEFT JOIN team t ON t.organization_id = k.organization_id AND t.id = k.team_id
            LEFT JOIN workflow w ON w.organization_id = k.organization_id AND w.id = k.workflow_id
            WHERE k.organization_id = :organization AND k.id = ANY (:ids::uuid[]) AND k.revoked_at IS NULL"""),
    BUDGET("budgets", false, """
            SELECT b.id, coalesce(k.name, w.name, o.name) AS name, json_build_object('scope', b.scope, 'period', b.period,
                'unit', b.unit, 'limit', b.amount) AS fields
            FROM budget b
            JOIN organization o ON o.id = b.organization_id
            LEFT JOIN api_key k ON b.scope = 'API_KEY' AND k.organization_id = b.organization_id AND k.id = b.scope_id
            LEFT JOIN workflow w ON b.scope = 'WORKFLOW' AND w.organization_id = b.organization_id AND w.id = b.scope_id
            WHERE b.organization_id = :organization AND b.id = ANY (:ids::integer[])"""),
    CODE("code-artifacts", false, """
            SELECT c.id, c.name, json_build_object('language', c.language, 'version', c.version) AS fields
            FROM code_artifact c
            WHERE c.organization_id = :organization AND c.id = ANY (:ids::integer[]) AND c.deleted_at IS NULL"""),
    CONVERSATION("conversations|conversations.messages", true, """
            SELECT c.id, coalesce(c.title, nullif(btrim(left(f.content, 80)), ''), w.name, 'Conversation') AS name,
                json_build_object('title', c.title, 'agent', w.name) AS fields
            FROM conversation c
            LEFT JOIN LATERAL (
                SELECT content FROM message
                WHERE organization_id = c.organization_id AND conversation_id = c.id ORDER BY id LIMIT 1
            ) f ON true
            LEFT JOIN workflow w ON w.organization_id = c.organization_id AND w.id = c.workflow_id
            WHERE c.organization_id = :organization AND c.id = ANY (:ids::uuid[])"""),
    DATA_SET("data-lakes", true, """
            SELECT d.id, d.name, json_build_object('format', d.format, 'rows', CASE d.status WHEN 'READY' THEN d.rows END)
                AS fields
            FROM data_lake d WHERE d.organization_id = :organization AND d.id = ANY (:ids::uuid[])"""),
    RUN("instances", true, """
            SELECT r.id, w.name, json_build_object('status', r.status) AS fields
            FROM workflow_instance r
            JOIN workflow w ON w.organization_id = r.organization_id AND w.id = r.workflow_id
            WHERE r.organization_id = :organization AND r.id = ANY (:ids::uuid[])"""),
    TICKET("tickets", true, """
            SELECT t.id, '#' || t.number || ' ' || t.title AS name, json_build_object('status', t.status, 'claimed_by',
                u.name, 'assignees', (SELECT string_agg(CASE a.assignment_type
                    WHEN 'User' THEN (SELECT p.name FROM app_user p WHERE p.id = a.assignee::uuid)
                    ELSE (SELECT g.name FROM team g
                        WHERE g.organization_id = a.organization_id AND g.id = a.assignee::integer)
                    END, ', ' ORDER BY a.assignment_type, a.assignee) FROM ticket_assignee a
                    WHERE a.organization_id = t.organization_id AND a.ticket_id = t.id),
                'sent_arguments', t.tool_call::json ->> 'sent_arguments',
                'arguments_edited', t.tool_call::json ->> 'edited') AS fields
            FROM ticket t LEFT JOIN app_user u ON u.id = t.claimed_by
            WHERE t.organization_id = :organization AND t.id = ANY (:ids::uuid[])"""),
    TOOL_PROVIDER("tool-providers", false, """
            SELECT p.id, p.name, json_build_object('kind', p.kind, 'description', nullif(p.description, ''),
                'url', regexp_replace(p.url, '[?#].*|(?<=//)[^/@]*@', '', 'g'),
                'server_url', regexp_replace(p.server_url, '[?#].*|(?<=//)[^/@]*@', '', 'g'),
                'operations', nullif(left(array_to_string(
                    ARRAY(SELECT json_array_elements_text(p.selection::json -> 'operations'))
                    || ARRAY(SELECT json_array_elements_text(p.selection::json -> 'tags')), ', '), 1000), ''),
                'enabled', p.enabled, 'status', p.status) AS fields
            FROM tool_provider p
            WHERE p.organization_id = :organization AND p.id = ANY (:ids::integer[]) AND p.deleted_at IS NULL"""),
    MODEL_PROVIDER("model-providers", false, """
            SELECT p.id, p.name, json_build_object('kind', p.kind, 'base_url',
                regexp_replace(p.base_url, '[?#].*|(?<=//)[^/@]*@', '', 'g'), 'api_version', p.api_version,
                'has_credential', p.has_credential, 'headers', nullif(array_to_string(p.header_names, ', '), ''))
                AS fields
            FROM model_provider p WHERE p.organization_id = :organization AND p.id = ANY (:ids::integer[])"""),
    MODEL("models", false, """
            SELECT m.id, m.alias AS name, json_build_object('provider', p.name, 'name', m.name,
                'context_tokens', m.context_tokens, 'max_output_tokens', m.max_output_tokens,
                'input_price', m.input_price::text, 'cached_input_price', m.cached_input_price::text,
                'output_price', m.output_price::text, 'capabilities', m.capabilities, 'is_default', m.is_default)
                AS fields
            FROM model m
            JOIN model_provider p ON p.organization_id = m.organization_id AND p.id = m.provider_id
            WHERE m.organization_id = :organization AND m.id = ANY (:ids::integer[])"""),
    TOOL("tools", false, """
            SELECT t.id, t.title AS name, json_build_object() AS fields FROM (
                SELECT id, title FROM tool WHERE organization_id = :organization AND id = ANY (:ids::integer[])
                UNION ALL
                SELECT id, title FROM (VALUES (1, 'HTTP request'), (2, 'Send an email'), (3, 'Wait for a time'),
                    (4, 'Wait for an event')) AS built_in (id, title)
                WHERE id = ANY (:ids::integer[])
            ) t"""),
    WEBHOOK_ENDPOINT("webhook-endpoints", true, """
            SELECT e.id, regexp_replace(e.url, '[?#].*|(?<=//)[^/@]*@', '', 'g') AS name,
                json_build_object('description', nullif(e.description, ''), 'enabled', e.enabled, 'events',
                    array_to_string(e.event_types, ', '), 'own_secret', e.secret IS NOT NULL) AS fields
            FROM webhook_endpoint e
            WHERE e.organization_id = :organization AND e.id = ANY (:ids::uuid[]) AND e.deleted_at IS NULL"""),
    WEBHOOK_DELIVERY("webhook-deliveries", true, """
            SELECT d.id, d.type AS name, json_build_object('state', d.state) AS fields FROM webhook_delivery d
            WHERE d.organization_id = :organization AND d.id = ANY (:ids::uuid[])"""),
    WORKFLOW("workflows", true, """
            SELECT w.id, w.name, json_build_object('description', nullif(w.description, ''), 'draft', w.revision,
                'published_version', w.published_version) AS fields
            FROM workflow w
            WHERE w.organization_id = :organization AND w.id = ANY (:ids::uuid[]) AND w.archived_at IS NULL"""),
    EMAIL("emails", true, """
            SELECT m.id, m.subject AS name, json_build_object('state', m.state) AS fields FROM mail m
            WHERE m.organization_id = :organization AND m.id = ANY (:ids::uuid[])""");

    private final String actionPrefixes;
    private final boolean hasUuids;
    private final String query;

    /** @param actionPrefixes a regular expression for the actions, without their verbs */
    AuditTargetKind(String actionPrefixes, boolean hasUuids, String query) {
        this.actionPrefixes = actionPrefixes;
        this.hasUuids = hasUuids;
        this.query = query;
    }

    /** The kind of an action's target; empty for actions without one, such as {@code webhook-secret.rotate}. */
    static Optional<AuditTargetKind> of(String action) {
        int dot = action.lastIndexOf('.');
        String prefix = dot < 0 ? action : action.substring(0, dot);
        return Arrays.stream(values())
                .filter(kind -> prefix.matches(kind.actionPrefixes))
                .findFirst();
    }

    String query() {
        return query;
    }

    /** Whether the text is an id of this kind. */
    boolean accepts(String id) {
        return hasUuids ? UuidV7.parse(id).isPresent() : isInteger(id);
    }

    static boolean isInteger(String text) {
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
