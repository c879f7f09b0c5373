package dev.parley.apikey;

import dev.parley.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/** The validated properties of a new key. */
public record NewApiKey(
        String name, Optional<Integer> teamId, Optional<WorkflowId> workflowId, Optional<Instant> expiresAt) {

    /** A key without restrictions. */
    public static NewApiKey unrestricted(String name) {
        return new NewApiKey(name, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
