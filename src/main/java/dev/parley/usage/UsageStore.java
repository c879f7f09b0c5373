package dev.parley.usage;

import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code usage_hour}. */
@Singleton
public final class UsageStore {
    private final Database database;

    public UsageStore(Database database) {
        this.database = database;
    }

    /** The sum of a metric over an hour or a day, or over all of the time before the first one if there is no step. */
    record UsageSum(@Nullable Instant step, String metric, long value) {}

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

    /** An organization's sums by hour or day (UTC) from {@code first} on, and those since {@code before} in one. */
    List<UsageSum> sums(OrganizationId organization, Instant before, Instant first, ChronoUnit unit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT CASE WHEN hour >= :first THEN date_bin(CAST(:length AS interval), hour, '1970-01-01Z') END AS step,
                            metric, sum(value)::bigint AS value
                        FROM usage_hour
                        WHERE organization_id = :organization AND hour >= :before
                        GROUP BY 1, 2
                        """)
                .bind("organization", organization)
                .bind("before", before)
                .bind("first", first)
                .bind("length", unit == ChronoUnit.DAYS ? "1 day" : "1 hour")
                .mapTo(UsageSum.class)
                .list());
    }
}
