package dev.parley.budget;

import dev.parley.id.ApiKeyId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/**
 * The tables of budgets. Each statement that changes periods first locks them in the order of their keys; reservations
 * are locked before periods.
 */
interface BudgetStore {
    /** The maximum number of budgets per organization: each call locks those that match. */
    int MAX_PER_ORGANIZATION = 100;

    String BUDGETS = """
            SELECT b.id, b.scope, replace(b.scope_id::text, '-', '') AS scope_id, coalesce(k.name, w.name) AS scope_name,
                b.period, b.unit, b.amount AS "limit", coalesce(p.used, 0) AS used, coalesce(p.reserved, 0) AS reserved,
                CASE WHEN p.used >= b.amount OR p.used + p.reserved + p.refused > b.amount THEN 'BLOCKED'
                    WHEN p.used * 5 >= b.amount * 4 THEN 'WARNED' ELSE 'OK' END AS state,
                CASE b.period WHEN 'DAY' THEN :dayEnd::timestamptz ELSE :monthEnd::timestamptz END AS resets_at,
                b.created_at, b.created_by, b.updated_at, b.updated_by, b.revision
            FROM budget b
            LEFT JOIN budget_period p ON p.organization_id = b.organization_id AND p.budget_id = b.id
              AND p.starts_at = CASE b.period WHEN 'DAY' THEN :day::timestamptz ELSE :month::timestamptz END
            LEFT JOIN api_key k ON b.scope = 'API_KEY' AND k.organization_id = b.organization_id AND k.id = b.scope_id
            LEFT JOIN workflow w ON b.scope = 'WORKFLOW' AND w.organization_id = b.organization_id AND w.id = b.scope_id
            WHERE b.organization_id = :organization\s""";

    /** The current periods. */
    record PeriodBounds(Instant day, Instant dayEnd, Instant month, Instant monthEnd) {
        static PeriodBounds of(Instant now) {
            return new PeriodBounds(
                    BudgetPeriod.DAY.start(now),
                    BudgetPeriod.DAY.end(now),
                    BudgetPeriod.MONTH.start(now),
                    BudgetPeriod.MONTH.end(now));
        }
    }

    /** @param scopeIds the key, and those that replaced it, or the workflow; empty for the organization */
    record MatchableBudget(int id, BudgetScope scope, Set<String> scopeIds, BudgetPeriod period, BudgetUnit unit) {}

    /** The estimate of a call in the unit of one budget. */
    record PeriodAmount(int budget, Instant startsAt, long amount) {}

    /** The estimate of a call for all budgets that match, as columns. */
    record PeriodAmounts(List<PeriodAmount> all) {
        public List<Integer> ids() {
            return all.stream().map(PeriodAmount::budget).toList();
        }

        public List<Instant> starts() {
            return all.stream().map(PeriodAmount::startsAt).toList();
        }

        public List<Long> amounts() {
            return all.stream().map(PeriodAmount::amount).toList();
        }
    }

    /**
     * A budget of a reservation, before it.
     *
     * @param refused as in the table
     */
    record LockedPeriod(
            int budgetId,
            Instant startsAt,
            long limit,
            long used,
            long reserved,
            long amount,
            @Nullable Long refused) {
        boolean isExceeded() {
            return used + reserved + amount > limit;
        }
    }

    /** An attempt of a task that waits until a budget allows its call. */
    record BudgetWait(
            OrganizationId organizationId,
            WorkflowInstanceId workflowInstanceId,
            String taskId,
            int attempt,
            WorkflowId workflowId,
            @Nullable ApiKeyId apiKeyId,
            long tokens,
            long costMicros,
            Instant at) {}

    @SqlQuery(BUDGETS + "AND b.id > :after ORDER BY b.id LIMIT :limit")
    List<Budget> list(OrganizationId organization, @BindMethods PeriodBounds bounds, int after, int limit);

    @SqlQuery(BUDGETS + "AND b.id = :id")
    Optional<Budget> find(OrganizationId organization, int id, @BindMethods PeriodBounds bounds);

