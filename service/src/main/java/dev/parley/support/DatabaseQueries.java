package dev.parley.support;

import java.util.Locale;

/** What a support bundle reads from the database: numbers and statements, no content. */
enum DatabaseQueries {
    SERVER("""
            SELECT version(), pg_size_pretty(pg_database_size(current_database())) AS size,
                pg_postmaster_start_time()::text AS started, pg_is_in_recovery() AS in_recovery,
                current_setting('max_connections') AS max_connections,
                current_setting('shared_buffers') AS shared_buffers"""),
    MIGRATIONS("""
            SELECT version, description, installed_on::text, success FROM flyway_schema_history
            ORDER BY installed_rank"""),
    NODES("""
            SELECT id::text, name, version, schema_version, started_at::text, lease_until::text,
                lease_until > now() AS alive
            FROM node"""),
    QUEUES("""
            SELECT 'conversations with messages to process' AS queue, count(*) FROM conversation_lease
            UNION ALL SELECT 'instances ' || status, count(*) FROM workflow_instance
                WHERE status IN ('RUNNING', 'PAUSED') GROUP BY status
            UNION ALL SELECT 'instances with computations that did not return', count(*) FROM workflow_instance
                WHERE unreturned_handlings > 0 AND status IN ('RUNNING', 'PAUSED')
            UNION ALL SELECT 'tickets ' || status, count(*) FROM ticket
                WHERE status IN ('OPEN', 'IN_PROGRESS') GROUP BY status
            UNION ALL SELECT 'webhook queues', count(*) FROM webhook_queue
            UNION ALL SELECT 'webhook queues that are due', count(*) FROM webhook_queue WHERE due_at < now()
            UNION ALL SELECT 'emails ' || state, count(*) FROM mail
                WHERE state IN ('PENDING', 'SENDING') GROUP BY state
            UNION ALL SELECT 'timers that are due', count(*) FROM scheduled_tasks
                WHERE execution_time < now() AND NOT picked
            UNION ALL SELECT 'attempts that wait for a budget', count(*) FROM budget_wait"""),
    TABLES("""
            SELECT relname, n_live_tup, n_dead_tup, seq_scan, idx_scan, last_autovacuum::text, last_autoanalyze::text,
                pg_size_pretty(pg_total_relation_size(relid)) AS size
            FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC"""),
    ACTIVITY("""
            SELECT pid, application_name, state, wait_event_type, wait_event, (now() - xact_start)::text AS transaction,
                (now() - query_start)::text AS statement, pg_blocking_pids(pid)::text AS blocked_by,
                left(query, 1000) AS query
            FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            ORDER BY xact_start"""),
    SLOW_STATEMENTS("""
            SELECT calls, round(total_exec_time) AS total_ms, round(mean_exec_time) AS mean_ms,
                round(max_exec_time) AS max_ms, rows, left(query, 1000) AS query
            FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 50""");

    private final String sql;

    DatabaseQueries(String sql) {
        this.sql = sql;
    }

    String sql() {
        return sql;
    }

    String fileName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".txt";
    }
}
