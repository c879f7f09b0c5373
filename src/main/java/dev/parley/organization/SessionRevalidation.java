package dev.parley.organization;

import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import io.vertx.core.http.Cookie;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.function.BooleanSupplier;

/** Revalidates a session during a long request: live streams call it periodically. */
@Singleton
public final class SessionRevalidation {
    private final SessionStore sessions;
    private final OrganizationAccess access;

    SessionRevalidation(SessionStore sessions, OrganizationAccess access) {
        this.sessions = sessions;
        this.access = access;
    }

    /** A name shared by all requests of one session in an organization. */
    public static String name(RoutingContext request, OrganizationId organization) {
        return "session " + organization + " " + token(request);
    }

    private static String token(RoutingContext request) {
        Cookie cookie = request.request().getCookie(SessionFilter.COOKIE);
        return cookie == null ? "" : cookie.getValue();
    }

    /** Checks whether the request's session is valid and its user is still a member of the organization. */
    public BooleanSupplier of(RoutingContext request, OrganizationId organization) {
        DashboardUser person = DashboardUser.of(request);
        String token = token(request);
        return () -> sessions.lives(token) && access.isMember(organization, person.id());
    }
}
