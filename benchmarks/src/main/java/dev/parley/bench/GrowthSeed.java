package dev.parley.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Fills a database with copies of what the service has written, over the last 90 days. Half of everything belongs to the
 * organization that is measured, the rest to the others in equal parts.
 */
final class GrowthSeed {
    private static final String PERIOD = "interval '89 days'";
    private static final List<String> FILLED = List.of(
            "organization",
            "api_key",
            "app_user",
            "membership",
            "conversation",
            "message",
            "workflow",
            "workflow_version",
            "workflow_instance",
            "workflow_instance_log",
            "workflow_task_attempt",
            "ticket",
            "ticket_assignee",
            "ticket_history",
            "usage_hour");

    /** An id that grows with the time, as the service's do, and can be computed again. */
    private static final String ID_FUNCTION = """
            CREATE FUNCTION bench_id(kind text, n bigint, at timestamptz) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
                SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
                    || substr(md5(kind || n), 1, 3) || '8' || substr(md5(kind || n), 4, 15))::uuid
            $$
            """;

    private final Connection connection;
    private final GrowthSize size;
    private final GrowthTemplates templates;
    private final String measured;

    /** The beginning of the 90 days as a literal: ids depend on it, and seeding may go on past midnight. */
    private final String begin;

    private GrowthSeed(Connection connection, GrowthSize size, GrowthTemplates templates) {
        this.connection = connection;
        this.size = size;
        this.templates = templates;
        this.measured = uuid(templates.tenant().organization());
        this.begin =
                "timestamptz '" + Instant.now().truncatedTo(ChronoUnit.DAYS).minus(90, ChronoUnit.DAYS) + "'";
    }

    static void run(DataSource database, GrowthSize size, GrowthTemplates templates) {
        try (Connection connection = database.getConnection()) {
            new GrowthSeed(connection, size, templates).run();
        } catch (SQLException e) {
            throw new BenchException("The database could not be filled: " + e.getMessage());
        }
    }

    private void run() throws SQLException {
        lowerPriority();
        // Each page of an index that is filled at random would be logged whole after each checkpoint.
        execute("ALTER SYSTEM SET full_page_writes = off");
        execute("SELECT pg_reload_conf()");
        execute("SET maintenance_work_mem = '512MB'");
        execute(ID_FUNCTION);
        organizations();
        conversations();
        messages();
        instances();
        usage();
        for (String table : FILLED) {
            if (exists(table)) {
                execute("VACUUM (ANALYZE) " + table);
            }
        }
        execute("DROP FUNCTION bench_id");
        execute("ALTER SYSTEM RESET full_page_writes");
        execute("SELECT pg_reload_conf()");
        execute("CHECKPOINT");
    }

    /** Others on the machine go first. */
    private void lowerPriority() throws SQLException {
        String pid = value("SELECT pg_backend_pid()");
        try {
            new ProcessBuilder("renice", "-n", "15", "-p", pid).start().waitFor();
        } catch (IOException | InterruptedException e) {
            Bench.say("the priority of seeding stays as it is: " + e);
        }
    }

    private void organizations() throws SQLException {
        String series = "SELECT n, %s AS at FROM generate_series(0, %d) n".formatted(begin, size.organizations() - 1);
        String id = organization("s.n");
        copy("organization", "t.id = " + measured, series, Map.of("id", id, "name", "'Organization ' || s.n"));
        String own = "t.organization_id = " + measured;
        copy("organization_counter", own, series, Map.of("organization_id", id));
        Map<String, String> key = Map.of(
                "organization_id",
                id,
                "id",
                "bench_id('api_key', s.n, s.at)",
                "key_hash",
                "sha256(('key' || s.n)::bytea)");
        copy("api_key", own, series, key);
        String user = "bench_id('user', s.n, s.at)";
        String operator = uuid(templates.tenant().user());
        Map<String, String> owner =
                Map.of("id", user, "operator", "false", "email", "'owner-' || s.n || '@parley.example'");
        copy("app_user", "t.id = " + operator, series, owner);
        copy(
                "membership",
                own + " AND t.user_id = " + operator,
                series,
                Map.of("organization_id", id, "user_id", user));
        copy("workflow", own, series, Map.of("organization_id", id));
        copy("workflow_version", own, series, Map.of("organization_id", id));
        say("organizations");
    }

