package dev.parley.tool.source;

import java.util.Collection;
import java.util.List;

/** The operations of a description that become tools: those named, and those with one of the tags. */
public record OperationSelection(List<String> operations, List<String> tags) {
    public OperationSelection {
        operations = List.copyOf(operations);
        tags = List.copyOf(tags);
    }

    public boolean includes(String name, Collection<String> operationTags) {
        return operations.contains(name) || operationTags.stream().anyMatch(tags::contains);
    }
}
