package dev.parley.apikey;

import dev.parley.db.Database;
import dev.parley.http.ApiKeyCaller;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Revalidates a key during a long request: live streams call it periodically. */
@Singleton
public final class ApiKeyRevalidation {
    private final Database database;
    private final Clock clock;

    public ApiKeyRevalidation(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Not revoked, not expired, and of an existing organization and team. */
    public boolean holds(ApiKeyCaller caller) {
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
