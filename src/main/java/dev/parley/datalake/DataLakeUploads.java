package dev.parley.datalake;

import dev.parley.blob.BlobStore;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.http.RequestValidator;
import dev.parley.media.PublicAddress;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks what requests say about a table's file, and signs URLs for its upload. */
@Singleton
public final class DataLakeUploads {
    private final BlobStore blobs;
    private final PublicAddress here;
    private final DataLakeImporter lakes;

    public DataLakeUploads(BlobStore blobs, PublicAddress here, DataLakeImporter lakes) {
        this.blobs = blobs;
        this.here = here;
        this.lakes = lakes;
    }

    static Optional<DataLake.Format> format(@Nullable String requested, RequestValidator validator) {
        if (requested == null) {
            validator.add(Violation.missing("/format"));
            return Optional.empty();
        }
        Optional<DataLake.Format> format = DataLake.Format.of(requested);
        validator.require(format.isPresent(), "/format", "'/format' must be csv, jsonl, parquet or xlsx.");
        return format;
    }

    static void checkSize(@Nullable Long size, RequestValidator validator) {
        validator.require(size == null || size > 0, "/size", "'/size' must be a number of bytes above 0.");
    }

    void requireAllowed(@Nullable Long size) {
        if (size != null && size > lakes.maxBytes()) {
            throw ApiProblem.of(
                    ProblemKind.PAYLOAD_TOO_LARGE,
                    "The file is larger than the " + lakes.maxBytes() + " bytes allowed.");
        }
    }

    DataLakeUpload sign(UploadGrant grant, RoutingContext request) {
        SignedUpload signed = blobs.sign(grant, here.of(request.request()));
        return new DataLakeUpload(signed.url(), "PUT", signed.headers(), grant.expires(), grant.maxBytes());
    }
}
