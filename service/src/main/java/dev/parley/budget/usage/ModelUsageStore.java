package dev.parley.budget.usage;

import dev.parley.id.OrganizationId;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code model_usage_day}. */
interface ModelUsageStore {
    /** The maximum number of groups of a report. */
    int MAX_GROUPS = 10_000;

    String SUMS = """
            sum(u.calls)::bigint AS calls, sum(u.input_tokens)::bigint AS input_tokens,
            sum(u.cached_tokens)::bigint AS cached_tokens, sum(u.output_tokens)::bigint AS output_tokens,
            sum(u.reasoning_tokens)::bigint AS reasoning_tokens, sum(u.cost_micros)::bigint AS cost_micros""";

    /** Rows to add to, as columns. */
    record UsageRows(List<Map.Entry<ModelUsageKey, ModelUsageSums>> rows) {
        private <T> List<T> column(Function<ModelUsageKey, T> of) {
            return rows.stream().map(row -> of.apply(row.getKey())).toList();
        }

        private List<Long> sums(Function<ModelUsageSums, Long> of) {
            return rows.stream().map(row -> of.apply(row.getValue())).toList();
        }

        public List<UUID> organizations() {
            return column(key -> key.organization().value());
        }

        public List<String> days() {
            return column(key -> key.day().toString());
        }

        public List<String> models() {
            return column(ModelUsageKey::model);
        }

        public List<String> workflows() {
            return column(key -> key.workflow() == null ? "" : key.workflow().text());
        }

        public List<String> keys() {
            return column(key -> key.apiKey() == null ? "" : key.apiKey().text());
        }

        public List<Long> calls() {
            return sums(ModelUsageSums::calls);
        }

        public List<Long> input() {
            return sums(ModelUsageSums::inputTokens);
        }

        public List<Long> cached() {
            return sums(ModelUsageSums::cachedTokens);
        }

        public List<Long> output() {
            return sums(ModelUsageSums::outputTokens);
        }

        public List<Long> reasoning() {
            return sums(ModelUsageSums::reasoningTokens);
        }

        public List<Long> costs() {
            return sums(ModelUsageSums::costMicros);
        }
    }

    /** Adds to the rows; safe from several nodes. */
    @SqlUpdate("""
            INSERT INTO model_usage_day AS stored (organization_id, day, model, workflow_id, api_key_id, calls,
                input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_micros)
            SELECT u.organization_id, u.day::date, u.model, nullif(u.workflow_id, '')::uuid, nullif(u.api_key_id, '')::uuid,
                u.calls, u.input, u.cached, u.output, u.reasoning, u.cost
            FROM unnest(:organizations::uuid[], :days::text[], :models::text[], :workflows::text[], :keys::text[],
                :calls::bigint[], :input::bigint[], :cached::bigint[], :output::bigint[], :reasoning::bigint[],
                :costs::bigint[])
                AS u (organization_id, day, model, workflow_id, api_key_id, calls, input, cached, output, reasoning, cost)
            WHERE EXISTS (SELECT FROM organization o WHERE o.id = u.organization_id)
            ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (organization_id, day, model, workflow_id, api_key_id) DO UPDATE SET
                calls = stored.calls + EXCLUDED.calls,
                input_tokens = stored.input_tokens + EXCLUDED.input_tokens,
                cached_tokens = stored.cached_tokens + EXCLUDED.cached_tokens,
                output_tokens = stored.output_tokens + EXCLUDED.output_tokens,
                reasoning_tokens = stored.reasoning_tokens + EXCLUDED.reasoning_tokens,
                cost_micros = stored.cost_micros + EXCLUDED.cost_micros""")
    void add(@BindMethods UsageRows rows);

    /**
     * Sums by a column, those with the highest cost first; days in their order.
     *
     * @param key of a {@link UsageGrouping}
     */
    @SqlQuery("""
            SELECT <key> AS key, <name> AS name,\s""" + SUMS + """

            FROM model_usage_day u
            LEFT JOIN workflow w ON w.organization_id = u.organization_id AND w.id = u.workflow_id
            LEFT JOIN api_key k ON k.organization_id = u.organization_id AND k.id = u.api_key_id
            WHERE u.organization_id = :organization AND u.day BETWEEN :from AND :to
            GROUP BY 1, 2
            ORDER BY <order>, key NULLS LAST LIMIT\s""" + MAX_GROUPS)
    List<ModelUsageRow> sums(
            OrganizationId organization,
            LocalDate from,
            LocalDate to,
            @Define String key,
            @Define String name,
            @Define String order);
}
