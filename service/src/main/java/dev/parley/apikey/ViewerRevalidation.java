package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.event.sse.SseBroker.StreamGuard;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.OrganizationMember;
import dev.parley.http.access.Viewer;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.session.SessionCookie;
import dev.parley.organization.session.Sessions;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Rechecks the key or the session of a long request: live streams end when it is no longer valid. */
@Singleton
public final class ViewerRevalidation {
    private final ApiKeyStore keys;
    private final Sessions sessions;
    private final OrganizationAccess access;
    private final Clock clock;

    public ViewerRevalidation(Database database, Sessions sessions, OrganizationAccess access, Clock clock) {
        this.keys = database.statements(ApiKeyStore.class);
        this.sessions = sessions;
        this.access = access;
        this.clock = clock;
    }

    /** A member's is valid while the session lives and its user is a member; all streams of the session share it. */
    public StreamGuard guard(Viewer viewer, RoutingContext request) {
        return switch (viewer) {
            case ApiKeyCaller caller ->
                new StreamGuard(
                        "key " + caller.key(),
                        () -> keys.isValid(caller.organization(), caller.key(), clock.instant()));
            case OrganizationMember member -> {
                String token = SessionCookie.token(request);
                yield new StreamGuard(
                        "session " + member.organization() + " " + token,
                        () -> sessions.isValid(token)
                                && access.isMember(
                                        member.organization(), member.user().id()));
            }
        };
    }
}
