package dev.parley.workflow.instance.store;

import dev.parley.db.BatchInsert;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ApiKeyId;
import dev.parley.id.ConversationId;
import dev.parley.id.Id;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.AttemptRow;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceHeader.ParentTask;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of instances and of their log: parts of statements with one array per column, their parameters, and the
 * way back from a row. Every engine writes with them.
 */
public final class InstanceRows {
    /** The maximum distance between complete states in a row, which bounds the log rows read on load. */
    public static final int CHECKPOINT_EVERY = 64;

    private record Column(String name, String type, Function<StoredChange, ? extends @Nullable Object> value) {}

    private static final List<Column> ROW = List.of(
            id("organization_id", change -> change.header().organization()),
            id("id", change -> change.header().id()),
            id("workflow_id", change -> change.header().workflow()),
            new Column("workflow_version", "int4", change -> change.header().workflowVersion()),
            text("definition", change -> change.header().definition()),
            new Column("test_run", "bool", change -> change.header().testRun()),
            id("conversation_id", change -> change.header().conversation()),
            new Column("team_id", "int4", change -> change.header().teamId()),
            id("rerun_of", change -> change.header().rerunOf()),
            text("rerun_from_task", change -> change.header().rerunFromTask()),
            id("parent_instance_id", change -> ifPresent(change.header().parent(), ParentTask::instance)),
            text("parent_task", change -> ifPresent(change.header().parent(), ParentTask::task)),
            text("parent_key", change -> ifPresent(change.header().parent(), ParentTask::key)),
            new Column("depth", "int4", change -> change.header().depth()),
            text("input_preview", change -> change.header().inputPreview()),
            text("status", change -> change.state().status().name()),
            id("node_id", StoredChange::owner),
            text("state", StoredChange::rowState),
            new Column("state_version", "int4", StoredChange::rowVersion),
            text("created_by", change -> change.header().createdBy()),
            id("api_key_id", change -> change.header().apiKey()),
            time("created_at", change -> change.header().createdAt()),
            time("updated_at", change -> change.state().updatedAt()),
            time("finished_at", change -> change.state().finishedAt()),
            time("deadline", change -> change.header().deadline()),
            text("trace_context", change -> change.header().trace()),
            time("wake_at", StoredChange::wakeAt));

    private static final List<Column> CHANGING = ROW.stream()
            .filter(column -> Set.of(
                            "organization_id",
                            "id",
                            "status",
                            "node_id",
                            "updated_at",
                            "finished_at",
                            "state",
                            "state_version",
                            "wake_at",
                            "trace_context")
                    .contains(column.name))
            .toList();

    private static final List<Column> LOG_KEY = List.of(
            id("organization_id", change -> change.header().organization()),
            id("instance_id", change -> change.header().id()));

    /** In the order of the type {@code instance_change}. */
    private static final List<Column> LOG_ENTRY = List.of(
            new Column("version", "int4", change -> change.change.delta().version()),
            time("at", change -> change.change.delta().updatedAt()),
            text("event", change -> change.change.event()),
            text("actor", change -> change.change.actor()),
            text("steps", StoredChange::steps),
            text("delta", StoredChange::delta),
            id("attempt_id", change -> ifPresent(change.loggedAttempt(), AttemptRow::id)),
            text("attempt", change -> ifPresent(change.loggedAttempt(), AttemptRow::attempt)),
            text("attempt_content", change -> ifPresent(change.loggedAttempt(), AttemptRow::content)));

    private static final List<Column> LOG =
            Stream.concat(LOG_KEY.stream(), LOG_ENTRY.stream()).toList();

    private static final String NO_CONFLICT =
            " ON CONFLICT (organization_id, instance_id, version) DO NOTHING RETURNING organization_id, instance_id";

    /** All columns of a row. */
    static final String COLUMNS = names(ROW, "");

    /** The columns of a list, without those that may be large. */
    static final String LISTED_COLUMNS = ROW.stream()
            .map(Column::name)
            .map(name -> Set.of("definition", "state").contains(name) ? "NULL AS " + name : name)
            .collect(Collectors.joining(", "));

