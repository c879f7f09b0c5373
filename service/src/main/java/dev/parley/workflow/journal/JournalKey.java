package dev.parley.workflow.journal;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import org.jspecify.annotations.Nullable;

/**
 * The key of a journal, which all attempts of a task share.
 *
 * @param item the index of the item, for a task that runs for each of them; null otherwise
 * @param iteration of a task that repeats, from 0
 */
public record JournalKey(
        OrganizationId organization,
        WorkflowInstanceId instance,
        String task,
        @Nullable Integer item,
        int iteration) {
    static final int NO_ITEM = -1;

    /** The item as it is stored. */
    int storedItem() {
        return item == null ? NO_ITEM : item;
    }
}
