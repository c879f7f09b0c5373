package dev.parley.workflow.instance.run;

import dev.parley.http.StrictJson;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.ticket.FormField;
import java.util.List;
import java.util.Map;

/** The {@code input_request} area in the metadata of an INPUT_REQUEST message: the form for its inputs. */
record InputRequest(String taskId, List<FormField> inputs) {

    /** The metadata of the message as compact JSON. */
    static String metadata(Effect.AskUser ask) {
        var area = new InputRequest(
                ask.task().value(), ask.inputs().stream().map(FormField::of).toList());
        return StrictJson.write(Map.of("input_request", area));
    }
}
