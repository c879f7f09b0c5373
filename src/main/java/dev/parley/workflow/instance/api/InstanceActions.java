package dev.parley.workflow.instance.api;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.StrictJson;
import dev.parley.http.Viewer;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Pauses, resumes, cancels, terminates and retries instances. */
@Singleton
final class InstanceActions {
    private final InstanceService instances;
    private final InstanceViews views;
    private final SyncTrigger trigger;
    private final IdempotencyKeys idempotency;

    InstanceActions(InstanceService instances, InstanceViews views, SyncTrigger trigger, IdempotencyKeys idempotency) {
        this.instances = instances;
        this.views = views;
        this.trigger = trigger;
        this.idempotency = idempotency;
    }

    /** @param action the last segment of the path */
    Response act(Viewer viewer, RoutingContext http, StoredInstance instance, String action) {
        String route = "POST /workflow_instances/" + instance.header().id() + "/" + action;
        Optional<Claim> claim = IdempotencyKeys.claim(viewer, http, route, "");
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        try {
            StoredInstance after = instances.request(
                    viewer.organization(),
                    instance.header().id(),
                    event(action, viewer.createdBy()),
                    claim.map(one -> new Companion.ClaimIdempotencyKey(one, 200))
                            .orElse(null));
            return claim.map(one -> trigger.changed(one, after))
                    .orElseGet(() ->
                            Response.ok(StrictJson.writeBytes(views.of(after))).build());
        } catch (ApiProblem problem) {
            // A concurrent request with the same key may have succeeded; its response is the response of both.
            return claim.flatMap(idempotency::stored).orElseThrow(() -> problem).replay();
        }
    }

    private static InstanceEvent event(String action, String by) {
        return switch (action) {
            case "pause" -> new InstanceEvent.PauseRequested(by);
            case "resume" -> new InstanceEvent.ResumeRequested(by);
            case "cancel" -> new InstanceEvent.CancelRequested(by);
            case "terminate" -> new InstanceEvent.Terminated("It was terminated by " + by + ".", by);
            case "retry" -> new InstanceEvent.RetryRequested(by);
            default -> throw new IllegalArgumentException(action);
        };
    }
}
