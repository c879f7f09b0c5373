package dev.parley.workflow.instance.store;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.id.ConversationId;
import dev.parley.id.IdRange;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/** Reads instances: a single one from its checkpoint and the log after it, or many for lists, sweeps and takeovers. */
@Singleton
public final class InstanceReader {
    /** Larger states are not read for the error of a failed instance in a list. */
    private static final int MAX_PARSED_BYTES = 64 << 10;

    private static final String ERROR_PREVIEW = """
            , CASE WHEN status = 'FAILED' AND pg_column_size(state) <= %d AND strpos(state, '\\u0000') = 0
                 THEN nullif(left(concat_ws(': ', state::json #>> '{error,error}', state::json #>> '{error,detail}'),
                    200), '')
            END AS error_preview
            """.formatted(MAX_PARSED_BYTES);

    /** The maximum number of previews that one search reads, which bounds its time. */
    private static final int MAX_SEARCHED = 20_000;

    /** The newest failed instances that are counted by workflow. */
    private static final int MAX_FAILURES = 1_000;

    /** A page of the history ends early if its deltas exceed this many bytes. */
    private static final int LOG_BYTES = 4 << 20;

    private final Database database;
    private final PlanCache plans;

    public InstanceReader(Database database, PlanCache plans) {
        this.database = database;
        this.plans = plans;
    }

    /**
     * A filter for lists; null members match all.
     *
     * @param statuses empty for all
     * @param parent the instance whose sub-workflows are listed
     * @param testRun whether only test runs match, or only others
     * @param text an id, its beginning, or a part of the input preview; previews are searched in the newest 20,000
     *     instances that match the rest
     */
    public record InstanceFilter(
            Set<InstanceStatus> statuses,
            @Nullable WorkflowId workflow,
            @Nullable WorkflowInstanceId parent,
            @Nullable Integer teamId,
            @Nullable Boolean testRun,
            @Nullable Instant createdSince,
            @Nullable Instant createdUntil,
            @Nullable String text) {
        public InstanceFilter {
            statuses = Set.copyOf(statuses);
        }
    }

    /** A row of a list. */
    public record ListedInstance(
            InstanceHeader header,
            InstanceStatus status,
            Instant updatedAt,
            @Nullable Instant finishedAt,
            @Nullable String errorPreview) {}

    /** A row of the history. */
    public record LogRow(
            int version,
            Instant at,
            String event,
            String actor,
            @Nullable String steps,
            String delta) {}

    /**
     * An instance and its owner.
     *
     * @param owner the node that runs it; null for none
     * @param checkpoint the version of the complete state in the row; the log has the later changes
     */
    public record OwnedInstance(
            StoredInstance instance, @Nullable NodeId owner, int checkpoint) {
        public InstanceHeader header() {
            return instance.header();
        }

        public InstanceState state() {
            return instance.state();
        }
    }

