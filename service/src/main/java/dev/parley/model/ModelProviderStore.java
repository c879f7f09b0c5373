package dev.parley.model;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code model_provider}. */
public interface ModelProviderStore {
    String SELECT = """
            SELECT p.id, p.name, p.kind, p.base_url, p.api_version, p.has_credential, p.header_names,
                (SELECT count(*) FROM model m WHERE m.organization_id = p.organization_id AND m.provider_id = p.id)
                AS models, p.created_by, p.created_at, p.updated_by, p.updated_at, p.revision
            FROM model_provider p WHERE p.organization_id = :organization\s""";

    /** The columns that a request sets. */
    @SuppressWarnings("ArrayRecordComponent") // Stored as is, and never compared.
    record ProviderValues(
            String name,
            String kind,
            String baseUrl,
            String host,
            @Nullable String apiVersion,
            byte @Nullable [] encrypted,
            boolean hasCredential,
            List<String> headerNames) {}

    /** A provider with its encrypted secrets. */
    @SuppressWarnings("ArrayRecordComponent")
    record StoredProvider(@Nested ModelProvider provider, byte @Nullable [] secrets) {}

    /** False if another provider has the name. */
    @SqlUpdate("""
            INSERT INTO model_provider (organization_id, id, name, kind, base_url, host, api_version, secrets,
                has_credential, header_names, revision, created_by, updated_by, created_at, updated_at)
            VALUES (:organization, :id, :name, :kind, :baseUrl, :host, :apiVersion, :encrypted, :hasCredential,
                :headerNames, 1, :by, :by, :now, :now)
            ON CONFLICT (organization_id, name) DO NOTHING""")
    boolean insert(OrganizationId organization, int id, @BindMethods ProviderValues values, String by, Instant now);

    /** Violates a unique key if another provider has the name. */
    @SqlUpdate("""
            UPDATE model_provider SET name = :name, base_url = :baseUrl, host = :host, api_version = :apiVersion,
                secrets = :encrypted, has_credential = :hasCredential, header_names = :headerNames,
                revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void change(OrganizationId organization, int id, @BindMethods ProviderValues values, String by, Instant now);

    @SqlQuery(SELECT + "AND p.id > :after ORDER BY p.id LIMIT :limit")
    List<ModelProvider> list(OrganizationId organization, int after, int limit);

    @SqlQuery(SELECT + "AND p.id = :id")
    Optional<ModelProvider> find(OrganizationId organization, int id);

    @SqlQuery("SELECT count(*) FROM model_provider WHERE organization_id = :organization")
    int count(OrganizationId organization);

    @SqlQuery("SELECT p.*, 0 AS models FROM model_provider p WHERE p.organization_id = :organization AND p.id = :id")
    Optional<StoredProvider> stored(OrganizationId organization, int id);

    /** Locks it until the transaction ends. */
    @SqlQuery(SELECT + "AND p.id = :id FOR UPDATE OF p")
    Optional<ModelProvider> lock(OrganizationId organization, int id);

    /** Blocks its deletion until the transaction ends; empty if there is none. */
    @SqlQuery("SELECT id FROM model_provider WHERE organization_id = :organization AND id = :id FOR KEY SHARE")
    Optional<Integer> pin(OrganizationId organization, int id);

    @SqlUpdate("DELETE FROM model_provider WHERE organization_id = :organization AND id = :id")
    void delete(OrganizationId organization, int id);
}
