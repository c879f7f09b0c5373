package dev.parley.organization;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The permissions in an organization; each role includes the previous ones. */
public enum Role {
    /** Uses the organization: workflows, conversations, tickets. */
    MEMBER,
    /** Also manages members, teams and keys. */
    ADMIN,
    /** Also creates owners and deletes the organization. */
    OWNER;

    public boolean isAtLeast(Role min) {
        return compareTo(min) >= 0;
    }

    /** Rejects a change of a member with another role: owners are for owners. */
    public void requireMayChange(Role role) {
        if (role == OWNER && this != OWNER) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "Only owners can add, change or remove owners.");
        }
    }

    /** The text in the API and the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> parse(String text) {
        return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
    }

    /** Parses the text of the database. */
    public static Role of(String stored) {
        return parse(stored).orElseThrow(() -> new IllegalStateException("unknown role " + stored));
    }
}
