package dev.parley.http;

import dev.parley.id.UserId;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Who asks by a dashboard session. What a person may do in an organization is asked of its memberships.
 *
 * @param operator whether the person runs the installation: makes organizations and sets their limits
 * @param emailProven whether the person has shown that the e-mail address is theirs
 */
public record DashboardUser(UserId id, String email, String name, boolean operator, boolean emailProven) {
    private static final String ATTRIBUTE = "parley.person";

    public void attach(RoutingContext request) {
        request.put(ATTRIBUTE, this);
    }

    /** The same, or empty where nobody had to say who they are. */
    public static Optional<DashboardUser> find(RoutingContext request) {
        return Optional.ofNullable(request.get(ATTRIBUTE));
    }

    /** The person of a signed-in request; the session filter has refused all others before. */
    public static DashboardUser of(RoutingContext request) {
        DashboardUser person = request.get(ATTRIBUTE);
        if (person == null) {
            throw new IllegalStateException("no session was checked for " + request.normalizedPath());
        }
        return person;
    }

    /** What stands in {@code created_by} and in histories. */
    public String createdBy() {
        return "user:" + id.text();
    }
}
