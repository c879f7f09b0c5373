package dev.parley.workflow.instance.api;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.Viewer;
import dev.parley.http.filter.BodyFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.media.FileScope;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pauses, resumes, cancels, terminates, retries and reruns instances. */
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
    Response act(InstanceRequest request, String action) {
        Viewer viewer = request.viewer();
        StoredInstance instance = request.find(instances);
        String route = "POST /workflow_instances/" + instance.header().id() + "/" + action;
        Optional<Claim> claim = IdempotencyKeys.claim(viewer, request.http, route, "");
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

    /** Starts an instance that runs an earlier one again. */
    Response rerun(InstanceRequest request, RerunRequest body, int waitSeconds, RequestValidator validator)
            throws InterruptedException {
        Viewer viewer = request.viewer();
        StoredInstance origin = request.find(instances);
        String version = body.version() == null ? "same" : body.version();
        validator.require(
                version.equals("same") || version.equals("latest"),
                ViolationCode.NOT_ONE_OF,
                "/version",
                "'/version' must be same or latest.",
                Map.of("allowed", List.of("same", "latest")));
        instances.check(FileScope.of(viewer), body.humanMsg(), body.fileUrls(), validator);
        validator.done();
        String route = "POST /workflow_instances/" + origin.header().id() + "/rerun";
        Optional<Claim> claim = IdempotencyKeys.claim(viewer, request.http, route, body);
        var rerun = new InstanceService.Rerun(
                body.fromTask() == null ? null : new TaskId(body.fromTask()),
                version.equals("latest"),
                viewer.createdBy(),
                body.humanMsg(),
                body.fileUrls() == null ? null : SyncTrigger.present(body.fileUrls()),
                SyncTrigger.present(body.inputs()));
        return trigger.run(
                companion -> instances.rerun(origin, rerun, companion),
                started -> viewer instanceof ApiKeyCaller
                        ? InstanceViews.address(started)
                        : InstanceViews.dashboardAddress(started),
                waitSeconds,
                claim,
                () -> BodyFilter.bodyUsed(request.http));
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
