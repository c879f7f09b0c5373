package dev.parley.tool;

import java.util.List;

/**
 * What a look at a provider found.
 *
 * @param warnings sentences about tools that were left out
 */
public record ToolDiscovery(List<FoundTool> tools, List<String> warnings) {
    /** Tools of one provider; the rest is left out. */
    public static final int MOST_TOOLS = 500;

    private static final int MOST_WARNINGS = 50;

    public ToolDiscovery {
        tools = List.copyOf(tools);
        warnings = warnings.stream().limit(MOST_WARNINGS).toList();
    }
}
