package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.core.TaskError;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.TaskStatus;
import dev.parley.workflow.instance.core.WaitingReason;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One task's part of {@link InstanceJson}. */
final class TaskStateJson {
    private TaskStateJson() {}

    static void write(JsonGenerator out, TaskState task) throws IOException {
        out.writeStartObject();
        out.writeStringField("status", task.status().name());
        writeCount(out, "attempt", task.attempt());
        writeCount(out, "run", task.run());
        writeCount(out, "retries", task.retries());
        writeCount(out, "policy", task.policyRetries());
        if (task.waitingFor() != null) {
            out.writeStringField("waits", task.waitingFor().name());
        }
        if (!task.outputs().isEmpty()) {
            out.writeFieldName("outputs");
            JsonValues.write(out, task.outputs());
        }
        if (task.error() != null) {
            out.writeObjectFieldStart("error");
            out.writeStringField("error", task.error().error());
            out.writeStringField("detail", task.error().detail());
            if (task.error().isTransient()) {
                out.writeBooleanField("transient", true);
            }
            out.writeEndObject();
        }
        writeTime(out, "started", task.startedAt());
        writeTime(out, "finished", task.finishedAt());
        writeTime(out, "retry", task.retryAt());
        if (task.usage() != null) {
            out.writeObjectFieldStart("usage");
            out.writeNumberField("in", task.usage().inputTokens());
            out.writeNumberField("out", task.usage().outputTokens());
            out.writeNumberField("cost", task.usage().costMicros());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    static TaskState read(JsonParser in) throws IOException {
        TaskStatus status = TaskStatus.PENDING;
        int attempt = 0;
        int run = 0;
        int retries = 0;
        int policyRetries = 0;
        WaitingReason waitingFor = null;
        Map<String, @Nullable Object> outputs = Map.of();
        TaskError error = null;
        Instant startedAt = null;
        Instant finishedAt = null;
        Instant retryAt = null;
        ModelUsage usage = null;
        for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            switch (name) {
                case "status" -> status = TaskStatus.valueOf(in.getText());
                case "attempt" -> attempt = in.getIntValue();
                case "run" -> run = in.getIntValue();
                case "retries" -> retries = in.getIntValue();
                case "policy" -> policyRetries = in.getIntValue();
                case "waits" -> waitingFor = WaitingReason.valueOf(in.getText());
                case "outputs" -> outputs = JsonValues.readObject(in);
                case "error" -> error = readError(in);
                case "started" -> startedAt = Instant.ofEpochMilli(in.getLongValue());
                case "finished" -> finishedAt = Instant.ofEpochMilli(in.getLongValue());
                case "retry" -> retryAt = Instant.ofEpochMilli(in.getLongValue());
                case "usage" -> usage = readUsage(in);
                default -> in.skipChildren();
            }
        }
        return new TaskState(
                status,
                attempt,
                run,
                retries,
                policyRetries,
                waitingFor,
                outputs,
                error,
                startedAt,
                finishedAt,
                retryAt,
                usage);
    }

    private static TaskError readError(JsonParser in) throws IOException {
        String error = "";
        String detail = "";
        boolean isTransient = false;
        for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            switch (name) {
                case "error" -> error = in.getText();
                case "detail" -> detail = in.getText();
                case "transient" -> isTransient = in.getBooleanValue();
                default -> in.skipChildren();
            }
        }
        return new TaskError(error, detail, isTransient);
    }

    private static ModelUsage readUsage(JsonParser in) throws IOException {
        long input = 0;
        long output = 0;
        long cost = 0;
        for (String name = JsonValues.firstName(in); name != null; name = in.nextFieldName()) {
            in.nextToken();
            switch (name) {
                case "in" -> input = in.getLongValue();
                case "out" -> output = in.getLongValue();
                case "cost" -> cost = in.getLongValue();
                default -> in.skipChildren();
            }
        }
        return new ModelUsage(input, output, cost);
    }

    private static void writeCount(JsonGenerator out, String name, int count) throws IOException {
        if (count != 0) {
            out.writeNumberField(name, count);
        }
    }

    private static void writeTime(JsonGenerator out, String name, @Nullable Instant time) throws IOException {
        if (time != null) {
            out.writeNumberField(name, time.toEpochMilli());
        }
    }
}
