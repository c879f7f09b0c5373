package dev.parley.usage;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.List;

/** The table {@code usage_hour}. */
@Singleton
public final class UsageStore {
    private final Database database;

    public UsageStore(Database database) {
        this.database = database;
    }

    /** A row of the table. */
    record HourlyCount(Instant hour, String metric, long value) {}

    /** Adds to the counts, each key once, in one statement; safe from several nodes. */
    void add(List<UsageKey> keys, List<Long> values) {
        database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO usage_hour (organization_id, hour, metric, value)
                    SELECT u.organization_id, u.hour, u.metric, u.value
                    FROM unnest(?::uuid[], ?::timestamptz[], ?::text[], ?::bigint[])
                        AS u (organization_id, hour, metric, value)
                    WHERE EXISTS (SELECT FROM organization o WHERE o.id = u.organization_id)
                    ORDER BY 1, 2, 3
                    ON CONFLICT (organization_id, hour, metric)
                    DO UPDATE SET value = usage_hour.value + EXCLUDED.value
                    """)) {
                new BatchInsert<>(statement, 1, keys)
                        .ids(UsageKey::organization)
                        .times(UsageKey::hour)
                        .texts(UsageKey::metric);
                new BatchInsert<>(statement, 4, values).longs(value -> value);
                return statement.executeUpdate();
            }
        });
    }

    /** The counts of an organization since an hour, oldest first. */
    List<HourlyCount> since(OrganizationId organization, Instant hour) {
        return database.with(handle -> handle.createQuery("""
                        SELECT hour, metric, value FROM usage_hour
                        WHERE organization_id = :organization AND hour >= :since ORDER BY hour, metric""")
                .bind("organization", organization)
                .bind("since", hour)
                .mapTo(HourlyCount.class)
                .list());
    }
}
