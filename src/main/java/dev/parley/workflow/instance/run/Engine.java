package dev.parley.workflow.instance.run;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.ExecutionPlan;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.core.TriggerData;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs instances: a port. An engine stores what {@link dev.parley.workflow.instance.core.Transition} decides, with
 * tickets and messages, in one transaction, and then performs the effects. What it acknowledged survives its node.
 */
public interface Engine {
    /**
     * An instance that was started.
     *
     * @param settled completes when it is finished or PAUSED; never, when this node loses it before
     */
    record StartedInstance(StoredInstance instance, CompletableFuture<StoredInstance> settled) {}

    /**
     * Starts an instance; completes after the commit.
     *
     * @param companion what must be stored together with the start; null for nothing
     */
    CompletableFuture<StartedInstance> start(
            InstanceHeader header, ExecutionPlan plan, TriggerData trigger, @Nullable Companion companion);

    /**
     * Applies an event of a person or a client; completes after the commit, or with a NOT_FOUND problem.
     *
     * @param companion what must be stored together with the change; null for nothing
     */
    CompletableFuture<TransitionResult> apply(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion);

    /** The current instance, with every change that any node has acknowledged. */
    Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id);

    /** Waits until the instance is finished or PAUSED, or the time is up, and answers it as it stands then. */
    Optional<StoredInstance> awaitSettled(OrganizationId organization, WorkflowInstanceId id, Duration atMost)
            throws InterruptedException;

    /** How many instances of the organization run at this moment, over all nodes, as far as this one knows. */
    int running(OrganizationId organization);
}
