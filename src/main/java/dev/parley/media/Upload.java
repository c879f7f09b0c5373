package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.id.WorkflowId;
import dev.parley.media.core.FileKind;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of an organization, or the permission to upload one.
 *
 * @param filename as it is stored, time and original name; no other of the organization has it, unless it is older
 * @param size declared while PENDING, and then perhaps null; the real one when STORED
 * @param teamId the restriction of the key that uploaded it
 * @param sha256 in hex; present when STORED
 * @param version of the bytes that were checked; present when STORED
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
    /** How far it is. */
    public enum State {
        PENDING,
        STORED,
        ABANDONED
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

    /** The same under another stored name. */
    public Upload named(String other) {
        return new Upload(
                organization,
                id,
                kind,
                other,
                originalName,
                contentType,
                size,
                teamId,
                workflowId,
                state,
                sha256,
                version,
                createdBy,
                createdAt);
    }

    public Upload stored(BlobInfo info, String hash) {
        return new Upload(
                organization,
                id,
                kind,
                filename,
                originalName,
                contentType,
                info.size(),
                teamId,
                workflowId,
                State.STORED,
                hash,
                info.version(),
                createdBy,
                createdAt);
    }
}
