package dev.parley.organization;

import dev.parley.event.SseBroker.StreamGuard;
import dev.parley.http.OrganizationMember;
import io.vertx.core.http.Cookie;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Rechecks the session of a long request. */
@Singleton
public final class SessionRevalidation {
    private final Sessions sessions;
    private final OrganizationAccess access;

    SessionRevalidation(Sessions sessions, OrganizationAccess access) {
        this.sessions = sessions;
        this.access = access;
    }

    /** Valid while the session lives and its user is a member; shared by all streams of the session. */
    public StreamGuard guard(OrganizationMember member, RoutingContext request) {
        Cookie cookie = request.request().getCookie(SessionFilter.COOKIE);
        String token = cookie == null ? "" : cookie.getValue();
        return new StreamGuard(
                "session " + member.organization() + " " + token,
                () -> sessions.isValid(token)
                        && access.isMember(member.organization(), member.user().id()));
    }
}
