package dev.parley.tool;

import dev.parley.db.Database;
import dev.parley.db.SqlFailure;
import dev.parley.http.IfMatch;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** The table {@code tool_provider}. Deleted providers are never returned, and their credentials are erased. */
@Singleton
public final class ToolProviderStore {
    private static final String COLUMNS = """
            p.id, p.kind, p.name, p.description, p.url, p.command, p.server_url,
            p.kind = 'openapi' AND p.url IS NULL AS uploaded, string_to_array(p.credentials_set, ',') AS credentials_set,
            p.status, p.error, ARRAY(SELECT json_array_elements_text(p.warnings::json)) AS warnings,
            (SELECT count(*) FROM tool t WHERE t.organization_id = p.organization_id AND t.provider_id = p.id
             AND t.available) AS tools, p.enabled, p.created_by, p.created_at, p.updated_at, p.updated_by,
            p.refreshed_at, CASE WHEN p.selection IS NOT NULL
             THEN ARRAY(SELECT json_array_elements_text(p.selection::json -> 'operations')) END AS operations,
            CASE WHEN p.selection IS NOT NULL
             THEN ARRAY(SELECT json_array_elements_text(p.selection::json -> 'tags')) END AS tags, p.revision""";

    private final Database database;
    private final ToolStore tools;
    private final CredentialCipher cipher;
    private final Clock clock;

    public ToolProviderStore(Database database, ToolStore tools, CredentialCipher cipher, Clock clock) {
        this.database = database;
        this.tools = tools;
        this.cipher = cipher;
        this.clock = clock;
    }

    /** The result of refreshing a provider: its tools, or the error. */
    record RefreshResult(Optional<ToolDiscovery> found, Optional<String> error) {
        /** The provider was not contacted; it has no tools yet, or keeps its tools. */
        static final RefreshResult NONE = new RefreshResult(Optional.empty(), Optional.empty());
    }

    /** Stores a provider with its tools; a duplicate name is a 409. */
    int create(ProviderAccess provider, String description, RefreshResult refreshed, String by) {
        OrganizationId organization = provider.organization();
        try {
            return database.transaction(handle -> {
                int id = BuiltInToolId.FIRST_OWN_ID
                        - 1
                        + handle.attach(OrganizationCounters.class).next(organization, "tool_provider");
                handle.createUpdate("""
                                INSERT INTO tool_provider (organization_id, id, kind, name, description, url, command,
                                    server_url, document, credentials, credential_key, credentials_set, status, error,
                                    warnings, selection, revision, enabled, created_by, updated_by, created_at,
                                    updated_at, refreshed_at)
                                VALUES (:organization, :id, :kind, :name, :description, :url, :command, :server_url,
                                    :document, :credentials, :key, :set, :status, :error, :warnings, :selection, 1,
                                    :enabled, :by, :by, :now, :now, :now)""")
                        .bind("organization", organization)
                        .bind("id", id)
                        .bind("kind", provider.kind().text())
                        .bind("name", provider.name())
                        .bindMap(settings(provider, description))
                        .bindMap(refreshed(refreshed))
                        .bind("by", by)
                        .bind("now", clock.instant())
                        .execute();
                refreshed.found().ifPresent(found -> tools.replace(handle, organization, id, found.tools()));
                return id;
            });
        } catch (JdbiException e) {
            if (SqlFailure.isUniqueViolation(e)) {
                throw ApiProblem.of(ProblemKind.CONFLICT, "Another provider has this name.");
            }
            throw e;
        }
    }

    /**
     * Stores changed settings together with the refresh that used them. A 412 if the revision is not the expected one, a
     * 409 if another request has changed the provider since it was read.
     */
    void change(ProviderAccess provider, String description, RefreshResult refreshed, String by, IfMatch ifMatch) {
        OrganizationId organization = provider.organization();
        database.change(handle -> {
            requireUnchanged(handle, provider, ifMatch);
            handle.createUpdate("""
                            UPDATE tool_provider SET description = :description, url = :url, command = :command,
                                server_url = :server_url, document = :document, credentials = :credentials,
                                credential_key = :key, credentials_set = :set, enabled = :enabled,
                                selection = :selection,
                                revision = revision + 1, updated_by = :by, updated_at = :now
                            WHERE organization_id = :organization AND id = :id""")
                    .bind("organization", organization)
                    .bind("id", provider.id())
                    .bindMap(settings(provider, description))
                    .bind("by", by)
                    .bind("now", clock.instant())
                    .execute();
            refresh(handle, provider, refreshed);
        });
    }

    /** Stores the result of a refresh; a 409 if the settings that it used have been changed meanwhile. */
    void refresh(ProviderAccess provider, RefreshResult refreshed) {
        database.change(handle -> {
            requireUnchanged(handle, provider, IfMatch.ANY);
            refresh(handle, provider, refreshed);
        });
    }