    public Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id) {
        return findOwned(organization, id).map(OwnedInstance::instance);
    }

    public Optional<OwnedInstance> findOwned(OrganizationId organization, WorkflowInstanceId id) {
        return database.transaction(handle -> {
            Optional<InstanceRow> found = handle.createQuery("SELECT " + InstanceRows.COLUMNS
                            + " FROM workflow_instance WHERE organization_id = :organization AND id = :id")
                    .bind("organization", organization)
                    .bind("id", id)
                    .map((row, _) -> InstanceRow.read(row))
                    .findOne();
            return found.map(row -> new OwnedInstance(
                    new StoredInstance(row.header, state(handle, row)),
                    row.owner == null ? null : new NodeId(row.owner),
                    row.stateVersion));
        });
    }

    /** Whether no node has stored a later version: versions have no gaps, so checking the next one suffices. */
    public boolean isLatest(OrganizationId organization, WorkflowInstanceId id, int version) {
        return database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT 1 FROM workflow_instance_log
                    WHERE organization_id = ? AND instance_id = ? AND version = ?
                    """)) {
                statement.setObject(1, organization.value());
                statement.setObject(2, id.value());
                statement.setInt(3, version + 1);
                try (ResultSet row = statement.executeQuery()) {
                    return !row.next();
                }
            }
        });
    }

    private InstanceState state(Handle handle, InstanceRow row) {
        ExecutionPlan plan = plans.of(row.header);
        InstanceState state = InstanceJson.readState(row.state, plan);
        if (row.status.isTerminal() && row.stateVersion > 0) {
            return state;
        }
        List<String> later = handle.createQuery("""
                        SELECT delta FROM workflow_instance_change
                        WHERE organization_id = :organization AND instance_id = :id AND row_version > :version
                          AND version > :version
                        ORDER BY row_version, version
                        """)
                .bind("organization", row.header.organization())
                .bind("id", row.header.id())
                .bind("version", row.stateVersion)
                .mapTo(String.class)
                .list();
        for (String delta : later) {
            state = InstanceJson.readDelta(delta).applyTo(state);
        }
        return state;
    }

    /** Newest first, older than {@code after}. */
    public List<ListedInstance> list(
            OrganizationId organization, InstanceFilter filter, @Nullable WorkflowInstanceId after, int limit) {
        Map<String, Object> values = new HashMap<>();
        String matching = matching(organization, filter, after, values);
        return database.with(handle -> handle.createQuery(
                        // Parses only the states of the page.
                        "SELECT " + InstanceRows.LISTED_COLUMNS + ERROR_PREVIEW + " FROM (SELECT * FROM (" + matching
                                + ") found ORDER BY id DESC LIMIT :limit) page ORDER BY id DESC")
                .bindMap(values)
                .bind("limit", limit)
                .map((row, _) -> new ListedInstance(
                        InstanceRows.header(row),
                        InstanceStatus.valueOf(row.getString("status")),
                        InstanceRows.time(row, "updated_at"),
                        row.getObject("finished_at") == null ? null : InstanceRows.time(row, "finished_at"),
                        row.getString("error_preview")))
                .list());
    }

    /** The number of instances that match, at most {@code limit}. */
    public int count(OrganizationId organization, InstanceFilter filter, int limit) {
        Map<String, Object> values = new HashMap<>();
        String matching = matching(organization, filter, null, values);
        return database.with(handle -> handle.createQuery(
                        "SELECT count(*) FROM (SELECT FROM (" + matching + ") found LIMIT :limit) i")
                .bindMap(values)
                .bind("limit", limit)
                .mapTo(Integer.class)
                .one());
    }

    /** The query of the newest {@code :limit} instances that match; adds its other parameters to {@code values}. */
    private static String matching(
            OrganizationId organization,
            InstanceFilter filter,
            @Nullable WorkflowInstanceId after,
            Map<String, Object> values) {
        String where = conditions(organization, filter, after, values);
        Optional<IdRange> ids = Optional.ofNullable(filter.text).flatMap(IdRange::ofPrefix);
        ids.ifPresent(range -> {
            values.put("from", range.from());
            values.put("to", range.to());
        });
        String byId = newest(where + " AND id BETWEEN :from AND :to", filter.statuses, ":limit");
        if (filter.text == null) {
            return newest(where, filter.statuses, ":limit");
        }
        if (WorkflowInstanceId.parse(filter.text).isPresent()) {
            return byId;
        }
        values.put("text", "%" + filter.text.replaceAll("([\\\\%_])", "\\\\$1") + "%");
        String byText = "SELECT * FROM (" + newest(where, filter.statuses, String.valueOf(MAX_SEARCHED)) + ") searched"
                + " WHERE input_preview ILIKE :text";
        if (ids.isPresent()) {
            byText = "(" + byId + ") UNION ALL (" + byText + " AND id NOT BETWEEN :from AND :to)";
        }
        return "SELECT * FROM (" + byText + ") found ORDER BY id DESC";
    }

    /** The conditions except the status and the text. */
    private static String conditions(
            OrganizationId organization,
            InstanceFilter filter,
            @Nullable WorkflowInstanceId after,
            Map<String, Object> values) {
        var where = new StringBuilder("organization_id = :organization");
        values.put("organization", organization);
        if (after != null) {
            where.append(" AND id < :after");
            values.put("after", after);
        }
        if (filter.workflow != null) {
            where.append(" AND workflow_id = :workflow");
            values.put("workflow", filter.workflow);
        }
        if (filter.parent != null) {
            where.append(" AND parent_instance_id = :parent");
            values.put("parent", filter.parent);
        }
        if (filter.teamId != null) {
            where.append(" AND team_id = :team");
            values.put("team", filter.teamId);
        }
        if (filter.testRun != null) {
            where.append(filter.testRun ? " AND test_run" : " AND NOT test_run");
        }
        if (filter.createdSince != null) {
            where.append(" AND created_at >= :since");
            values.put("since", filter.createdSince);
        }
        if (filter.createdUntil != null) {
            where.append(" AND created_at < :until");
            values.put("until", filter.createdUntil);
        }
        return where.toString();
    }

    /** The newest instances; each status is one index range. Literals let PostgreSQL use the partial index. */
    private static String newest(String where, Set<InstanceStatus> statuses, String limit) {
        String end = " ORDER BY id DESC LIMIT " + limit;
        if (statuses.isEmpty()) {
            return "SELECT * FROM workflow_instance WHERE " + where + end;
        }
        return statuses.stream()
                .sorted()
                .map(status -> "(SELECT * FROM workflow_instance WHERE " + where + " AND status = '" + status.name()
                        + "'" + end + ")")
                .collect(Collectors.joining(" UNION ALL ", "SELECT * FROM (", ") ranges" + end));
    }

    /** The number of failed instances of a workflow. */
    @Schema(name = "FailedRuns")
    public record FailedRuns(
            WorkflowId workflowId, @Schema(examples = "3") int count) {}

    /** The failed instances that were created since, without test runs, by workflow, most first. */
    public List<FailedRuns> failures(OrganizationId organization, Instant since) {
        return database.with(handle -> handle.createQuery("""
                        SELECT workflow_id, count(*) AS count FROM (
                            SELECT workflow_id, created_at FROM workflow_instance
                            WHERE organization_id = :organization AND status = 'FAILED' AND id >= :oldest
                              AND NOT test_run
                            ORDER BY id DESC LIMIT :most
                        ) newest WHERE created_at >= :since
                        GROUP BY workflow_id ORDER BY count DESC, workflow_id
                        """)
                .bind("organization", organization)
                .bind("since", since)
                .bind("oldest", UuidV7.floor(since))
                .bind("most", MAX_FAILURES)
                .mapTo(FailedRuns.class)
                .list());
    }

    /**
     * The history after a version, oldest first: at most {@code limit} rows, fewer if they are large, but at least one
     * if there is one.
     */
    public Page<LogRow> log(OrganizationId organization, WorkflowInstanceId id, int afterVersion, int limit) {
        record FoundLogRow(@Nested LogRow row, int found) {}
        List<FoundLogRow> rows = database.with(handle -> handle.createQuery("""
                        SELECT version, at, event, actor, steps, delta, found FROM (
                            SELECT p.*, count(*) OVER () AS found,
                                sum(octet_length(delta)) OVER (ORDER BY version) - octet_length(delta) AS older
                            FROM (
                                SELECT version, at, event, actor, steps, delta FROM workflow_instance_change
                                WHERE organization_id = :organization AND instance_id = :id AND row_version > :after
                                  AND version > :after
                                ORDER BY row_version, version LIMIT :limit
                            ) p
                        ) l WHERE older < :bytes ORDER BY version
                        """)
                .bind("organization", organization)
                .bind("id", id)
                .bind("after", afterVersion)
                .bind("limit", limit + 1)
                .bind("bytes", LOG_BYTES)
                .mapTo(FoundLogRow.class)
                .list());
        List<LogRow> page = rows.stream().limit(limit).map(FoundLogRow::row).toList();
        boolean more = !rows.isEmpty() && rows.getFirst().found > page.size();
        return new Page<>(page, more ? Integer.toString(page.getLast().version()) : null);
    }

    /** The unfinished instance of a conversation; at most one, because messages start them one at a time. */
    public Optional<WorkflowInstanceId> unfinishedOf(OrganizationId organization, ConversationId conversation) {
        return database.with(handle -> handle.createQuery("""
                        SELECT id FROM workflow_instance
                        WHERE organization_id = :organization AND conversation_id = :conversation
                          AND conversation_id IS NOT NULL AND status IN ('RUNNING', 'PAUSED')
                        ORDER BY id LIMIT 1
                        """)
                .bind("organization", organization)
                .bind("conversation", conversation)
                .mapTo(WorkflowInstanceId.class)
                .findOne());
    }

    /** The outputs of the conversation's earlier COMPLETED instances, newest first. */
    public List<Map<String, @Nullable Object>> earlierOutputs(
            OrganizationId organization, ConversationId conversation, WorkflowInstanceId before, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT (CAST(state AS json) -> 'output')::text FROM workflow_instance
                        WHERE organization_id = :organization AND conversation_id = :conversation
                          AND conversation_id IS NOT NULL AND status = 'COMPLETED' AND id < :before
                        ORDER BY id DESC LIMIT :limit
                        """)
                .bind("organization", organization)
                .bind("conversation", conversation)
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> InstanceJson.readValues(row.getColumn(1, String.class)))
                .list());
    }

    /** Unfinished instances that reached their time limit. */
    public List<InstanceKey> overdue(Instant now) {
        return database.with(handle -> handle.createQuery("""
                        SELECT organization_id AS organization, id FROM workflow_instance
                        WHERE status IN ('RUNNING', 'PAUSED') AND deadline < :now
                          AND (wake_at IS NULL OR node_id IS NOT NULL) LIMIT 200
                        """)
                .bind("now", now)
                .mapTo(InstanceKey.class)
                .list());
    }

    /** Unfinished instances of organizations that were deleted. */
    public List<InstanceKey> ofDeletedOrganizations() {
        return database.with(
                handle -> handle.createQuery("""
                        SELECT i.organization_id AS organization, i.id FROM organization o
                        JOIN workflow_instance i ON i.organization_id = o.id AND i.status IN ('RUNNING', 'PAUSED')
                        WHERE o.deleted_at IS NOT NULL LIMIT 200
                        """).mapTo(InstanceKey.class).list());
    }

    private record InstanceRow(
            InstanceHeader header,
            InstanceStatus status,
            @Nullable UUID owner,
            String state,
            int stateVersion) {
        static InstanceRow read(ResultSet row) throws SQLException {
            return new InstanceRow(
                    InstanceRows.header(row),
                    InstanceStatus.valueOf(row.getString("status")),
                    row.getObject("node_id", UUID.class),
                    row.getString("state"),
                    row.getInt("state_version"));
        }
    }
}