    @SqlQuery(BUDGETS + "AND b.id = :id FOR NO KEY UPDATE OF b")
    Optional<Budget> lock(OrganizationId organization, int id, @BindMethods PeriodBounds bounds);

    /** The budgets by which calls are checked, by id. */
    @SqlQuery("""
            SELECT b.id, b.scope, b.period, b.unit, ARRAY(
                    WITH RECURSIVE scoped AS (
                        SELECT b.scope_id AS id
                        UNION
                        SELECT k.replaced_by FROM scoped s
                        JOIN api_key k ON k.organization_id = :organization AND k.id = s.id
                    ) SELECT replace(id::text, '-', '') FROM scoped WHERE id IS NOT NULL
                ) AS scope_ids
            FROM budget b WHERE b.organization_id = :organization ORDER BY b.id""")
    List<MatchableBudget> matchable(OrganizationId organization);

    @SqlQuery("SELECT count(*) FROM budget WHERE organization_id = :organization")
    int count(OrganizationId organization);

    @SqlQuery("""
            SELECT CASE :scope
                WHEN 'API_KEY' THEN EXISTS (SELECT FROM api_key WHERE organization_id = :organization AND id = :id::uuid)
                ELSE EXISTS (SELECT FROM workflow WHERE organization_id = :organization AND id = :id::uuid) END""")
    boolean hasScope(OrganizationId organization, BudgetScope scope, UUID id);

    /** False if there is one of the same scope, period and unit. */
    @SqlUpdate("""
            INSERT INTO budget (organization_id, id, scope, scope_id, period, unit, amount, created_at, created_by,
                updated_at, updated_by)
            VALUES (:organization, :id, :scope, :scopeId::uuid, :period, :unit, :limit, :now, :by, :now, :by)
            ON CONFLICT DO NOTHING""")
    boolean insert(
            OrganizationId organization,
            int id,
            BudgetScope scope,
            @Nullable UUID scopeId,
            BudgetPeriod period,
            BudgetUnit unit,
            long limit,
            String by,
            Instant now);

    @SqlUpdate("""
            UPDATE budget SET amount = :limit, updated_at = :now, updated_by = :by, revision = revision + 1
            WHERE organization_id = :organization AND id = :id""")
    void update(OrganizationId organization, int id, long limit, String by, Instant now);

    /** Lets a budget with another limit warn again, if it does not have to already. */
    @SqlUpdate("""
            UPDATE budget_period SET warned = warned AND used * 5 >= :limit * 4,
                refused = CASE WHEN used + reserved + refused > :limit THEN refused END
            WHERE organization_id = :organization AND budget_id = :id
              AND starts_at IN (:day::timestamptz, :month::timestamptz)""")
    void rearm(OrganizationId organization, int id, long limit, @BindMethods PeriodBounds bounds);

    @SqlUpdate("DELETE FROM budget WHERE organization_id = :organization AND id = :id")
    boolean delete(OrganizationId organization, int id);

    /**
     * Reserves in all budgets, or in none if one of them would be exceeded or has no row of the period. Returns the rows
     * that exist, as they were before.
     */
    @SqlQuery("""
            WITH locked AS MATERIALIZED (
                SELECT p.budget_id, p.starts_at, b.amount AS "limit", p.used, p.reserved, w.amount, p.refused
                FROM unnest(:ids::integer[], :starts::timestamptz[], :amounts::bigint[])
                    AS w (budget_id, starts_at, amount)
                JOIN budget_period p ON p.organization_id = :organization AND p.budget_id = w.budget_id
                  AND p.starts_at = w.starts_at
                JOIN budget b ON b.organization_id = :organization AND b.id = w.budget_id
                ORDER BY p.budget_id FOR UPDATE OF p
            ), allowed AS MATERIALIZED (
                SELECT count(*) AS periods FROM locked
                HAVING count(*) = cardinality(:ids::integer[]) AND bool_and(used + reserved + amount <= "limit")
            ), changed AS (
                UPDATE budget_period p SET reserved = p.reserved + l.amount FROM locked l, allowed
                WHERE p.organization_id = :organization AND p.budget_id = l.budget_id AND p.starts_at = l.starts_at
            ), stored AS (
                INSERT INTO budget_reservation (organization_id, id, node_id, at, budget_ids, starts_at, amounts)
                SELECT :organization, :id, :node, :now, :ids::integer[], :starts::timestamptz[], :amounts::bigint[]
                FROM allowed
            )
            SELECT * FROM locked ORDER BY budget_id""")
    List<LockedPeriod> reserve(
            OrganizationId organization, UUID id, NodeId node, @BindMethods PeriodAmounts wanted, Instant now);