    private void refresh(Handle handle, ProviderAccess provider, RefreshResult refreshed) {
        if (refreshed.equals(RefreshResult.NONE)) {
            return;
        }
        handle.createUpdate("""
                        UPDATE tool_provider SET status = :status, error = :error, warnings = :warnings,
                            refreshed_at = :now
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", provider.organization())
                .bind("id", provider.id())
                .bindMap(refreshed(refreshed))
                .bind("now", clock.instant())
                .execute();
        refreshed
                .found()
                .ifPresent(found -> tools.replace(handle, provider.organization(), provider.id(), found.tools()));
    }

    /** Locks the provider's row. */
    private static void requireUnchanged(Handle handle, ProviderAccess provider, IfMatch ifMatch) {
        ProviderRevision now = lock(handle, provider.organization(), provider.id())
                .orElseThrow(() -> ApiProblem.notFound("tool provider"));
        ifMatch.require(now.revision, now.updatedBy, now.updatedAt);
        if (now.revision != provider.revision()) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "Another request changed the provider meanwhile.");
        }
    }

    private record ProviderRevision(int revision, String updatedBy, Instant updatedAt) {}

    private static Optional<ProviderRevision> lock(Handle handle, OrganizationId organization, int id) {
        return handle.createQuery("""
                        SELECT revision, updated_by, updated_at FROM tool_provider
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL FOR UPDATE""")
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> new ProviderRevision(
                        row.getColumn("revision", Integer.class),
                        row.getColumn("updated_by", String.class),
                        row.getColumn("updated_at", Instant.class)))
                .findOne();
    }

    public List<ToolProvider> list(OrganizationId organization, int after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM tool_provider p
                        WHERE p.organization_id = :organization AND p.deleted_at IS NULL AND p.id > :after
                        ORDER BY p.id LIMIT :limit""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(ToolProvider.class)
                .list());
    }

    /** A provider of any organization. */
    record RefreshCandidate(OrganizationId organization, int id) {}

    /**
     * The providers with a URL whose last refresh is oldest, oldest first.
     *
     * @param ready those that succeeded, last refreshed before this
     * @param failed those that failed, last refreshed before this
     */
    List<RefreshCandidate> stale(Instant ready, Instant failed, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT p.organization_id AS organization, p.id FROM tool_provider p
                        JOIN organization o ON o.id = p.organization_id AND o.deleted_at IS NULL
                        WHERE p.deleted_at IS NULL AND p.enabled AND (p.url IS NOT NULL OR p.command IS NOT NULL)
                          AND p.refreshed_at < CASE p.status WHEN 'READY' THEN :ready ELSE :failed END
                        ORDER BY p.refreshed_at LIMIT :limit""")
                .bind("ready", ready)
                .bind("failed", failed)
                .bind("limit", limit)
                .mapTo(RefreshCandidate.class)
                .list());
    }

    public Optional<ToolProvider> find(OrganizationId organization, int id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM tool_provider p
                        WHERE p.organization_id = :organization AND p.id = :id
                          AND p.deleted_at IS NULL""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(ToolProvider.class)
                .findOne());
    }

    /** With the credentials and the description, for discovering its tools. */
    public Optional<ProviderAccess> access(OrganizationId organization, int id) {
        return access(organization, id, "document");
    }

    /** With the credentials, for calling it; a description may have many megabytes. */
    public Optional<ProviderAccess> connection(OrganizationId organization, int id) {
        return access(organization, id, "NULL::text AS document");
    }

    private Optional<ProviderAccess> access(OrganizationId organization, int id, String document) {
        return database.with(handle -> handle.createQuery("""
                        SELECT id, revision, kind, name, url, command, server_url, %s, credentials,
                            credential_key, enabled, selection FROM tool_provider
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL""".formatted(document))
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> access(organization, row))
                .findOne());
    }

    /** Deletes it with its credentials; its tools' ids stay reserved. */
    boolean delete(OrganizationId organization, int id, IfMatch ifMatch) {
        return database.transaction(handle -> {
            Optional<ProviderRevision> now = lock(handle, organization, id);
            if (now.isEmpty()) {
                return false;
            }
            ifMatch.require(now.get().revision, now.get().updatedBy, now.get().updatedAt);
            handle.createUpdate("""
                            UPDATE tool_provider SET deleted_at = :now, credentials = NULL, credential_key = NULL,
                                document = NULL, revision = revision + 1
                            WHERE organization_id = :organization AND id = :id""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("now", clock.instant())
                    .execute();
            tools.replace(handle, organization, id, List.of());
            return true;
        });
    }

    private Map<String, @Nullable Object> settings(ProviderAccess provider, String description) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("description", description);
        values.put("url", provider.url());
        values.put("command", provider.command());
        values.put("server_url", provider.serverUrl());
        values.put("document", provider.document());
        boolean none = provider.credentials().equals(ToolCredentials.NONE);
        CredentialCipher.EncryptedCredentials encrypted =
                none ? null : cipher.encrypt(provider.organization(), provider.credentials());
        values.put("credentials", encrypted == null ? null : encrypted.bytes());
        values.put("key", encrypted == null ? null : encrypted.key());
        values.put("enabled", provider.enabled());
        values.put("selection", provider.selection() == null ? null : StrictJson.write(provider.selection()));
        values.put("set", String.join(",", provider.credentials().names()));
        return values;
    }

    private static Map<String, @Nullable Object> refreshed(RefreshResult refreshed) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("status", refreshed.error().isEmpty() ? ToolProvider.READY : ToolProvider.FAILED);
        values.put("error", refreshed.error().orElse(null));
        values.put(
                "warnings",
                StrictJson.write(refreshed.found().map(ToolDiscovery::warnings).orElse(List.of())));
        return values;
    }

    private ProviderAccess access(OrganizationId organization, RowView row) {
        byte[] encrypted = row.getColumn("credentials", byte[].class);
        String selection = row.getColumn("selection", String.class);
        return new ProviderAccess(
                organization,
                row.getColumn("id", Integer.class),
                row.getColumn("revision", Integer.class),
                ProviderKind.of(row.getColumn("kind", String.class)),
                row.getColumn("name", String.class),
                row.getColumn("url", String.class),
                row.getColumn("command", String.class),
                row.getColumn("server_url", String.class),
                row.getColumn("document", String.class),
                encrypted == null
                        ? ToolCredentials.NONE
                        : cipher.decrypt(
                                organization,
                                new CredentialCipher.EncryptedCredentials(
                                        row.getColumn("credential_key", Integer.class), encrypted)),
                row.getColumn("enabled", Boolean.class),
                selection == null ? null : StrictJson.readTrusted(selection, OperationSelection.class));
    }
}
