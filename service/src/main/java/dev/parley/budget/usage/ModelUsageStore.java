package dev.parley.budget.usage;

import dev.parley.http.json.JsonColumns;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.llm.ChatReply;
import java.time.LocalDate;
import java.util.List;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code model_usage_day}. */
@RegisterArgumentFactory(JsonColumns.class)
interface ModelUsageStore {
    /** The maximum number of groups of a report. */
    int MAX_GROUPS = 10_000;

    String SUMS = """
            sum(u.calls)::bigint AS calls, sum(u.input_tokens)::bigint AS input_tokens,
            sum(u.cached_tokens)::bigint AS cached_tokens, sum(u.output_tokens)::bigint AS output_tokens,
            sum(u.reasoning_tokens)::bigint AS reasoning_tokens, sum(u.cost_micros)::bigint AS cost_micros""";

    /**
     * The dimensions of a count.
     *
     * @param day in UTC, such as {@code 2026-01-31}
     */
    record ModelUsageKey(
            OrganizationId organization,
            String day,
            String model,
            @Nullable WorkflowId workflow,
            @Nullable ApiKeyId apiKey) {}

    /** The calls of a count, with their tokens and cost. */
    record ModelUsageSums(
            long calls, long inputTokens, long cachedTokens, long outputTokens, long reasoningTokens, long costMicros) {
        static ModelUsageSums of(ChatReply reply) {
            return new ModelUsageSums(
                    1,
                    reply.promptTokens(),
                    reply.cachedTokens(),
                    reply.completionTokens(),
                    reply.reasoningTokens(),
                    reply.costMicros());
        }

        ModelUsageSums plus(ModelUsageSums other) {
            return new ModelUsageSums(
                    calls + other.calls,
                    inputTokens + other.inputTokens,
                    cachedTokens + other.cachedTokens,
                    outputTokens + other.outputTokens,
                    reasoningTokens + other.reasoningTokens,
                    costMicros + other.costMicros);
        }
    }

    /** An addition to a row. */
    record UsageCount(ModelUsageKey key, ModelUsageSums sums) {}

    /** Adds to the rows; safe from several nodes. */
    @SqlUpdate("""
            INSERT INTO model_usage_day AS stored (organization_id, day, model, workflow_id, api_key_id, calls,
                input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_micros)
            SELECT k.organization, k.day, k.model, k.workflow, k.api_key, s.*
            FROM json_array_elements(:counts::json) AS c (count)
            CROSS JOIN json_to_record(c.count -> 'key')
                AS k (organization uuid, day date, model text, workflow uuid, api_key uuid)
            CROSS JOIN json_to_record(c.count -> 'sums') AS s (calls bigint, input_tokens bigint, cached_tokens bigint,
                output_tokens bigint, reasoning_tokens bigint, cost_micros bigint)
            WHERE EXISTS (SELECT FROM organization o WHERE o.id = k.organization)
            ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (organization_id, day, model, workflow_id, api_key_id) DO UPDATE SET
                calls = stored.calls + EXCLUDED.calls,
                input_tokens = stored.input_tokens + EXCLUDED.input_tokens,
                cached_tokens = stored.cached_tokens + EXCLUDED.cached_tokens,
                output_tokens = stored.output_tokens + EXCLUDED.output_tokens,
                reasoning_tokens = stored.reasoning_tokens + EXCLUDED.reasoning_tokens,
                cost_micros = stored.cost_micros + EXCLUDED.cost_micros""")
    void add(List<UsageCount> counts);

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