    /** Creates missing rows of periods, and deletes those of old ones; returns the budgets that exist. */
    @SqlQuery("""
            WITH wanted AS MATERIALIZED (
                SELECT w.budget_id, w.starts_at
                FROM unnest(:ids::integer[], :starts::timestamptz[]) AS w (budget_id, starts_at)
                JOIN budget b ON b.organization_id = :organization AND b.id = w.budget_id
                FOR KEY SHARE OF b
            ), deleted AS (
                DELETE FROM budget_period p USING wanted w
                WHERE p.organization_id = :organization AND p.budget_id = w.budget_id
                  AND p.starts_at < w.starts_at - interval '62 days'
            ), created AS (
                INSERT INTO budget_period (organization_id, budget_id, starts_at)
                SELECT :organization, budget_id, starts_at FROM wanted ORDER BY budget_id
                ON CONFLICT DO NOTHING
            )
            SELECT budget_id FROM wanted""")
    Set<Integer> insertPeriods(OrganizationId organization, @BindMethods PeriodAmounts wanted);

    /**
     * Ends a reservation once: releases it, unless that was done when its node died, and adds what the call used. Returns
     * the budgets that must warn now.
     */
    @SqlQuery("""
            WITH ended AS (
                DELETE FROM budget_reservation WHERE organization_id = :organization AND id = :id
                RETURNING node_id, budget_ids, starts_at, amounts
            ), locked AS MATERIALIZED (
                SELECT p.budget_id, p.starts_at, p.warned, b.unit, b.amount AS "limit",
                    CASE WHEN e.node_id IS NULL THEN 0 ELSE w.amount END AS amount
                FROM ended e
                CROSS JOIN LATERAL unnest(e.budget_ids, e.starts_at, e.amounts) AS w (budget_id, starts_at, amount)
                JOIN budget_period p ON p.organization_id = :organization AND p.budget_id = w.budget_id
                  AND p.starts_at = w.starts_at
                JOIN budget b ON b.organization_id = :organization AND b.id = w.budget_id
                ORDER BY p.budget_id FOR UPDATE OF p
            ), changed AS (
                UPDATE budget_period p SET reserved = p.reserved - l.amount,
                    used = p.used + CASE l.unit WHEN 'COST' THEN :costMicros ELSE :tokens END,
                    warned = p.warned
                        OR (p.used + CASE l.unit WHEN 'COST' THEN :costMicros ELSE :tokens END) * 5 >= l."limit" * 4
                FROM locked l
                WHERE p.organization_id = :organization AND p.budget_id = l.budget_id AND p.starts_at = l.starts_at
                RETURNING p.budget_id, p.warned AND NOT l.warned AS must_warn
            )
            SELECT budget_id FROM changed WHERE must_warn ORDER BY budget_id""")
    List<Integer> settle(OrganizationId organization, UUID id, long tokens, long costMicros);

    /** Remembers the lowest estimate that was refused; returns whether it is the first of the period. */
    @SqlQuery("""
            UPDATE budget_period p SET refused = least(p.refused, :amount)
            FROM (
                SELECT refused FROM budget_period
                WHERE organization_id = :organization AND budget_id = :budget AND starts_at = :startsAt FOR UPDATE
            ) before
            WHERE p.organization_id = :organization AND p.budget_id = :budget AND p.starts_at = :startsAt
            RETURNING before.refused IS NULL""")
    Optional<Boolean> refuse(OrganizationId organization, int budget, Instant startsAt, long amount);

