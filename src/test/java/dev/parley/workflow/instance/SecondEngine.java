package dev.parley.workflow.instance;

import dev.parley.Tenant;
import dev.parley.engine.local.InstanceStore;
import dev.parley.engine.local.LocalEngine;
import dev.parley.message.MessageProcessor;
import dev.parley.node.NodeLease;
import dev.parley.workflow.instance.run.AttemptRecorder;
import dev.parley.workflow.instance.run.ChangeSideEffects;
import dev.parley.workflow.instance.run.RunMetrics;
import dev.parley.workflow.instance.run.TaskRunner;
import dev.parley.workflow.instance.store.InstanceReader;
import java.time.Clock;

/** The engine of a second node, beside the running service's own. */
public final class SecondEngine {
    private SecondEngine() {}

    public static LocalEngine on(NodeLease node) {
        return new LocalEngine(
                Tenant.bean(InstanceStore.class),
                Tenant.bean(InstanceReader.class),
                node,
                Clock.systemUTC(),
                Tenant.bean(TaskRunner.class),
                Tenant.bean(MessageProcessor.class),
                Tenant.bean(ChangeSideEffects.class),
                Tenant.bean(RunMetrics.class),
                Tenant.bean(AttemptRecorder.class));
    }
}
