package dev.parley.workflow.instance;

import dev.parley.Tenant;
import dev.parley.message.MessageProcessor;
import dev.parley.node.NodeLease;
import dev.parley.workflow.instance.local.AttemptLog;
import dev.parley.workflow.instance.local.Besides;
import dev.parley.workflow.instance.local.EndedRuns;
import dev.parley.workflow.instance.local.LocalEngine;
import dev.parley.workflow.instance.local.TaskRunner;
import java.time.Clock;

/** The engine of a second node, beside the running service's own. */
final class SecondEngine {
    private SecondEngine() {}

    static LocalEngine on(NodeLease node) {
        return new LocalEngine(
                Tenant.bean(InstanceStore.class),
                Tenant.bean(InstanceReader.class),
                node,
                Clock.systemUTC(),
                Tenant.bean(TaskRunner.class),
                Tenant.bean(MessageProcessor.class),
                Tenant.bean(Besides.class),
                Tenant.bean(EndedRuns.class),
                Tenant.bean(AttemptLog.class));
    }
}
