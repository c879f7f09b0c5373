package dev.parley.workflow.definition.core;

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

    /** The word in the agent document: {@code AI}, {@code Human}, {@code App} or {@code Coder}. */
    default String kind() {
        return switch (this) {
            case AiTask _ -> "AI";
            case HumanTask _ -> "Human";
            case AppTask _ -> "App";
            case CoderTask _ -> "Coder";
        };
    }
}
