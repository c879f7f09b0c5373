package dev.parley.attachment;

import dev.parley.id.OrganizationId;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code document_reading}: documents that are not read again for a day. */
interface DocumentReadingStore {
    /** Either the text of a document, or why it could not be read. */
    record DocumentReading(@Nullable String text, @Nullable String fault) {}

    @SqlQuery("""
            SELECT text, fault FROM document_reading
            WHERE organization_id = :organization AND sha256 = :sha256 AND content_type = :contentType
              AND read_at > :after""")
    Optional<DocumentReading> find(OrganizationId organization, String sha256, String contentType, Instant after);

    @SqlUpdate("""
            INSERT INTO document_reading (organization_id, sha256, content_type, text, fault, read_at)
            VALUES (:organization, :sha256, :contentType, :text, :fault, :now)
            ON CONFLICT (organization_id, sha256, content_type)
            DO UPDATE SET text = excluded.text, fault = excluded.fault, read_at = excluded.read_at""")
    void store(
            OrganizationId organization,
            String sha256,
            String contentType,
            @BindMethods DocumentReading reading,
            Instant now);

    /** Deletes what is too old or belongs to deleted organizations. */
    @SqlUpdate("""
            DELETE FROM document_reading WHERE read_at <= :before OR organization_id IN (
                SELECT id FROM organization WHERE deleted_at IS NOT NULL)""")
    void delete(Instant before);
}
