package dev.parley.workflow.ticket.store;

import dev.parley.id.UserId;
import java.util.List;
import java.util.Set;

/**
 * A user with access to tickets: admins and owners to all of the organization's, others to their own and their teams'.
 *
 * @param manages whether the user is an admin or owner
 * @param teams of the organization, by id
 */
public record TicketActor(UserId user, boolean manages, Set<Integer> teams) {
    public TicketActor {
        teams = Set.copyOf(teams);
    }

    public boolean sees(Ticket ticket) {
        return manages || ticket.assignments().stream().anyMatch(this::isAmong);
    }

    private boolean isAmong(TicketAssignee assignee) {
        return assignee.isUser()
                ? assignee.assigneeId().equals(user.text())
                : teams.stream().anyMatch(team -> assignee.assigneeId().equals(team.toString()));
    }

    /** The user as recorded in histories. */
    public String by() {
        return "user:" + user.text();
    }

    /** The user as an assignee. */
    public TicketAssignee self() {
        return TicketAssignee.of(user);
    }

    /** The user's teams as assignees. */
    public List<TicketAssignee> teamAssignees() {
        return teams.stream()
                .sorted()
                .map(team -> new TicketAssignee("Team", team.toString()))
                .toList();
    }
}
