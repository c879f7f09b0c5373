package dev.parley.workflow.instance.run;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Port: runs instances. An engine stores the decisions of {@link dev.parley.workflow.instance.core.Transition}, with
 * tickets and messages, in one transaction, and then performs the effects. An acknowledged change survives the loss of
 * the node.
 */
public interface Engine {
    /**
     * An instance that was started.
     *
     * @param settled completes when it is finished or PAUSED; exceptionally, if this node loses the instance first
     */
    record StartedInstance(StoredInstance instance, CompletableFuture<StoredInstance> settled) {}

    /**
     * Starts an instance; completes after the commit.
     *
     * @param first the instance's first event
     * @param companion data to store together with the start; null for none
     */
    CompletableFuture<StartedInstance> start(
            InstanceHeader header,
            ExecutionPlan plan,
            TriggerData trigger,
            InstanceEvent.InstanceStarted first,
            @Nullable Companion companion);

    /**
     * Applies an event of a person or a client; completes after the commit, or with a NOT_FOUND problem.
     *
     * @param companion data to store together with the change; null for none
     */
    CompletableFuture<TransitionResult> apply(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion);

    /** The current instance, with every change that any node has acknowledged. */
    Optional<StoredInstance> find(OrganizationId organization, WorkflowInstanceId id);

    /** Waits until the instance is finished or PAUSED, or the time is up, and returns the current instance. */
    Optional<StoredInstance> awaitSettled(OrganizationId organization, WorkflowInstanceId id, Duration atMost)
            throws InterruptedException;

    /** The approximate number of instances of the organization that are running on all nodes. */
    int running(OrganizationId organization);
}
