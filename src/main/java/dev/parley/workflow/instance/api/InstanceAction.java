package dev.parley.workflow.instance.api;

import dev.parley.problem.ApiProblem;
import dev.parley.workflow.instance.core.InstanceEvent;

/** Converts the action in a path's last segment to an event of the instance. */
final class InstanceAction {
    private InstanceAction() {}

    static InstanceEvent event(String action, String by) {
        return switch (action) {
            case "pause" -> new InstanceEvent.PauseRequested(by);
            case "resume" -> new InstanceEvent.ResumeRequested(by);
            case "cancel" -> new InstanceEvent.CancelRequested(by);
            case "terminate" -> new InstanceEvent.Terminated("It was terminated by " + by + ".", by);
            case "retry" -> new InstanceEvent.RetryRequested(by);
            default -> throw ApiProblem.notFound("action");
        };
    }
}
