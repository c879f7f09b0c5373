package dev.parley.model;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.OrganizationId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code model}. */
@RegisterColumnMapperFactory(JsonColumns.class)
@RegisterArgumentFactory(JsonColumns.class)
public interface ModelStore {
    /** Whether the operator allows the organization the model. */
    String ALLOWED = """
            o.allowed_models IS NULL OR p.host = ANY (o.allowed_models)
            OR p.host || '/' || m.name = ANY (o.allowed_models)""";

    String FROM = """
            FROM model m
            JOIN model_provider p ON p.organization_id = m.organization_id AND p.id = m.provider_id
            JOIN organization o ON o.id = m.organization_id
            WHERE m.organization_id = :organization\s""";

    String SELECT = """
            SELECT m.id, m.provider_id, m.alias, m.name, m.context_tokens, m.max_output_tokens, m.input_price,
                m.cached_input_price, m.output_price, m.capabilities, m.is_default, m.created_by, m.created_at,
                m.updated_by, m.updated_at, m.revision,\s""" + ALLOWED + " AS allowed " + FROM;

    String ACCESS = """
            SELECT m.id, m.revision, m.alias, m.name, m.max_output_tokens, m.input_price, m.cached_input_price,
                m.output_price, p.id AS provider_id, p.revision AS provider_revision, p.kind, p.base_url, p.api_version,
                p.secrets,\s""" + ALLOWED + " AS allowed " + FROM;

    /** The columns that a request sets. */
    record ModelValues(
            int providerId,
            String alias,
            String name,
            @Nullable Integer contextTokens,
            @Nullable Integer maxOutputTokens,
            BigDecimal inputPrice,
            @Nullable BigDecimal cachedInputPrice,
            BigDecimal outputPrice,
            ModelCapabilities capabilities,
            boolean isDefault) {}

    /** A model and its provider, for calls. */
    @SuppressWarnings("ArrayRecordComponent") // Read as is, and never compared.
    record ModelAccess(
            int id,
            int revision,
            String alias,
            String name,
            @Nullable Integer maxOutputTokens,
            BigDecimal inputPrice,
            @Nullable BigDecimal cachedInputPrice,
            BigDecimal outputPrice,
            int providerId,
            int providerRevision,
            String kind,
            String baseUrl,
            @Nullable String apiVersion,
            byte @Nullable [] secrets,
            boolean allowed) {}

    /** False if another model has the alias. */
    @SqlUpdate("""
            INSERT INTO model (organization_id, id, provider_id, alias, name, context_tokens, max_output_tokens,
                input_price, cached_input_price, output_price, capabilities, is_default, revision, created_by,
                updated_by, created_at, updated_at)
            VALUES (:organization, :id, :providerId, :alias, :name, :contextTokens, :maxOutputTokens, :inputPrice,
                :cachedInputPrice, :outputPrice, :capabilities, :isDefault, 1, :by, :by, :now, :now)
            ON CONFLICT (organization_id, alias) DO NOTHING""")
    boolean insert(OrganizationId organization, int id, @BindMethods ModelValues values, String by, Instant now);

    /** Keeps the revision if nothing changes. */
    @SqlUpdate("""
            UPDATE model SET provider_id = :providerId, name = :name, context_tokens = :contextTokens,
                max_output_tokens = :maxOutputTokens, input_price = :inputPrice,
                cached_input_price = :cachedInputPrice, output_price = :outputPrice, capabilities = :capabilities,
                is_default = :isDefault, revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND id = :id
              AND (provider_id, name, context_tokens, max_output_tokens, input_price, cached_input_price, output_price,
                  capabilities, is_default)
              IS DISTINCT FROM (:providerId, :name, :contextTokens, :maxOutputTokens, :inputPrice, :cachedInputPrice,
                  :outputPrice, :capabilities, :isDefault)""")
    void change(OrganizationId organization, int id, @BindMethods ModelValues values, String by, Instant now);

    @SqlUpdate("""
            UPDATE model SET capabilities = :capabilities, revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND id = :id""")
    void changeCapabilities(
            OrganizationId organization, int id, ModelCapabilities capabilities, String by, Instant now);

    /** Makes the default model an ordinary one. */
    @SqlUpdate("""
            UPDATE model SET is_default = false, revision = revision + 1, updated_by = :by, updated_at = :now
            WHERE organization_id = :organization AND is_default AND id <> :except""")
    void clearDefault(OrganizationId organization, int except, String by, Instant now);

    @SqlQuery(SELECT + "AND m.id > :after ORDER BY m.id LIMIT :limit")
    List<OrganizationModel> list(OrganizationId organization, int after, int limit);

    @SqlQuery(SELECT + "AND m.id = :id")
    Optional<OrganizationModel> find(OrganizationId organization, int id);

    /** Locks it until the transaction ends. */
    @SqlQuery(SELECT + "AND m.id = :id FOR UPDATE OF m")
    Optional<OrganizationModel> lock(OrganizationId organization, int id);

    @SqlQuery("SELECT count(*) FROM model WHERE organization_id = :organization")
    int count(OrganizationId organization);

    @SqlQuery("SELECT EXISTS (SELECT FROM model WHERE organization_id = :organization AND is_default)")
    boolean hasDefault(OrganizationId organization);

    @SqlQuery(
            "SELECT alias FROM model WHERE organization_id = :organization AND provider_id = :provider ORDER BY alias")
    List<String> aliases(OrganizationId organization, int provider);

    @SqlQuery("SELECT alias FROM model WHERE organization_id = :organization ORDER BY alias")
    List<String> aliases(OrganizationId organization);

    /** Those of the aliases that the organization has, and the installation's. */
    @SqlQuery("""
            SELECT alias FROM model WHERE organization_id = :organization AND alias = ANY (:aliases)
            UNION ALL SELECT 'default'""")
    Set<String> known(OrganizationId organization, Collection<String> aliases);

    @SqlQuery(ACCESS + "AND m.alias = :alias")
    Optional<ModelAccess> access(OrganizationId organization, String alias);

    @SqlQuery(ACCESS + "AND m.id = :id")
    Optional<ModelAccess> access(OrganizationId organization, int id);

    @SqlQuery(ACCESS + "AND m.is_default")
    Optional<ModelAccess> accessDefault(OrganizationId organization);

    /** Whether the operator allows the organization the installation's model. */
    @SqlQuery("""
            SELECT allowed_models IS NULL OR 'default' = ANY (allowed_models) FROM organization
            WHERE id = :organization""")
    boolean allowsInstallationModel(OrganizationId organization);

    @SqlUpdate("DELETE FROM model WHERE organization_id = :organization AND id = :id")
    void delete(OrganizationId organization, int id);
}
