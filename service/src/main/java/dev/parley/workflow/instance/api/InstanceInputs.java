package dev.parley.workflow.instance.api;

import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.InputResolver;
import dev.parley.workflow.instance.core.InputResolver.ResolvedInputs;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resolves the inputs of tasks for display. A rerun gives its reused tasks nothing: they have the inputs they got. */
@Singleton
final class InstanceInputs {
    private final InstanceService instances;

    InstanceInputs(InstanceService instances) {
        this.instances = instances;
    }

    ResolvedInputs of(StoredInstance instance, TaskId task) {
        String ranIn = instance.state().task(task).reusedFrom();
        return InputResolver.known(ranIn == null ? instance.state() : state(instance, ranIn), task);
    }

    /** The inputs of all tasks in document order. */
    Map<TaskId, ResolvedInputs> ofAll(StoredInstance instance) {
        Map<TaskId, ResolvedInputs> all = new LinkedHashMap<>();
        Map<String, InstanceState> earlier = new HashMap<>();
        for (Task task : instance.state().plan().tasks()) {
            String ranIn = instance.state().task(task.id()).reusedFrom();
            InstanceState state =
                    ranIn == null ? instance.state() : earlier.computeIfAbsent(ranIn, id -> state(instance, id));
            all.put(task.id(), InputResolver.known(state, task.id()));
        }
        return all;
    }

    private InstanceState state(StoredInstance instance, String id) {
        WorkflowInstanceId earlier = WorkflowInstanceId.parse(id).orElseThrow();
        return instances.find(instance.header().organization(), earlier).state();
    }
}
