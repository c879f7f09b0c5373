package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemsDelta;
import dev.parley.workflow.instance.core.state.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the JSON in which instances and their changes are stored. Times are milliseconds since 1970, and an
 * absent member is null, empty or zero. Unknown members are skipped, so that nodes of two versions can share a database
 * during an upgrade.
 */
public final class InstanceJson {
    private static final JsonMapper MAPPER = InstanceJsonMapper.create();
    private static final ObjectWriter DELTA_WRITER = MAPPER.writerFor(InstanceDelta.class);
    private static final ObjectReader DELTA_READER = MAPPER.readerFor(InstanceDelta.class);
    private static final ObjectWriter STATE_WRITER = MAPPER.writerFor(StateDocument.class);
    private static final ObjectReader STATE_READER = MAPPER.readerFor(StateDocument.class);
    private static final ObjectReader VALUES_READER =
            MAPPER.readerFor(new TypeReference<Map<String, @Nullable Object>>() {});

    private InstanceJson() {}

    /** A state without its plan. */
    record StateDocument(
            int version,
            Instant createdAt,
            Instant updatedAt,
            @Nullable InstanceStatus status,
            boolean pausedByRequest,
            @Nullable TriggerData trigger,
            Map<TaskId, TaskState> tasks,
            Map<TaskId, ItemsDelta> items,
            Map<String, @Nullable Object> answers,
            @Nullable Map<String, @Nullable Object> output,
            @Nullable InstanceError error,
            @Nullable Instant finishedAt) {}

    public static String write(InstanceDelta delta) {
        return write(DELTA_WRITER, delta);
    }

    /**
     * Reads what {@link #write(InstanceDelta)} wrote.
     *
     * @throws UncheckedIOException for text that is no such JSON
     */
    public static InstanceDelta readDelta(String json) {
        return read(DELTA_READER, json, InstanceDelta.class);
    }

    /** Writes all of a state but its plan. */
    public static String write(InstanceState state) {
        return write(
                STATE_WRITER,
                new StateDocument(
                        state.version(),
                        state.createdAt(),
                        state.updatedAt(),
                        state.status(),
                        state.pausedByRequest(),
                        state.trigger(),
                        state.tasks().touched(),
                        state.tasks().touchedItems(),
                        state.answers(),
                        state.output(),
                        state.error(),
                        state.finishedAt()));
    }

    /**
     * Reads what {@link #write(InstanceState)} wrote.
     *
     * @param plan of the workflow version that the instance runs
     * @throws UncheckedIOException for text that is no such JSON
     */
    public static InstanceState readState(String json, ExecutionPlan plan) {
        StateDocument document = read(STATE_READER, json, StateDocument.class);
        if (document.trigger == null || document.status == null) {
            throw new UncheckedIOException(new IOException("An instance needs a trigger and a status."));
        }
        InstanceDelta all = new InstanceDelta(
                document.version,
                document.tasks,
                document.items,
                document.status,
                document.pausedByRequest,
                document.answers,
                document.output,
                document.error,
                document.updatedAt,
                document.finishedAt);
        return all.applyTo(InstanceState.create(plan, document.trigger, document.createdAt));
    }

    /** Reads a part of a stored document that holds values by name; there are none where it is absent. */
    static Map<String, @Nullable Object> readValues(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        try {
            return VALUES_READER.readValue(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String write(ObjectWriter writer, Object document) {
        try {
            return writer.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T read(ObjectReader reader, String json, Class<T> type) {
        try {
            return type.cast(reader.readValue(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
