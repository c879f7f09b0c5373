package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.id.WorkflowId;
import dev.parley.media.core.FileKind;
import dev.parley.media.core.FileName;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of an organization, or the permission to upload one.
 *
 * @param filename the stored name: time and original name; unique within the organization, except for old files
 * @param size the declared size, possibly null, while PENDING; the actual one when STORED
 * @param teamId the team of the key that uploaded it, if restricted
 * @param sha256 in hex; set when STORED
 * @param version of the verified bytes; set when STORED
 */
public record Upload(
        OrganizationId organization,
        UploadId id,
        FileKind kind,
        String filename,
        String originalName,
        String contentType,
        @Nullable Long size,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId,
        State state,
        @Nullable String sha256,
        @Nullable String version,
        String createdBy,
        Instant createdAt) {
    /** The progress of an upload. */
    public enum State {
        PENDING,
        STORED,
        ABANDONED
    }

    static Upload pending(
            FileScope scope, String createdBy, String name, String type, @Nullable Long size, Instant now) {
        return new Upload(
                scope.organization(),
                UploadId.next(),
                FileKind.of(type),
                FileName.stored(now, name),
                name,
                type,
                size,
                scope.teamId(),
                scope.workflowId(),
                State.PENDING,
                null,
                null,
                createdBy,
                now);
    }

    public BlobKey key() {
        return new BlobKey(String.join("/", organization.text(), kind.folder(), id.text(), filename));
    }

    /** Size and version of a stored file. */
    public BlobInfo info() {
        return new BlobInfo(
                Objects.requireNonNull(size, "a stored file has a size"),
                Objects.requireNonNull(version, "a stored file has a version"));
    }
}
