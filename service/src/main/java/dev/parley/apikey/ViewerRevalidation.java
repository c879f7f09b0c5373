package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.event.SseBroker.StreamGuard;
import dev.parley.http.ApiKeyCaller;
import dev.parley.http.OrganizationMember;
import dev.parley.http.Viewer;
import dev.parley.organization.SessionRevalidation;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Rechecks the key or the session of a long request: live streams end when it is no longer valid. */
@Singleton
public final class ViewerRevalidation {
    private final ApiKeyStore keys;
    private final SessionRevalidation sessions;
    private final Clock clock;

    public ViewerRevalidation(Database database, SessionRevalidation sessions, Clock clock) {
        this.keys = database.statements(ApiKeyStore.class);
        this.sessions = sessions;
        this.clock = clock;
    }

    public StreamGuard guard(Viewer viewer, RoutingContext request) {
        return switch (viewer) {
            case ApiKeyCaller caller ->
                new StreamGuard(
                        "key " + caller.key(),
                        () -> keys.isValid(caller.organization(), caller.key(), clock.instant()));
            case OrganizationMember member -> sessions.guard(member, request);
        };
    }
}
