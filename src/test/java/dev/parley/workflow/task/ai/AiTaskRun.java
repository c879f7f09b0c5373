package dev.parley.workflow.task.ai;

import dev.parley.Tenant;
import dev.parley.attachment.AttachmentReader;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.llm.ChatModel;
import dev.parley.message.MessageReader;
import dev.parley.settings.Settings;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs an AI task without an instance, with a model of the test. */
final class AiTaskRun {
    private AiTaskRun() {}

    static AttemptRecording recording(Tenant tenant, Consumer<TaskAttempt> underWay) {
        return new AttemptRecording(
                new TaskAttempt.AttemptKey(
                        tenant.organization(),
                        WorkflowInstanceId.next(),
                        TaskAttemptId.next(),
                        "t",
                        null,
                        1,
                        Instant.now()),
                Tenant.bean(Settings.Models.class).prices(),
                underWay);
    }

    static TaskResult of(
            Tenant tenant,
            ChatModel model,
            AiTask task,
            Map<String, @Nullable Object> inputs,
            AttemptRecording recording)
            throws TaskFailure, InterruptedException {
        var executor = new AiExecutor(
                model,
                Tenant.bean(MessageReader.class),
                Tenant.bean(AttachmentReader.class),
                Tenant.bean(ToolService.class),
                Tenant.bean(Settings.TaskLimits.class));
        return executor.run(new TaskRun(
                tenant.organization(),
                WorkflowId.next(),
                1,
                recording.key().instance(),
                null,
                task,
                1,
                inputs,
                List.of(),
                Map.of(),
                "the-key",
                Duration.ofSeconds(60),
                recording));
    }
}