    private void conversations() throws SQLException {
        String series = "SELECT n, %s + n * interval '1 ms' AS at FROM generate_series(0, %d) n"
                .formatted(begin, size.conversations() - 1);
        copy(
                "conversation",
                "t.id = " + uuid(templates.conversation()),
                series,
                Map.of("organization_id", owner("s.n"), "id", conversation("s.n")));
        say("conversations");
    }

    /** In the order of time, each of another conversation than the one before, as they arrive in reality. */
    private void messages() throws SQLException {
        String series = """
                SELECT n, at, (n * 7919) %% %2$d AS c, (n / %2$d) %% 2 AS is_reply
                FROM (SELECT n, %3$s + (n::float8 / %1$d) * %4$s AS at FROM generate_series(0, %1$d::bigint - 1) n) m
                """.formatted(size.messages(), size.conversations(), begin + " + interval '1 day'", PERIOD);
        String key = value("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'message_pkey'");
        execute("ALTER TABLE message DROP CONSTRAINT message_pkey");
        copy(
                "message",
                "t.conversation_id = " + uuid(templates.conversation()),
                series,
                "(t.type = 'AGENT_RESPONSE') = (s.is_reply = 1)",
                Map.of(
                        "organization_id",
                        owner("s.c"),
                        "conversation_id",
                        conversation("s.c"),
                        "id",
                        "bench_id('message', s.n, s.at)",
                        "content",
                        "'Message ' || s.n || ': ' || t.content"),
                Map.of());
        say("messages");
        execute("ALTER TABLE message ADD CONSTRAINT message_pkey " + key);
        say("index of the messages");
        execute("""
                UPDATE conversation c SET last_message_id = (
                    SELECT m.id FROM message m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
                    ORDER BY m.id DESC LIMIT 1)
                """);
        say("activity of the conversations");
    }

    /** Of a hundred instances one waits for a person, four were answered by one, two were rejected by one. */
    private void instances() throws SQLException {
        instances(templates.completed(), "n % 100 NOT IN (0, 1, 3, 26, 51, 53, 76)", Map.of());
        withTicket(templates.waiting(), "n % 100 = 0");
        withTicket(templates.answered(), "n % 100 IN (1, 26, 51, 76)");
        withTicket(templates.rejected(), "n % 100 IN (3, 53)");
        execute("""
                INSERT INTO organization_counter (organization_id, name, value)
                SELECT organization_id, 'ticket', max(number) FROM ticket GROUP BY organization_id
                ON CONFLICT (organization_id, name) DO UPDATE SET value = EXCLUDED.value
                """);
        say("tickets");
    }

    private void withTicket(GrowthTemplates.InstanceWithTicket template, String which) throws SQLException {
        String ticket = "bench_id('ticket', s.n, s.at)";
        Map<String, String> ids = Map.of(template.ticket(), hex(ticket));
        instances(template.instance(), which, ids);
        Map<String, String> values = new HashMap<>(Map.of(
                "organization_id",
                owner("s.n"),
                "id",
                ticket,
                "number",
                "s.n::integer + 100",
                "workflow_instance_id",
                "bench_id('instance', s.n, s.at)"));
        String series = instanceSeries(which);
        String id = uuid(template.ticket());
        String created = value("SELECT created_at FROM ticket WHERE id = " + id);
        copy("ticket", "t.id = " + id, series, "true", values, created, Map.of());
        values.put("ticket_id", ticket);
        copy("ticket_assignee", "t.ticket_id = " + id, series, "true", values, created, Map.of());
        copy("ticket_history", "t.ticket_id = " + id, series, "true", values, created, Map.of());
    }

