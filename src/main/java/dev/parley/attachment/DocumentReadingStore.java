package dev.parley.attachment;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** The table {@code document_reading}: documents that are not read again for a day. */
@Singleton
final class DocumentReadingStore {
    private static final Duration RETENTION = Duration.ofDays(1);
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Database database;
    private final Clock clock;

    DocumentReadingStore(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Either the text of a document, or why it could not be read. */
    record DocumentReading(@Nullable String text, @Nullable String fault) {}

    Optional<DocumentReading> find(OrganizationId organization, String sha256, String contentType) {
        return database.with(handle -> handle.createQuery("""
                        SELECT text, fault FROM document_reading
                        WHERE organization_id = :organization AND sha256 = :sha256 AND content_type = :contentType
                          AND read_at > :after
                        """)
                .bind("organization", organization.value())
                .bind("sha256", sha256)
                .bind("contentType", contentType)
                .bind("after", oldest())
                .map(ConstructorMapper.of(DocumentReading.class))
                .findOne());
    }

    void store(OrganizationId organization, String sha256, String contentType, DocumentReading reading) {
        database.change(handle -> handle.createUpdate("""
                        INSERT INTO document_reading (organization_id, sha256, content_type, text, fault, read_at)
                        VALUES (:organization, :sha256, :contentType, :text, :fault, :now)
                        ON CONFLICT (organization_id, sha256, content_type)
                        DO UPDATE SET text = excluded.text, fault = excluded.fault, read_at = excluded.read_at
                        """)
                .bind("organization", organization.value())
                .bind("sha256", sha256)
                .bind("contentType", contentType)
                .bind("text", reading.text)
                .bind("fault", reading.fault)
                .bind("now", clock.instant())
                .execute());
    }

    @Produces
    @Singleton
    MaintenanceJob job() {
        return new MaintenanceJob("delete results of reading documents", INTERVAL, this::delete);
    }

    /** Deletes what is too old or belongs to deleted organizations. */
    void delete() {
        database.change(handle -> handle.execute("""
                        DELETE FROM document_reading WHERE read_at <= ? OR organization_id IN (
                            SELECT id FROM organization WHERE deleted_at IS NOT NULL)
                        """, oldest()));
    }

    private Instant oldest() {
        return clock.instant().minus(RETENTION);
    }
}
