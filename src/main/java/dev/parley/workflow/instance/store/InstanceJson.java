package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.core.ExecutionPlan;
import dev.parley.workflow.instance.core.InstanceDelta;
import dev.parley.workflow.instance.core.InstanceError;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.TriggerData;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stored JSON of instances and their changes. Written on every transition, so it uses the generator directly; times
 * are milliseconds since 1970, and absent means null, empty or zero. Unknown members are skipped, so that nodes of two
 * versions can share a database during an upgrade.
 */
public final class InstanceJson {
    /** Stored text was validated on input: here only the length limits for numbers and strings are lifted. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(10_000)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private InstanceJson() {}

    public static String write(InstanceDelta delta) {
        return text(out -> {
            out.writeStartObject();
            out.writeNumberField("v", delta.version());
            out.writeNumberField("at", delta.updatedAt().toEpochMilli());
            if (delta.status() != null) {
                out.writeStringField("status", delta.status().name());
            }
            if (delta.pausedByRequest() != null) {
                out.writeBooleanField("paused", delta.pausedByRequest());
            }
            writeCommon(out, delta.tasks(), delta.answers(), delta.output(), delta.error(), delta.finishedAt());
            out.writeEndObject();
        });
    }

    /**
     * Reads the JSON of {@link #write(InstanceDelta)}.
     *
     * @throws UncheckedIOException for invalid JSON
     */
    public static InstanceDelta readDelta(String json) {
        JsonFields fields = read(json);
        return new InstanceDelta(
                fields.version,
                fields.tasks,
                fields.status,
                fields.paused,
                fields.answers,
                fields.output,
                fields.error,
                fields.updatedAt,
                fields.finishedAt);
    }

    /** Writes a complete state without its plan. */
    public static String write(InstanceState state) {
        return text(out -> {
            out.writeStartObject();
            out.writeNumberField("v", state.version());
            out.writeNumberField("created", state.createdAt().toEpochMilli());
            out.writeNumberField("at", state.updatedAt().toEpochMilli());
            out.writeStringField("status", state.status().name());
            if (state.pausedByRequest()) {
                out.writeBooleanField("paused", true);
            }
            out.writeFieldName("trigger");
            writeTrigger(out, state.trigger());
            writeCommon(
                    out, state.tasks().touched(), state.answers(), state.output(), state.error(), state.finishedAt());
            out.writeEndObject();
        });
    }

    /**
     * Reads the JSON of {@link #write(InstanceState)}.
     *
     * @param plan of the instance's workflow version
     * @throws UncheckedIOException for invalid JSON
     */
    public static InstanceState readState(String json, ExecutionPlan plan) {
        JsonFields fields = read(json);
        TriggerData trigger = fields.trigger;
        InstanceStatus status = fields.status;
        if (trigger == null || status == null) {
            throw new UncheckedIOException(new IOException("An instance needs a trigger and a status."));
        }
        InstanceDelta all = new InstanceDelta(
                fields.version,
                fields.tasks,
                status,
                fields.paused,
                fields.answers,
                fields.output,
                fields.error,
                fields.updatedAt,
                fields.finishedAt);
        return all.applyTo(InstanceState.create(plan, trigger, fields.createdAt));
    }

    private static void writeCommon(
            JsonGenerator out,
            Map<TaskId, TaskState> tasks,
            Map<String, @Nullable Object> answers,
            @Nullable Map<String, @Nullable Object> output,
            @Nullable InstanceError error,
            @Nullable Instant finishedAt)
            throws IOException {
        if (!tasks.isEmpty()) {
            out.writeObjectFieldStart("tasks");
            for (Map.Entry<TaskId, TaskState> task : tasks.entrySet()) {
                out.writeFieldName(task.getKey().value());
                TaskStateJson.write(out, task.getValue());
            }
            out.writeEndObject();
        }
        if (!answers.isEmpty()) {
            out.writeFieldName("answers");
            JsonValues.write(out, answers);
        }
        if (output != null) {
            out.writeFieldName("output");
            JsonValues.write(out, output);
        }
        if (error != null) {
            out.writeObjectFieldStart("error");
            if (error.task() != null) {
                out.writeStringField("task", error.task().value());
            }
            out.writeStringField("error", error.error());
            out.writeStringField("detail", error.detail());
            out.writeEndObject();
        }
        if (finishedAt != null) {
            out.writeNumberField("finished", finishedAt.toEpochMilli());
        }
    }

