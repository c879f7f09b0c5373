package dev.parley.http.access;

import dev.parley.id.UserId;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * The caller of a dashboard request, identified by a session. Permissions in an organization depend on the memberships.
 *
 * @param operator whether the user operates the installation: creates organizations and sets their limits
 * @param emailProven whether the user has verified the email address
 */
public record DashboardUser(UserId id, String email, String name, boolean operator, boolean emailProven) {
    private static final String ATTRIBUTE = "parley.user";

    public void attach(RoutingContext request) {
        request.put(ATTRIBUTE, this);
    }

    /** The user, or empty if the route needs no session. */
    public static Optional<DashboardUser> find(RoutingContext request) {
        return Optional.ofNullable(request.get(ATTRIBUTE));
    }

    /** The user of a signed-in request; the session filter has already rejected all others. */
    public static DashboardUser of(RoutingContext request) {
        DashboardUser user = request.get(ATTRIBUTE);
        if (user == null) {
            throw new IllegalStateException("no session was checked for " + request.normalizedPath());
        }
        return user;
    }

    /** The value of {@code created_by} and of histories. */
    public String createdBy() {
        return "user:" + id.text();
    }
}
