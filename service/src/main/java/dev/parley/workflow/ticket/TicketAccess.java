package dev.parley.workflow.ticket;

import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves the caller of a request about tickets, and the assignee or the users that it names. */
@Singleton
public final class TicketAccess {
    static final int MAX_MENTIONS = 20;
    static final int MAX_ASSIGNEE_LENGTH = 36;

    private final OrganizationAccess access;

    TicketAccess(OrganizationAccess access) {
        this.access = access;
    }

    public TicketActor actor(MemberRequest member) {
        UserId user = member.user().id();
        return new TicketActor(user, member.role().isAtLeast(Role.ADMIN), access.teamsOf(member.organization(), user));
    }

    /** An existing user or team of the organization; a 400 names the invalid field. */
    TicketAssignee assignee(OrganizationId organization, AssigneeType type, String id) {
        Optional<TicketAssignee> found =
                switch (type) {
                    case USER ->
                        UserId.parse(id)
                                .filter(user -> access.isMember(organization, user))
                                .map(user -> new TicketAssignee(type.text(), user.text()));
                    case TEAM ->
                        team(id).filter(team -> access.teamExists(organization, team))
                                .map(team -> new TicketAssignee(type.text(), team.toString()));
                };
        return found.orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                ViolationCode.NOT_FOUND,
                "/assignee_id",
                "There is no such " + type.text().toLowerCase(Locale.ROOT) + " in the organization.")));
    }

    /** The users that a comment mentions, without repetitions; others than members who see the ticket are violations. */
    List<UserId> mentions(
            OrganizationId organization, Ticket ticket, List<@Nullable String> ids, RequestValidator validator) {
        Set<UserId> mentioned = new LinkedHashSet<>();
        for (int i = 0; i < Math.min(ids.size(), MAX_MENTIONS); i++) {
            Optional<UserId> user = Optional.ofNullable(ids.get(i))
                    .flatMap(UserId::parse)
                    .filter(id -> seesTicket(organization, id, ticket));
            validator.require(
                    user.isPresent(),
                    ViolationCode.NOT_FOUND,
                    "/mentions/" + i,
                    "'/mentions/" + i + "' must be the id of a member who may see the ticket.");
            user.ifPresent(mentioned::add);
        }
        return List.copyOf(mentioned);
    }

    private boolean seesTicket(OrganizationId organization, UserId user, Ticket ticket) {
        return access.role(organization, user)
                .map(role -> new TicketActor(user, role.isAtLeast(Role.ADMIN), access.teamsOf(organization, user)))
                .filter(member -> member.sees(ticket))
                .isPresent();
    }

    private static Optional<Integer> team(String id) {
        return id.matches("[1-9][0-9]{0,8}") ? Optional.of(Integer.parseInt(id)) : Optional.empty();
    }
}