    private static void writeTrigger(JsonGenerator out, TriggerData trigger) throws IOException {
        out.writeStartObject();
        out.writeStringField("instance", trigger.instanceId());
        out.writeStringField("organization", trigger.organizationId());
        out.writeNumberField("started", trigger.startedAt().toEpochMilli());
        if (trigger.conversationId() != null) {
            out.writeStringField("conversation", trigger.conversationId());
        }
        if (trigger.humanMessage() != null) {
            out.writeStringField("human_msg", trigger.humanMessage());
        }
        if (!trigger.fileUrls().isEmpty()) {
            out.writeFieldName("file_urls");
            JsonValues.write(out, trigger.fileUrls());
        }
        if (!trigger.inputs().isEmpty()) {
            out.writeFieldName("inputs");
            JsonValues.write(out, trigger.inputs());
        }
        out.writeEndObject();
    }

    /** The members of both documents while they are read. */
    private static final class JsonFields {
        private int version;
        private Instant createdAt = Instant.EPOCH;
        private Instant updatedAt = Instant.EPOCH;
        private @Nullable Instant finishedAt;
        private @Nullable InstanceStatus status;
        private @Nullable Boolean paused;
        private @Nullable TriggerData trigger;
        private Map<TaskId, TaskState> tasks = Map.of();
        private Map<String, @Nullable Object> answers = Map.of();
        private @Nullable Map<String, @Nullable Object> output;
        private @Nullable InstanceError error;
    }

    /** Reads a stored map of values by name; empty if it is absent. */
    static Map<String, @Nullable Object> readValues(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        try (JsonParser in = FACTORY.createParser(json)) {
            in.nextToken();
            return JsonValues.readObject(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonFields read(String json) {
        try (JsonParser in = FACTORY.createParser(json)) {
            in.nextToken();
            JsonFields fields = new JsonFields();
            for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
                in.nextToken();
                readField(in, name, fields);
            }
            return fields;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readField(JsonParser in, String name, JsonFields fields) throws IOException {
        switch (name) {
            case "v" -> fields.version = in.getIntValue();
            case "created" -> fields.createdAt = Instant.ofEpochMilli(in.getLongValue());
            case "at" -> fields.updatedAt = Instant.ofEpochMilli(in.getLongValue());
            case "finished" -> fields.finishedAt = Instant.ofEpochMilli(in.getLongValue());
            case "status" -> fields.status = InstanceStatus.valueOf(in.getText());
            case "paused" -> fields.paused = in.getBooleanValue();
            case "trigger" -> fields.trigger = readTrigger(in);
            case "tasks" -> fields.tasks = readTasks(in);
            case "answers" -> fields.answers = JsonValues.readObject(in);
            case "output" -> fields.output = JsonValues.readObject(in);
            case "error" -> fields.error = readError(in);
            default -> in.skipChildren();
        }
    }

    private static Map<TaskId, TaskState> readTasks(JsonParser in) throws IOException {
        Map<TaskId, TaskState> tasks = new LinkedHashMap<>();
        for (String id = JsonValues.firstName(in); id != null; id = in.nextFieldName()) {
            in.nextToken();
            tasks.put(new TaskId(id), TaskStateJson.read(in));
        }
        return tasks;
    }

    private static InstanceError readError(JsonParser in) throws IOException {
        TaskId task = null;
        String error = "";
        String detail = "";
        for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            switch (name) {
                case "task" -> task = new TaskId(in.getText());
                case "error" -> error = in.getText();
                case "detail" -> detail = in.getText();
                default -> in.skipChildren();
            }
        }
        return new InstanceError(task, error, detail);
    }

    private static TriggerData readTrigger(JsonParser in) throws IOException {
        String instance = "";
        String organization = "";
        String conversation = null;
        String message = null;
        Instant started = Instant.EPOCH;
        List<String> files = List.of();
        Map<String, @Nullable Object> inputs = Map.of();
        for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            switch (name) {
                case "instance" -> instance = in.getText();
                case "organization" -> organization = in.getText();
                case "conversation" -> conversation = in.getText();
                case "human_msg" -> message = in.getText();
                case "started" -> started = Instant.ofEpochMilli(in.getLongValue());
                case "file_urls" -> files = readTexts(in);
                case "inputs" -> inputs = JsonValues.readObject(in);
                default -> in.skipChildren();
            }
        }
        return new TriggerData(message, files, inputs, conversation, instance, organization, started);
    }

    private static List<String> readTexts(JsonParser in) throws IOException {
        List<String> texts = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            texts.add(in.getText());
        }
        return texts;
    }

    private static String text(JsonBody body) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            body.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private interface JsonBody {
        void write(JsonGenerator out) throws IOException;
    }
}
