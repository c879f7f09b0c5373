package dev.parley.workflow.instance.store;

import dev.parley.http.StrictJson;
import dev.parley.workflow.instance.core.TriggerData;
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
        String line = SPACES.matcher(text.substring(0, Math.min(text.length(), 2 * MAX_CHARACTERS)))
                .replaceAll(" ")
                .strip();
        int end = Math.min(line.length(), MAX_CHARACTERS);
        return line.substring(0, end > 0 && Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end);
    }
}
