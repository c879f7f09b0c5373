package dev.parley.workflow.instance.api;

import dev.parley.http.ApiKeyCaller;
import dev.parley.http.BodyFilter;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.media.FileScope;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Starts instances that run an earlier one again. */
@Singleton
final class InstanceReruns {
    private final InstanceService instances;
    private final SyncTrigger trigger;

    InstanceReruns(InstanceService instances, SyncTrigger trigger) {
        this.instances = instances;
        this.trigger = trigger;
    }

    Response rerun(
            Viewer viewer,
            RoutingContext http,
            StoredInstance origin,
            RerunRequest request,
            int waitSeconds,
            RequestValidator validator)
            throws InterruptedException {
        String version = request.version() == null ? "same" : request.version();
        validator.require(
                version.equals("same") || version.equals("latest"), "/version", "'/version' must be same or latest.");
        FileScope scope =
                viewer instanceof ApiKeyCaller caller ? FileScope.of(caller) : FileScope.all(viewer.organization());
        instances.check(scope, request.humanMsg(), request.fileUrls(), validator);
        validator.done();
        String route = "POST /workflow_instances/" + origin.header().id() + "/rerun";
        Optional<Claim> claim = IdempotencyKeys.claim(viewer, http, route, request);
        var rerun = new InstanceService.Rerun(
                request.fromTask() == null ? null : new TaskId(request.fromTask()),
                version.equals("latest"),
                viewer.createdBy(),
                request.humanMsg(),
                request.fileUrls() == null ? null : SyncTrigger.present(request.fileUrls()),
                SyncTrigger.present(request.inputs()));
        return trigger.run(
                companion -> instances.rerun(origin, rerun, companion),
                started -> viewer instanceof ApiKeyCaller
                        ? InstanceViews.address(started)
                        : InstanceViews.dashboardAddress(started),
                waitSeconds,
                claim,
                () -> BodyFilter.bodyUsed(http));
    }
}