    /**
     * Updates the instances of changes that a part {@code logged} has added to the log; see {@link #bindUpdate}. The
     * time limit of an instance does not include the time in which it only waits for a time or an event.
     */
    public static final String UPDATE = """
            UPDATE workflow_instance i SET status = u.status, updated_at = u.updated_at,
                node_id = CASE WHEN u.node_id IS NOT NULL THEN COALESCE(i.node_id, u.node_id) END,
                finished_at = u.finished_at, state = COALESCE(u.state, i.state),
                state_version = COALESCE(u.state_version, i.state_version), wake_at = u.wake_at,
                trace_context = COALESCE(u.trace_context, i.trace_context),
                deadline = i.deadline + CASE WHEN i.wake_at IS NOT NULL AND i.node_id IS NULL
                    THEN greatest(u.updated_at - i.updated_at, interval '0') ELSE interval '0' END
            FROM unnest(%s) AS u (%s)
                JOIN logged ON logged.organization_id = u.organization_id AND logged.instance_id = u.id
            WHERE i.organization_id = u.organization_id AND i.id = u.id
            """.formatted(arrays(CHANGING), names(CHANGING, ""));

    /**
     * Adds consecutive changes of one instance to the log, several as one row; adds nothing if the log has one of them.
     * See {@link #bindLogRow}.
     */
    public static final String INSERT_LOG_ROW =
            """
            INSERT INTO workflow_instance_log (%s, changes)
            SELECT %s, CASE WHEN r.first_version < r.version THEN ARRAY(
                SELECT ROW(c.*)::instance_change FROM unnest(%s) c) END
            FROM unnest(%s, ?::int4[]) AS r (%s, first_version)
            WHERE NOT EXISTS (SELECT FROM workflow_instance_log l WHERE l.organization_id = r.organization_id
                AND l.instance_id = r.instance_id AND l.version >= r.first_version)
            """.formatted(names(LOG, ""), names(LOG, "r."), arrays(LOG_ENTRY), arrays(LOG), names(LOG, ""))
                    + NO_CONFLICT;

    private InstanceRows() {}

    /**
     * A change with the JSON of its columns, which is written before the change waits for its batch.
     *
     * @param owner the node that runs the instance afterwards; null for none
     * @param rowState the complete state that the instance's row gets; null to keep the one before
     * @param rowVersion the version of that state
     * @param steps null for none
     * @param delta null for a row of the log that has its changes as elements
     * @param attempt the attempt that the change ended; null for none
     */
    public record StoredChange(
            InstanceChange change,
            @Nullable NodeId owner,
            @Nullable String rowState,
            @Nullable Integer rowVersion,
            @Nullable String steps,
            @Nullable String delta,
            @Nullable AttemptRow attempt) {
        /** @param rowState the state for the instance's row; null to keep the one before */
        public static StoredChange of(InstanceChange change, @Nullable NodeId owner, @Nullable InstanceState rowState) {
            List<Effect.StatusChanged> steps = change.steps();
            return new StoredChange(
                    change,
                    owner,
                    ifPresent(rowState, InstanceJson::write),
                    ifPresent(rowState, InstanceState::version),
                    steps.isEmpty() ? null : StrictJson.write(steps),
                    InstanceJson.write(change.delta()),
                    ifPresent(change.attempt(), AttemptRow::of));
        }

        public InstanceHeader header() {
            return change.header();
        }

        public InstanceState state() {
            return change.state();
        }

        /** Without an owner, set only while nothing but time or an event makes the instance go on. */
        private @Nullable Instant wakeAt() {
            return owner == null && state().isUnderWay() ? null : state().nextWake();
        }

        private @Nullable AttemptRow loggedAttempt() {
            return hasStoredAttempt() ? null : attempt;
        }

        private boolean hasStoredAttempt() {
            TaskAttempt ended = change.attempt();
            return ended != null && ended.isStored();
        }

        private StoredChange withoutContent() {
            return new StoredChange(change, owner, rowState, rowVersion, null, null, null);
        }
    }

    /**
     * Inserts instances; see {@link #bindInsert}.
     *
     * @param end follows the new rows: another table, or what to do on a conflict
     */
    public static String insert(String end) {
        return "INSERT INTO workflow_instance (%1$s) SELECT c.* FROM unnest(%2$s) AS c (%1$s)%3$s"
                .formatted(COLUMNS, arrays(ROW), end);
    }

