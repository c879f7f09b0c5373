package dev.parley.workflow.instance.view;

import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.view.InstanceView.RerunOfView;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An instance in a list: the properties available without reading its tasks. */
@Schema(name = "WorkflowInstanceSummary")
public record ListedView(
        WorkflowInstanceId workflowInstanceId,
        WorkflowId workflowId,
        int workflowVersion,

        @Schema(description = "Whether it is a test run of a draft, or a sub-workflow of one.")
        boolean testRun,

        @Nullable ConversationId conversationId,

        @Schema(description = "The instance that this one reruns; null for none.") @Nullable
        RerunOfView rerunOf,

        InstanceStatus status,
        String createdBy,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant finishedAt,

        @Schema(maxLength = 200, description = "The beginning of the input, as one line; null for no input.") @Nullable
        String inputPreview,

        @Schema(
                maxLength = 200,
                description = "The beginning of the error; null unless the instance failed, or if its state is large.")
        @Nullable
        String errorPreview,

        long inputTokens,
        long outputTokens,

        @Schema(description = "Cost of the attempts so far, in millionths of the price settings' currency.")
        long costMicros) {
    public static ListedView of(InstanceReader.ListedInstance listed, ModelUsage usage) {
        InstanceHeader header = listed.header();
        return new ListedView(
                header.id(),
                header.workflow(),
                header.workflowVersion(),
                header.testRun(),
                header.conversation(),
                RerunOfView.of(header),
                listed.status(),
                header.createdBy(),
                header.createdAt(),
                listed.updatedAt(),
                listed.finishedAt(),
                header.inputPreview(),
                listed.errorPreview(),
                usage.inputTokens(),
                usage.outputTokens(),
                usage.costMicros());
    }
}
