package dev.parley.blob.s3;

import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/**
 * Lists and reads foreign objects in an S3-compatible store; never writes. The caller must check that its organization
 * may read them.
 */
public final class S3Objects implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(S3Objects.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final int PAGE = 1_000;

    private final S3Client client;
    private final int page;

    public S3Objects(Settings.S3 settings) {
        this(settings, PAGE);
    }

    S3Objects(Settings.S3 settings, int page) {
        this.client = new S3Connection(settings).client();
        this.page = page;
    }

    /** An object in a listing. */
    public record S3Object(String bucket, String key, long size, String version) {
        public String uri() {
            return "s3://" + bucket + "/" + key;
        }
    }

    /** The first objects with this key prefix, in key order. */
    public List<S3Object> list(String bucket, String prefix, int max) {
        List<S3Object> found = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        String token = null;
        String after = null;
        boolean isTruncated;
        do {
            ListObjectsV2Response response = page(bucket, prefix, token, after);
            for (software.amazon.awssdk.services.s3.model.S3Object object : response.contents()) {
                if (!keys.add(object.key())) {
                    throw unavailable("the listing of " + bucket + " repeats itself");
                }
                found.add(new S3Object(bucket, object.key(), object.size(), object.eTag()));
            }
            isTruncated = Boolean.TRUE.equals(response.isTruncated());
            // Some stores truncate a listing without a token for the rest.
            token = "".equals(response.nextContinuationToken()) ? null : response.nextContinuationToken();
            after = token == null && !found.isEmpty() ? found.getLast().key() : null;
        } while (isTruncated && (token != null || after != null) && found.size() < max);
        return List.copyOf(found.subList(0, Math.min(max, found.size())));
    }

    private ListObjectsV2Response page(String bucket, String prefix, @Nullable String token, @Nullable String after) {
        var request = ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(prefix)
                .maxKeys(page)
                .continuationToken(token)
                .startAfter(after)
                .build();
        return S3Connection.call(() -> client.listObjectsV2(request), S3Objects::unavailable);
    }

    /**
     * Opens an object.
     *
     * @throws NoSuchFileException if the object was deleted or replaced after it was listed
     */
    public InputStream open(S3Object object) throws IOException {
        var request = GetObjectRequest.builder()
                .bucket(object.bucket())
                .key(object.key())
                .ifMatch(object.version())
                .build();
        return S3Connection.open(client, request, S3Objects::unavailable);
    }

    /** Includes a missing bucket and denied access, because the operator configured them. */
    private static ApiProblem unavailable(SdkException e) {
        return unavailable(String.valueOf(e.getMessage()));
    }

    private static ApiProblem unavailable(String reason) {
        LOG.errorf("Data lakes cannot read from S3: %s", reason);
        return ApiProblem.unavailable("The S3 store cannot be read right now; nothing was changed.", RETRY_AFTER);
    }

    @Override
    public void close() {
        client.close();
    }
}
