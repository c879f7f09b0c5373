package dev.parley.workflow.instance.store;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import dev.parley.workflow.instance.core.plan.TriggerData;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The beginning of an instance's input, as one line of at most 200 characters. Lists show it and search in it. */
public final class InputPreview {
    private static final int MAX_CHARACTERS = 200;

    private static final Pattern SPACES = Pattern.compile("\\s+");

    private InputPreview() {}

    /** The message, and the inputs by name; null for an instance without either. */
    public static @Nullable String of(TriggerData trigger) {
        List<String> parts = new ArrayList<>();
        if (trigger.humanMessage() != null) {
            parts.add(beginning(trigger.humanMessage()));
        }
        trigger.inputs().forEach((name, value) -> {
            if (value != null && parts.size() < MAX_CHARACTERS) {
                parts.add(name + ": " + beginning(value instanceof String text ? text : StrictJson.write(value)));
            }
        });
        return parts.isEmpty() ? null : beginning(String.join(" · ", parts));
    }

    private static String beginning(String text) {
        String line = SPACES.matcher(Text.truncate(text, 2 * MAX_CHARACTERS))
                .replaceAll(" ")
                .strip();
        return Text.truncate(line, MAX_CHARACTERS);
    }
}
