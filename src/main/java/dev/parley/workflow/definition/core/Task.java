package dev.parley.workflow.definition.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task of a workflow. */
public sealed interface Task permits AiTask, HumanTask, AppTask, CoderTask {
    TaskId id();

    String name();

    String instructions();

    List<InputParameter> inputParameters();

    List<OutputParameter> expectedOutput();

    /** The handling of a final failure; null if the definition does not set it. */
    @Nullable
    ErrorPolicy errorPolicy();

    TaskKind kind();

    /** How long after its opening the task's ticket is due; null for no due date. */
    default @Nullable Duration due() {
        return null;
    }
}
