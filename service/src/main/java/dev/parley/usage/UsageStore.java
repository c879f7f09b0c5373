package dev.parley.usage;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The tables {@code usage_hour} and {@code usage_hour_of_workflow}. */
interface UsageStore {
    /** The sum of a metric over a step, numbered from 1 on; 0 is all of the time before the first step. */
    record UsageSum(int step, String metric, long value) {}

    /** Counts, each key once. */
    record UsageRows(List<UsageKey> keys, List<Long> values) {
        public List<UUID> organizations() {
            return keys.stream().map(key -> key.organization().value()).toList();
        }

        public List<UUID> workflows() {
            return keys.stream()
                    .map(key -> Objects.requireNonNull(key.workflow()).value())
                    .toList();
        }

        public List<Instant> hours() {
            return keys.stream().map(UsageKey::hour).toList();
        }

        public List<String> metrics() {
            return keys.stream().map(UsageKey::metric).toList();
        }
    }

    /** Adds to the counts of organizations; safe from several nodes. */
    @SqlUpdate("""
            INSERT INTO usage_hour (organization_id, hour, metric, value)
            SELECT u.organization_id, u.hour, u.metric, u.value
            FROM unnest(:organizations::uuid[], :hours::timestamptz[], :metrics::text[], :values::bigint[])
                AS u (organization_id, hour, metric, value)
            WHERE EXISTS (SELECT FROM organization o WHERE o.id = u.organization_id)
            ORDER BY 1, 2, 3
            ON CONFLICT (organization_id, hour, metric) DO UPDATE SET value = usage_hour.value + EXCLUDED.value""")
    void add(@BindMethods UsageRows rows);

    /** Adds to the counts of workflows, as {@link #add} does to those of organizations. */
    @SqlUpdate("""
            INSERT INTO usage_hour_of_workflow AS stored (organization_id, hour, workflow_id, runs_completed,
                runs_failed, runs_cancelled, runs_terminated, input_tokens, output_tokens, cost_micros)
            SELECT u.organization_id, u.hour, u.workflow_id,
                coalesce(sum(value) FILTER (WHERE metric = 'runs_completed'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'runs_failed'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'runs_cancelled'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'runs_terminated'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'input_tokens'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'output_tokens'), 0),
                coalesce(sum(value) FILTER (WHERE metric = 'cost_micros'), 0)
            FROM unnest(:organizations::uuid[], :workflows::uuid[], :hours::timestamptz[], :metrics::text[],
                :values::bigint[]) AS u (organization_id, workflow_id, hour, metric, value)
            WHERE EXISTS (SELECT FROM organization o WHERE o.id = u.organization_id)
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (organization_id, hour, workflow_id) DO UPDATE SET
                runs_completed = stored.runs_completed + EXCLUDED.runs_completed,
                runs_failed = stored.runs_failed + EXCLUDED.runs_failed,
                runs_cancelled = stored.runs_cancelled + EXCLUDED.runs_cancelled,
                runs_terminated = stored.runs_terminated + EXCLUDED.runs_terminated,
                input_tokens = stored.input_tokens + EXCLUDED.input_tokens,
                output_tokens = stored.output_tokens + EXCLUDED.output_tokens,
                cost_micros = stored.cost_micros + EXCLUDED.cost_micros""")
    void addOfWorkflows(@BindMethods UsageRows rows);

    /** The usage of an organization's workflows since then, those with the most ended runs first. */
    @SqlQuery("""
            SELECT workflow_id, sum(runs_completed)::bigint AS runs_completed,
                sum(runs_failed)::bigint AS runs_failed, sum(runs_cancelled)::bigint AS runs_cancelled,
                sum(runs_terminated)::bigint AS runs_terminated, sum(input_tokens)::bigint AS input_tokens,
                sum(output_tokens)::bigint AS output_tokens, sum(cost_micros)::bigint AS cost_micros
            FROM usage_hour_of_workflow
            WHERE organization_id = :organization AND hour >= :since
            GROUP BY workflow_id
            ORDER BY sum(runs_completed + runs_failed + runs_cancelled + runs_terminated) DESC, workflow_id
            LIMIT :limit""")
    List<UsageOfWorkflow> ofWorkflows(OrganizationId organization, Instant since, int limit);

    /** An organization's sums by step, and those from {@code before} to the first step in one. */
    @SqlQuery("""
            SELECT width_bucket(hour, :steps::timestamptz[]) AS step, metric, sum(value)::bigint AS value
            FROM usage_hour WHERE organization_id = :organization AND hour >= :before
            GROUP BY 1, 2""")
    List<UsageSum> sums(OrganizationId organization, Instant before, List<Instant> steps);
}
