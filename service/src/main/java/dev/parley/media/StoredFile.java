package dev.parley.media;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.parley.http.json.StrictJson;
import dev.parley.media.core.FileKind;
import java.util.Objects;

/**
 * A verified, immutable file: the {@code file} area of a message's metadata.
 *
 * @param uri {@code s3://bucket/path}: the reference that tasks exchange
 * @param filename the stored name
 * @param size in bytes
 * @param sha256 in hex
 */
@JsonPropertyOrder({"uri", "bucket", "path", "filename", "content_type", "size", "sha256"})
public record StoredFile(
        String uri, String bucket, String path, String filename, String contentType, long size, String sha256) {
    static StoredFile of(Upload upload, String bucket) {
        String path = upload.key().text();
        return new StoredFile(
                "s3://" + bucket + "/" + path,
                bucket,
                path,
                upload.filename(),
                upload.contentType(),
                upload.info().size(),
                Objects.requireNonNull(upload.sha256(), "a stored file has a hash"));
    }

    /** The {@code content_type} of a message with this file. */
    @JsonIgnore
    public String messageType() {
        return FileKind.of(contentType).contentType();
    }

    /** The area as compact JSON. */
    public String json() {
        return StrictJson.write(this);
    }
}
