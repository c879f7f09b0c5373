package dev.parley.workflow.ticket.store;

import dev.parley.id.WorkflowId;
import dev.parley.workflow.ticket.core.TicketStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The filter of a list of tickets.
 *
 * @param statuses empty for all
 * @param team only tickets assigned to this team
 * @param available whether to list only open tickets that nobody else has claimed
 * @param testRun whether to list only tickets of test runs, or only others; empty for all
 * @param overdue whether to list only open tickets after their due date
 * @param words each must occur in the ticket's search text
 */
public record TicketFilter(
        Scope scope,
        Set<TicketStatus> statuses,
        Optional<Integer> team,
        Optional<WorkflowId> agent,
        boolean available,
        Optional<Boolean> testRun,
        boolean overdue,
        List<String> words) {
    /** Whose tickets to list. */
    public enum Scope {
        /** Assigned to or claimed by the user. */
        ME,
        /** Assigned to the user's teams. */
        TEAM,
        /** Assigned to the user or the user's teams, or claimed by the user. */
        MINE,
        /** All tickets that the user may see. */
        ALL
    }

    public TicketFilter {
        statuses = Set.copyOf(statuses);
        words = List.copyOf(words);
    }

    public static TicketFilter of(Scope scope, Set<TicketStatus> statuses) {
        return new TicketFilter(
                scope, statuses, Optional.empty(), Optional.empty(), false, Optional.empty(), false, List.of());
    }

    /** The team whose index range is read. The tickets of one user come from the user's ranges instead. */
    public Optional<Integer> indexedTeam() {
        return scope == Scope.ME ? Optional.empty() : team;
    }

    /** Whether the index ranges alone decide. */
    public boolean isIndexed() {
        return indexedTeam().equals(team)
                && agent.isEmpty()
                && !available
                && testRun.isEmpty()
                && !overdue
                && words.isEmpty();
    }

    /** The number that the search may mean: {@code 17} or {@code #17}. */
    public Optional<Integer> number() {
        return words.size() == 1 && words.getFirst().matches("#?[1-9][0-9]{0,8}")
                ? Optional.of(Integer.valueOf(words.getFirst().replace("#", "")))
                : Optional.empty();
    }

    /** Whether the search means a number and nothing else: {@code #17}. */
    public boolean isNumber() {
        return number().isPresent() && words.getFirst().startsWith("#");
    }

    public List<String> statusNames() {
        return Arrays.stream(TicketStatus.values())
                .filter(status -> statuses.isEmpty() || statuses.contains(status))
                .map(TicketStatus::name)
                .toList();
    }
}