    /**
     * Adds changes to the log, of which the first of one version is stored; see {@link #bindLog}.
     *
     * @param join follows the new rows
     */
    public static String insertLog(String join) {
        return "INSERT INTO workflow_instance_log (%1$s) SELECT l.* FROM unnest(%2$s) AS l (%1$s)%3$s%4$s"
                .formatted(names(LOG, ""), arrays(LOG), join, NO_CONFLICT);
    }

    /** Binds the rows from a parameter on, and returns the next parameter. */
    public static int bindInsert(PreparedStatement statement, int first, List<StoredChange> rows) throws SQLException {
        return bind(ROW, statement, first, rows);
    }

    /** As {@link #bindInsert}. */
    public static int bindUpdate(PreparedStatement statement, int first, List<StoredChange> rows) throws SQLException {
        return bind(CHANGING, statement, first, rows);
    }

    /** As {@link #bindInsert}. */
    public static int bindLog(PreparedStatement statement, int first, List<StoredChange> rows) throws SQLException {
        return bind(LOG, statement, first, rows);
    }

    /** As {@link #bindInsert}, for consecutive changes of one instance. */
    public static int bindLogRow(PreparedStatement statement, int first, List<StoredChange> changes)
            throws SQLException {
        boolean isOne = changes.size() == 1;
        StoredChange last = changes.getLast();
        int next = bind(LOG_ENTRY, statement, first, isOne ? List.of() : changes);
        next = bind(LOG, statement, next, List.of(isOne ? last : last.withoutContent()));
        return new BatchInsert<>(statement, next, List.of(changes.getFirst()))
                .integers(change -> change.change.delta().version())
                .next();
    }

    /** The attempts that have rows of their own, because they were stored while they ran; others are in the log. */
    public static List<AttemptRow> storedAttempts(List<StoredChange> changes) {
        return changes.stream()
                .filter(StoredChange::hasStoredAttempt)
                .map(StoredChange::attempt)
                .filter(Objects::nonNull)
                .toList();
    }

    static InstanceHeader header(ResultSet row) throws SQLException {
        UUID conversation = row.getObject("conversation_id", UUID.class);
        UUID rerunOf = row.getObject("rerun_of", UUID.class);
        UUID parent = row.getObject("parent_instance_id", UUID.class);
        return new InstanceHeader(
                new OrganizationId(row.getObject("organization_id", UUID.class)),
                new WorkflowInstanceId(row.getObject("id", UUID.class)),
                new WorkflowId(row.getObject("workflow_id", UUID.class)),
                row.getInt("workflow_version"),
                row.getBoolean("test_run"),
                ifPresent(conversation, ConversationId::new),
                row.getObject("team_id", Integer.class),
                row.getString("definition"),
                ifPresent(rerunOf, WorkflowInstanceId::new),
                row.getString("rerun_from_task"),
                parent == null
                        ? null
                        : new ParentTask(
                                new WorkflowInstanceId(parent),
                                row.getString("parent_task"),
                                row.getString("parent_key"),
                                row.getInt("depth")),
                row.getString("input_preview"),
                row.getString("created_by"),
                ifPresent(row.getObject("api_key_id", UUID.class), ApiKeyId::new),
                time(row, "created_at"),
                time(row, "deadline"),
                row.getString("trace_context"));
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static Column id(String name, Function<StoredChange, ? extends @Nullable Id> value) {
        return new Column(name, "uuid", change -> ifPresent(value.apply(change), Id::value));
    }

    private static Column text(String name, Function<StoredChange, @Nullable String> value) {
        return new Column(name, "text", value);
    }

    private static Column time(String name, Function<StoredChange, @Nullable Instant> value) {
        return new Column(name, "timestamptz", value);
    }

    private static <T, V> @Nullable V ifPresent(@Nullable T value, Function<T, V> part) {
        return value == null ? null : part.apply(value);
    }

    private static String names(List<Column> columns, String prefix) {
        return columns.stream().map(column -> prefix + column.name).collect(Collectors.joining(", "));
    }

    private static String arrays(List<Column> columns) {
        return columns.stream().map(column -> "?::" + column.type + "[]").collect(Collectors.joining(", "));
    }

    private static int bind(List<Column> columns, PreparedStatement statement, int first, List<StoredChange> rows)
            throws SQLException {
        var batch = new BatchInsert<>(statement, first, rows);
        for (Column column : columns) {
            batch.column(column.type, column.value);
        }
        return batch.next();
    }
}
