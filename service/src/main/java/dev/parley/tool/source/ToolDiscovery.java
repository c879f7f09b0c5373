package dev.parley.tool.source;

import java.util.List;

/**
 * The result of discovering a provider's tools.
 *
 * @param warnings sentences about tools that were skipped
 */
public record ToolDiscovery(List<DiscoveredTool> tools, List<String> warnings) {
    /** The maximum number of tools of one provider; further ones are skipped. */
    public static final int MAX_TOOLS = 500;

    private static final int MAX_WARNINGS = 50;

    public ToolDiscovery {
        tools = List.copyOf(tools);
        warnings = warnings.stream().limit(MAX_WARNINGS).toList();
    }
}
