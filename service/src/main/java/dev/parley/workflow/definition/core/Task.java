package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.OutputParameter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task of a workflow. Each {@link TaskKind} has its own record. */
public interface Task {
    TaskBasics basics();

    TaskKind kind();

    default TaskId id() {
        return basics().id();
    }

    default String name() {
        return basics().name();
    }

    default String instructions() {
        return basics().instructions();
    }

    default List<InputParameter> inputParameters() {
        return basics().inputParameters();
    }

    default List<OutputParameter> expectedOutput() {
        return basics().expectedOutput();
    }

    /** The handling of a final failure; null if the definition does not set it. */
    default @Nullable ErrorPolicy errorPolicy() {
        return basics().errorPolicy();
    }

    /** Under which condition and how often the task runs. */
    default ControlFlow controlFlow() {
        return basics().controlFlow();
    }

    /** How long after its opening the task's ticket is due; null for no due date. */
    default @Nullable Duration due() {
        return null;
    }
}
