package dev.parley.tool;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool as its provider offers it.
 *
 * @param inputSchema JSON Schema of the arguments, without references
 * @param binding what the provider's source needs to know to call it, as JSON
 */
public record FoundTool(
        String name,
        String title,
        String description,
        Map<String, Object> inputSchema,
        @Nullable Map<String, Object> outputSchema,
        String binding) {
    /** As long as the names that the Model Context Protocol allows. */
    public static final int LONGEST_NAME = 128;

    /** Whether a name may stand in definitions and before models. */
    public static boolean isName(String name) {
        return name.length() <= LONGEST_NAME && name.matches("[A-Za-z0-9_./-]+");
    }
}
