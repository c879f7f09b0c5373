package dev.parley.tool.source;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool as offered by its provider.
 *
 * @param inputSchema JSON Schema of the arguments, without references
 * @param binding the data that the provider's source needs for a call, as JSON
 */
public record DiscoveredTool(
        String name,
        String title,
        String description,
        Map<String, Object> inputSchema,
        @Nullable Map<String, Object> outputSchema,
        String binding) {
    /** The maximum length of a name in the Model Context Protocol. */
    public static final int MAX_NAME_LENGTH = 128;

    /** Whether a name may be used in definitions and sent to models. */
    public static boolean isName(String name) {
        return name.length() <= MAX_NAME_LENGTH && name.matches("[A-Za-z0-9_./-]+");
    }
}
