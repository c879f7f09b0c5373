package dev.parley.apikey;

import dev.parley.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/** What a key is made of, checked. */
public record NewApiKey(
        String name, Optional<Integer> teamId, Optional<WorkflowId> workflowId, Optional<Instant> expiresAt) {

    /** A key without any restriction. */
    public static NewApiKey unrestricted(String name) {
        return new NewApiKey(name, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
