package dev.parley.organization;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a person may do in an organization; a later role includes the earlier ones. */
public enum Role {
    /** Uses the organization: workflows, conversations, tickets. */
    MEMBER,
    /** Manages members, teams and keys, too. */
    ADMIN,
    /** Makes owners and deletes the organization, too. */
    OWNER;

    public boolean isAtLeast(Role least) {
        return compareTo(least) >= 0;
    }

    /** As the API and the database write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> parse(String text) {
        return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
    }

    /** Reads what the database holds. */
    static Role of(String stored) {
        return parse(stored).orElseThrow(() -> new IllegalStateException("unknown role " + stored));
    }
}
