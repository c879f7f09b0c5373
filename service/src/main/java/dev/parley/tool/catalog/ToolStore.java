package dev.parley.tool.catalog;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.ProviderKind;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.KeyColumn;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.config.ValueColumn;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code tool}: tools that the organization's own providers offer or once offered. */
@RegisterColumnMapperFactory(JsonColumns.class)
@RegisterArgumentFactory(JsonColumns.class)
public interface ToolStore extends OrganizationCounters {
    String SELECT = """
            SELECT t.id AS tool_id, t.name AS tool_name, p.name AS provider, t.provider_id, t.title, t.description,
                t.input_schema, t.output_schema, t.available AND p.enabled AND p.deleted_at IS NULL AS available,
                t.created_at, t.updated_at
            FROM tool t JOIN tool_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id
            WHERE t.organization_id = :organization
            """;

    /**
     * The filter of a list.
     *
     * @param search a part of the tool's name, title or description, case-insensitive
     */
    record ToolFilter(
            Optional<Integer> provider,
            Optional<ProviderKind> kind,
            Optional<String> search,
            Optional<Boolean> available) {
        /** Whether a built-in tool matches. */
        public boolean matches(Tool tool) {
            String texts = (tool.toolName() + '\n' + tool.title() + '\n' + tool.description()).toLowerCase(Locale.ROOT);
            return provider.map(id -> id == tool.providerId()).orElse(true)
                    && kind.map(requested -> requested == ProviderKind.BUILTIN).orElse(true)
                    && search.map(text -> texts.contains(text.toLowerCase(Locale.ROOT)))
                            .orElse(true)
                    && available.map(requested -> requested == tool.available()).orElse(true);
        }
    }

    /** In id order; tools of deleted providers are not listed. */
    @SqlQuery(SELECT + """
            AND p.deleted_at IS NULL AND t.id > :after
            AND (:provider::integer IS NULL OR t.provider_id = :provider::integer)
            AND (:kind::text IS NULL OR p.kind = lower(:kind::text))
            AND (:search::text IS NULL
              OR strpos(lower(t.name || chr(10) || t.title || chr(10) || t.description), lower(:search::text)) > 0)
            AND (:available::boolean IS NULL OR (t.available AND p.enabled) = :available::boolean)
            ORDER BY t.id LIMIT :limit""")
    List<Tool> list(OrganizationId organization, @BindMethods ToolFilter filter, int after, int limit);

    @SqlQuery(SELECT + "AND t.id = :id")
    Optional<Tool> find(OrganizationId organization, int id);

    /** The ids of all tools of these providers, available or not, each with its provider's id, as texts. */
    @SqlQuery("""
            SELECT id::text AS tool, provider_id::text AS provider FROM tool
            WHERE organization_id = :organization AND provider_id = ANY (:providers::integer[])""")
    @KeyColumn("tool")
    @ValueColumn("provider")
    Map<String, String> ofProviders(OrganizationId organization, List<String> providers);

    /** The available ones among these tools. */
    @SqlQuery("""
            SELECT t.id, p.name AS provider, t.name AS tool, false AS waits, p.kind = 'workflow' AS workflow,
                t.input_schema,
                CASE WHEN p.kind = 'workflow' THEN coalesce(t.output_schema, '{}') ELSE '{}' END AS output_schema
            FROM tool t JOIN tool_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id
            WHERE t.organization_id = :organization AND t.id = ANY (:ids::integer[]) AND t.available
              AND p.deleted_at IS NULL""")
    List<KnownTools.ToolSignature> signatures(OrganizationId organization, List<Integer> ids);

    /** The data for a call in addition to its arguments. */
    @SqlQuery("SELECT binding FROM tool WHERE organization_id = :organization AND id = :id")
    String binding(OrganizationId organization, int id);

    /** Stores which tools a provider offers now, within a transaction. A tool with an existing name keeps its id. */
    default void replace(OrganizationId organization, int provider, List<DiscoveredTool> found, Instant now) {
        withdrawOthers(
                organization, provider, found.stream().map(DiscoveredTool::name).toList(), now);
        found.forEach(tool -> offer(organization, provider, tool, now));
    }

    default void offer(OrganizationId organization, int provider, DiscoveredTool tool, Instant now) {
        if (!update(organization, provider, tool, now)) {
            int id = BuiltInToolId.FIRST_OWN_ID - 1 + next(organization, "tool");
            insert(organization, id, provider, tool, now);
        }
    }

    /** Makes a provider's tools unavailable, except for those with these names. */
    @SqlUpdate("""
            UPDATE tool SET available = false, updated_at = :now
            WHERE organization_id = :organization AND provider_id = :provider AND available
              AND name <> ALL (:names::text[])""")
    void withdrawOthers(OrganizationId organization, int provider, List<String> names, Instant now);

    /** Makes a tool unavailable; its id stays reserved. */
    @SqlUpdate("""
            UPDATE tool SET available = false, updated_at = :now
            WHERE organization_id = :organization AND provider_id = :provider AND name = :name AND available""")
    void withdraw(OrganizationId organization, int provider, String name, Instant now);

    /** Offers a tool that the provider once offered; false if there is none with the name. */
    @SqlUpdate("""
            UPDATE tool SET title = :title, description = :description, input_schema = :inputSchema,
                output_schema = :outputSchema, binding = :binding, available = true,
                updated_at = CASE WHEN available AND (title, description, input_schema, binding)
                    = (:title, :description, :inputSchema, :binding) THEN updated_at ELSE :now END
            WHERE organization_id = :organization AND provider_id = :provider AND name = :name""")
    boolean update(OrganizationId organization, int provider, @BindMethods DiscoveredTool tool, Instant now);

    @SqlUpdate("""
            INSERT INTO tool (organization_id, id, provider_id, name, title, description, input_schema, output_schema,
                binding, available, created_at, updated_at)
            VALUES (:organization, :id, :provider, :name, :title, :description, :inputSchema, :outputSchema, :binding, true,
                :now, :now)""")
    void insert(OrganizationId organization, int id, int provider, @BindMethods DiscoveredTool tool, Instant now);
}
