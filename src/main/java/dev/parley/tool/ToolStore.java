package dev.parley.tool;

import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationCounters;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The table {@code tool}: tools that the organization's own providers offer or once offered. */
@Singleton
public final class ToolStore {
    private static final String COLUMNS = """
            t.id AS tool_id, t.name AS tool_name, p.name AS provider, t.provider_id, t.title, t.description,
            t.input_schema, t.output_schema, t.available AND p.enabled AND p.deleted_at IS NULL AS available, t.created_at,
            t.updated_at""";
    private static final String FROM = """
            FROM tool t JOIN tool_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id""";

    private final Database database;
    private final Clock clock;

    public ToolStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * The filter of a list.
     *
     * @param search a part of the tool's name, title or description, case-insensitive
     */
    public record ToolFilter(
            Optional<Integer> provider,
            Optional<ProviderKind> kind,
            Optional<String> search,
            Optional<Boolean> available) {
        /** Whether a built-in tool matches. */
        boolean matches(Tool tool) {
            String texts = (tool.toolName() + '\n' + tool.title() + '\n' + tool.description()).toLowerCase(Locale.ROOT);
            return provider.map(id -> id == tool.providerId()).orElse(true)
                    && kind.map(requested -> requested == ProviderKind.BUILTIN).orElse(true)
                    && search.map(text -> texts.contains(text.toLowerCase(Locale.ROOT)))
                            .orElse(true)
                    && available.map(requested -> requested == tool.available()).orElse(true);
        }
    }

    /** In id order; tools of deleted providers are not listed. */
    public List<Tool> list(OrganizationId organization, ToolFilter filter, int after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s %s
                        WHERE t.organization_id = :organization AND p.deleted_at IS NULL AND t.id > :after
                          AND (:provider::integer IS NULL OR t.provider_id = :provider::integer)
                          AND (:kind::text IS NULL OR p.kind = :kind::text)
                          AND (:search::text IS NULL OR position(lower(:search::text) IN
                            lower(t.name || E'\\n' || t.title || E'\\n' || t.description)) > 0)
                          AND (:available::boolean IS NULL OR (t.available AND p.enabled) = :available::boolean)
                        ORDER BY t.id LIMIT :limit""".formatted(COLUMNS, FROM))
                .bind("organization", organization)
                .bind("after", after)
                .bind("provider", filter.provider())
                .bind("kind", filter.kind().map(ProviderKind::text))
                .bind("search", filter.search())
                .bind("available", filter.available())
                .bind("limit", limit)
                .mapTo(Tool.class)
                .list());
    }

    public Optional<Tool> find(OrganizationId organization, int id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s %s WHERE t.organization_id = :organization AND t.id = :id""".formatted(COLUMNS, FROM))
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Tool.class)
                .findOne());
    }

    /** The ids of all tools of these providers, available or not, each with its provider's id. */
    public Map<String, String> idsByProvider(Handle handle, OrganizationId organization, List<String> providers) {
        record ToolOfProvider(String tool, String provider) {}
        Map<String, String> ids = new HashMap<>();
        String builtIn = Integer.toString(BuiltInToolId.PROVIDER_ID);
        if (providers.contains(builtIn)) {
            for (BuiltInToolId tool : BuiltInToolId.values()) {
                ids.put(Integer.toString(tool.id()), builtIn);
            }
        }
        handle.createQuery("""
                        SELECT id::text AS tool, provider_id::text AS provider FROM tool
                        WHERE organization_id = :organization AND provider_id = ANY (:providers)""")
                .bind("organization", organization)
                .bindArray(
                        "providers",
                        Integer.class,
                        providers.stream()
                                .filter(id -> id.matches("[0-9]{1,9}"))
                                .map(Integer::valueOf)
                                .toList())
                .mapTo(ToolOfProvider.class)
                .forEach(tool -> ids.put(tool.tool(), tool.provider()));
        return ids;
    }

    /** The data for a call in addition to its arguments. */
    public String binding(OrganizationId organization, int id) {
        return database.with(handle -> handle.createQuery(
                        "SELECT binding FROM tool WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(String.class)
                .one());
    }

    /** Stores the tools that a provider offers now; a tool with an existing name keeps its id. */
    void replace(Handle handle, OrganizationId organization, int provider, List<DiscoveredTool> found) {
        Instant now = clock.instant();
        String[] names = found.stream().map(DiscoveredTool::name).toArray(String[]::new);
        handle.createUpdate("""
                        UPDATE tool SET available = false, updated_at = :now
                        WHERE organization_id = :organization AND provider_id = :provider AND available
                          AND name <> ALL (:names)""")
                .bind("now", now)
                .bind("organization", organization)
                .bind("provider", provider)
                .bindArray("names", String.class, (Object[]) names)
                .execute();
        for (DiscoveredTool tool : found) {
            offer(handle, organization, provider, tool, now);
        }
    }

    /** Stores a tool that a provider offers now; one with an existing name keeps its id. */
    static void offer(Handle handle, OrganizationId organization, int provider, DiscoveredTool tool, Instant now) {
        if (update(handle, organization, provider, tool, now) == 0) {
            insert(handle, organization, provider, tool, now);
        }
    }

    private static int update(
            Handle handle, OrganizationId organization, int provider, DiscoveredTool tool, Instant now) {
        return handle.createUpdate("""
                        UPDATE tool SET title = :title, description = :description, input_schema = :input,
                            output_schema = :output, binding = :binding, available = true,
                            updated_at = CASE WHEN available AND (title, description, input_schema, binding)
                                = (:title, :description, :input, :binding) THEN updated_at ELSE :now END
                        WHERE organization_id = :organization AND provider_id = :provider AND name = :name""")
                .bind("organization", organization)
                .bind("provider", provider)
                .bindMap(bindings(tool))
                .bind("now", now)
                .execute();
    }

    private static void insert(
            Handle handle, OrganizationId organization, int provider, DiscoveredTool tool, Instant now) {
        int id = BuiltInToolId.FIRST_OWN_ID
                - 1
                + handle.attach(OrganizationCounters.class).next(organization, "tool");
        handle.createUpdate("""
                        INSERT INTO tool (organization_id, id, provider_id, name, title, description, input_schema,
                            output_schema, binding, available, created_at, updated_at)
                        VALUES (:organization, :id, :provider, :name, :title, :description, :input, :output, :binding,
                            true, :now, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("provider", provider)
                .bindMap(bindings(tool))
                .bind("now", now)
                .execute();
    }

    private static Map<String, @Nullable Object> bindings(DiscoveredTool tool) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("name", tool.name());
        values.put("title", tool.title());
        values.put("description", tool.description());
        values.put("input", StrictJson.write(tool.inputSchema()));
        values.put("output", tool.outputSchema() == null ? null : StrictJson.write(tool.outputSchema()));
        values.put("binding", tool.binding());
        return values;
    }
}
