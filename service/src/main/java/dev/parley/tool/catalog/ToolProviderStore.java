package dev.parley.tool.catalog;

import dev.parley.http.json.JsonColumns;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.tool.catalog.CredentialCipher.EncryptedCredentials;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ToolDiscovery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code tool_provider}. Deleted providers are never returned, and their credentials are erased. */
@RegisterColumnMapperFactory(JsonColumns.class)
@RegisterArgumentFactory(JsonColumns.class)
public interface ToolProviderStore {
    String SELECT = """
            SELECT p.id, p.kind, p.name, p.description, p.url, p.command, p.server_url,
                p.kind = 'openapi' AND p.url IS NULL AS uploaded,
                string_to_array(p.credentials_set, ',') AS credentials_set, p.status, p.error,
                ARRAY(SELECT json_array_elements_text(p.warnings::json)) AS warnings,
                (SELECT count(*) FROM tool t WHERE t.organization_id = p.organization_id AND t.provider_id = p.id
                 AND t.available) AS tools, p.enabled, p.created_by, p.created_at, p.updated_at, p.updated_by,
                p.refreshed_at, CASE WHEN p.selection IS NOT NULL
                 THEN ARRAY(SELECT json_array_elements_text(p.selection::json -> 'operations')) END AS operations,
                CASE WHEN p.selection IS NOT NULL
                 THEN ARRAY(SELECT json_array_elements_text(p.selection::json -> 'tags')) END AS tags, p.revision
            FROM tool_provider p WHERE p.organization_id = :organization AND p.deleted_at IS NULL
            """;

    /** The key of credentials that are stored now. */
    String KEY = "CASE WHEN :encrypted::bytea IS NOT NULL THEN " + CredentialCipher.CURRENT_KEY + " END";

    /** The result of refreshing a provider: its tools, or the error. */
    record RefreshResult(Optional<ToolDiscovery> found, Optional<String> error) {
        /** The provider was not contacted; it has no tools yet, or keeps its tools. */
        static final RefreshResult NONE = new RefreshResult(Optional.empty(), Optional.empty());

        public String status() {
            return error.isEmpty() ? ToolProvider.READY : ToolProvider.FAILED;
        }

        public String warnings() {
            return StrictJson.write(found.map(ToolDiscovery::warnings).orElse(List.of()));
        }
    }

    /** A provider and its encrypted credentials; it has none itself until they are decrypted. */
    @SuppressWarnings("ArrayRecordComponent") // Read as is, and never compared.
    record StoredAccess(
            @Nested ProviderAccess provider,
            byte @Nullable [] encrypted,
            @Nullable Integer credentialKey) {
        public ProviderAccess decrypted(CredentialCipher cipher) {
            return encrypted == null || credentialKey == null
                    ? provider
                    : provider.with(cipher.decrypt(
                            provider.organization(), new EncryptedCredentials(credentialKey, encrypted)));
        }
    }

    /** The last change of a provider's settings. */
    record ProviderRevision(int revision, String updatedBy, Instant updatedAt) {}

    /** A provider of any organization. */
    record RefreshCandidate(OrganizationId organization, int id) {}

    /** False if another provider has the name. */
    @SqlUpdate("""
            INSERT INTO tool_provider (organization_id, id, kind, name, description, url, command, server_url, document,
                credentials, credential_key, credentials_set, status, error, warnings, selection, revision, enabled,
                created_by, updated_by, created_at, updated_at, refreshed_at)
            VALUES (:organization, :id, :kind.text, :name, :description, :url, :command, :serverUrl, :document,
                :encrypted,\s""" + KEY + """
                , :credentialNames, :refreshed.status, :refreshed.error, :refreshed.warnings, :selection, 1,
                :enabled, :by, :by, :now, :now, :now)
            ON CONFLICT (organization_id, name) WHERE deleted_at IS NULL DO NOTHING""")
    boolean insert(
            int id,
            @BindMethods ProviderAccess provider,
            String description,
            byte @Nullable [] encrypted,
            @BindMethods("refreshed") RefreshResult refreshed,
            String by,
            Instant now);

    /** The provider of the organization's workflows, unless it exists. */
    @SqlUpdate("""
            INSERT INTO tool_provider (organization_id, id, kind, name, description, credentials_set, status, warnings,
                revision, created_by, updated_by, created_at, updated_at)
            VALUES (:organization, :id, 'workflow', :name, 'The published workflows of the organization.', '', 'READY',
                '[]', 1, 'system', 'system', :now, :now)
            ON CONFLICT (organization_id, id) DO NOTHING""")
    void insertWorkflowProvider(OrganizationId organization, int id, String name, Instant now);

    @SqlUpdate("""
            UPDATE tool_provider SET description = :description, url = :url, command = :command,
                server_url = :serverUrl, document = :document, credentials = :encrypted, credential_key =\s""" + KEY + """
                , credentials_set = :credentialNames, enabled = :enabled, selection = :selection,
                revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void change(
            @BindMethods ProviderAccess provider,
            String description,
            byte @Nullable [] encrypted,
            String by,
            Instant now);

    @SqlUpdate("""
            UPDATE tool_provider SET status = :refreshed.status, error = :refreshed.error,
                warnings = :refreshed.warnings, refreshed_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void refresh(OrganizationId organization, int id, @BindMethods("refreshed") RefreshResult refreshed, Instant now);

    @SqlQuery("""
            SELECT revision, updated_by, updated_at FROM tool_provider
            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL FOR UPDATE""")
    Optional<ProviderRevision> lock(OrganizationId organization, int id);

    @SqlQuery(SELECT + "AND p.id > :after ORDER BY p.id LIMIT :limit")
    List<ToolProvider> list(OrganizationId organization, int after, int limit);

    @SqlQuery(SELECT + "AND p.id = :id")
    Optional<ToolProvider> find(OrganizationId organization, int id);

    /**
     * The providers with a URL whose last refresh is oldest, oldest first.
     *
     * @param ready those that succeeded, last refreshed before this
     * @param failed those that failed, last refreshed before this
     */
    @SqlQuery("""
            SELECT p.organization_id AS organization, p.id FROM tool_provider p
            JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL
            WHERE p.deleted_at IS NULL AND p.enabled AND (p.url IS NOT NULL OR p.command IS NOT NULL)
              AND p.refreshed_at < CASE p.status WHEN 'READY' THEN :ready ELSE :failed END
            ORDER BY p.refreshed_at LIMIT :limit""")
    List<RefreshCandidate> stale(Instant ready, Instant failed, int limit);

    /** @param withDocument false for a call; a description may have many megabytes */
    @SqlQuery("""
            SELECT organization_id AS organization, id, revision, kind, name, url, command, server_url,
                CASE WHEN :withDocument THEN document END AS document, '{}' AS credentials, enabled, selection,
                credentials AS encrypted, credential_key
            FROM tool_provider WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""")
    Optional<StoredAccess> access(OrganizationId organization, int id, boolean withDocument);

    @SqlUpdate("""
            UPDATE tool_provider SET deleted_at = :now, credentials = NULL, credential_key = NULL, document = NULL,
                revision = revision + 1
            WHERE organization_id = :organization AND id = :id""")
    void delete(OrganizationId organization, int id, Instant now);
}