    private void instances(String template, String which, Map<String, String> otherIds) throws SQLException {
        String instance = "bench_id('instance', s.n, s.at)";
        String id = uuid(template);
        Map<String, String> ids = new HashMap<>(otherIds);
        ids.put(template, hex(instance));
        String series = instanceSeries(which);
        String created = value("SELECT created_at FROM workflow_instance WHERE id = " + id);
        copy(
                "workflow_instance",
                "t.id = " + id,
                series,
                "true",
                Map.of("organization_id", owner("s.n"), "id", instance, "input_preview", "'Question ' || s.n"),
                created,
                ids);
        Map<String, String> values = Map.of(
                "organization_id",
                owner("s.n"),
                "instance_id",
                instance,
                "id",
                "bench_id('attempt' || t.id, s.n, s.at)");
        for (String table : List.of("workflow_instance_log", "workflow_task_attempt")) {
            if (exists(table)) {
                copy(table, "t.instance_id = " + id, series, "true", without(table, values), created, ids);
            }
        }
        say("instances with " + which);
    }

    /** Only the attempts have an id of their own. */
    private static Map<String, String> without(String table, Map<String, String> values) {
        if (table.equals("workflow_task_attempt")) {
            return values;
        }
        Map<String, String> others = new HashMap<>(values);
        others.remove("id");
        return others;
    }

    private String instanceSeries(String which) {
        return "SELECT n, %s + interval '1 day' + (n::float8 / %d) * %s AS at FROM generate_series(0, %d) n WHERE %s"
                .formatted(begin, size.instances(), PERIOD, size.instances() - 1, which);
    }

    /** The service writes counts every two seconds: waits until nothing has been added for five. */
    private void awaitUsage() throws SQLException {
        String counted = "";
        long since = System.nanoTime();
        while (counted.isEmpty() || counted.equals("0") || System.nanoTime() - since < TimeUnit.SECONDS.toNanos(5)) {
            if (System.nanoTime() - since > TimeUnit.MINUTES.toNanos(1)) {
                throw new BenchException("The service has not counted its usage within a minute.");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            String now = value("SELECT coalesce(sum(value), 0) FROM usage_hour");
            if (!now.equals(counted)) {
                counted = now;
                since = System.nanoTime();
            }
        }
    }

    /** Counts for each hour of the measured organization and for each day of the others. */
    private void usage() throws SQLException {
        awaitUsage();
        String own = "t.organization_id = " + measured;
        String days =
                "SELECT n / 90 AS n, %s + (n %% 90) * interval '1 day' AS at FROM generate_series(0, 90 * %d - 1) n"
                        .formatted(begin, size.organizations());
        copy("usage_hour", own, days, Map.of("organization_id", organization("s.n"), "hour", "s.at"));
        String hours =
                "SELECT n, %s + n * interval '1 hour' AS at FROM generate_series(0, 90 * 24 - 1) n".formatted(begin);
        copy("usage_hour", own, hours, Map.of("hour", "s.at", "value", "t.value * 1000"));
        say("usage");
    }

    private String organization(String number) {
        return "bench_id('organization', %s, %s)".formatted(number, begin);
    }

    /** The organization of a conversation or an instance by its number. */
    private String owner(String number) {
        return "CASE WHEN %1$s %% 2 = 0 THEN %2$s ELSE %3$s END"
                .formatted(number, measured, organization("(%s / 2) %% %d".formatted(number, size.organizations())));
    }

    private String conversation(String number) {
        return "bench_id('conversation', %1$s, %2$s + %1$s * interval '1 ms')".formatted(number, begin);
    }

    private static String hex(String id) {
        return "replace(" + id + "::text, '-', '')";
    }

    private static String uuid(String id) {
        return "'" + Tenant.uuid(id) + "'::uuid";
    }

    private void copy(String table, String templates, String series, Map<String, String> values) throws SQLException {
        copy(table, templates, series, "true", values, Map.of());
    }

    private void copy(
            String table,
            String templates,
            String series,
            String match,
            Map<String, String> values,
            Map<String, String> ids)
            throws SQLException {
        copy(table, templates, series, match, values, value("SELECT now()"), ids);
    }

    private void copy(
            String table,
            String templates,
            String series,
            String match,
            Map<String, String> values,
            String created,
            Map<String, String> ids)
            throws SQLException {
        new RowCopy(table, templates, series, match, values, ids, created).run(connection);
    }

    private boolean exists(String table) throws SQLException {
        return value("SELECT coalesce(to_regclass('" + table + "')::text, '')").equals(table);
    }

    private String value(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void say(String what) {
        Bench.say(size.name() + ": " + what);
    }
}
