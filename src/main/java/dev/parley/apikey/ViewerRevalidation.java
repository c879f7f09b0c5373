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
    private final Database database;
    private final SessionRevalidation sessions;
    private final Clock clock;

    public ViewerRevalidation(Database database, SessionRevalidation sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    public StreamGuard guard(Viewer viewer, RoutingContext request) {
        return switch (viewer) {
            case ApiKeyCaller caller -> new StreamGuard("key " + caller.key(), () -> isValid(caller));
            case OrganizationMember member -> sessions.guard(member, request);
        };
    }

    /** Whether the key is neither revoked nor expired, and its organization and its team still exist. */
    private boolean isValid(ApiKeyCaller caller) {
        return database.with(handle -> handle.createQuery("""
                        SELECT EXISTS (
                            SELECT FROM api_key k JOIN organization o ON o.id = k.organization_id
                            LEFT JOIN team t ON t.organization_id = k.organization_id AND t.id = k.team_id
                            WHERE k.organization_id = :organization AND k.id = :key AND k.revoked_at IS NULL
                              AND (k.expires_at IS NULL OR k.expires_at > :now)
                              AND o.deleted_at IS NULL AND t.deleted_at IS NULL)""")
                .bind("organization", caller.organization())
                .bind("key", caller.key())
                .bind("now", clock.instant())
                .mapTo(Boolean.class)
                .one());
    }
}
