package dev.parley.workflow.instance.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.ticket.store.FormField;
import java.util.List;
import java.util.Map;

/**
 * The {@code input_request} area in the metadata of an INPUT_REQUEST message: the form for its inputs.
 *
 * @param rejection the violations of the reply that the request repeats; empty for a first request
 */
record InputRequest(
        String taskId,
        String taskName,
        List<FormField> inputs,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Violation> rejection) {
    private static final int MAX_VIOLATIONS = 20;

    /** The metadata of the message as compact JSON. */
    static String metadata(Task task, Effect.AskUser ask) {
        var area = new InputRequest(
                ask.task().value(),
                task.name(),
                ask.inputs().stream().map(FormField::of).toList(),
                ask.rejection().stream().limit(MAX_VIOLATIONS).toList());
        return StrictJson.write(Map.of("input_request", area));
    }
}