    /** Releases the reservations of nodes that are not alive. */
    @SqlUpdate("""
            WITH released AS (
                UPDATE budget_reservation r SET node_id = NULL
                WHERE node_id IS NOT NULL AND NOT EXISTS (SELECT FROM node n WHERE n.id = r.node_id)
                RETURNING organization_id, budget_ids, starts_at, amounts
            ), sums AS (
                SELECT r.organization_id, w.budget_id, w.starts_at, sum(w.amount)::bigint AS amount
                FROM released r
                CROSS JOIN LATERAL unnest(r.budget_ids, r.starts_at, r.amounts) AS w (budget_id, starts_at, amount)
                GROUP BY 1, 2, 3
            ), locked AS MATERIALIZED (
                SELECT s.* FROM sums s JOIN budget_period p ON p.organization_id = s.organization_id
                  AND p.budget_id = s.budget_id AND p.starts_at = s.starts_at
                ORDER BY p.organization_id, p.budget_id, p.starts_at FOR UPDATE OF p
            )
            UPDATE budget_period p SET reserved = p.reserved - l.amount FROM locked l
            WHERE p.organization_id = l.organization_id AND p.budget_id = l.budget_id AND p.starts_at = l.starts_at""")
    void release();

    @SqlUpdate("DELETE FROM budget_reservation WHERE node_id IS NULL AND at < :before")
    void deleteReleased(Instant before);

    /** The addresses of the organization's owners and admins who can sign in. */
    @SqlQuery("""
            SELECT u.email FROM membership m JOIN app_user u ON u.id = m.user_id
            WHERE m.organization_id = :organization AND m.role IN ('owner', 'admin') AND (u.password_hash IS NOT NULL
                OR EXISTS (SELECT FROM user_identity i WHERE i.user_id = u.id))
            ORDER BY u.email""")
    List<String> adminEmails(OrganizationId organization);

    @SqlUpdate("""
            INSERT INTO budget_wait (organization_id, workflow_instance_id, task_id, attempt, workflow_id, api_key_id,
                tokens, cost_micros, at)
            VALUES (:organizationId, :workflowInstanceId, :taskId, :attempt, :workflowId, :apiKeyId::uuid, :tokens,
                :costMicros, :at)
            ON CONFLICT DO NOTHING""")
    void insertWait(@BindMethods BudgetWait wait);

    /** Deletes those of ended instances, which may never fit. */
    @SqlUpdate("""
            DELETE FROM budget_wait b USING workflow_instance i
            WHERE b.organization_id = :organization AND i.organization_id = :organization
              AND i.id = b.workflow_instance_id AND i.status NOT IN ('RUNNING', 'PAUSED')""")
    void deleteEndedWaits(OrganizationId organization);

    @SqlQuery(
            "SELECT * FROM budget_wait WHERE organization_id = :organization ORDER BY at, workflow_instance_id LIMIT 10000")
    List<BudgetWait> waits(OrganizationId organization);

    @SqlUpdate("""
            DELETE FROM budget_wait WHERE organization_id = :organizationId
              AND workflow_instance_id = :workflowInstanceId AND task_id = :taskId AND attempt = :attempt""")
    void deleteWait(@BindMethods BudgetWait wait);

    /** The organizations with tasks that wait, each found by one step in the index. */
    @SqlQuery("""
            WITH RECURSIVE found AS (
                (SELECT organization_id FROM budget_wait ORDER BY organization_id LIMIT 1)
                UNION ALL
                SELECT (SELECT w.organization_id FROM budget_wait w WHERE w.organization_id > f.organization_id
                    ORDER BY w.organization_id LIMIT 1)
                FROM found f WHERE f.organization_id IS NOT NULL
            ) SELECT organization_id FROM found WHERE organization_id IS NOT NULL""")
    List<OrganizationId> organizationsWaiting();
}
