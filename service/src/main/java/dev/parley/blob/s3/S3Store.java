package dev.parley.blob.s3;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.HeadBuffer;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.UploadGrant;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.s3.presigner.model.PresignedPutObjectRequest;

/**
 * Stores files in a bucket of any S3-compatible store. Clients write directly to it with URLs signed for content type,
 * size and {@code If-None-Match: *}, which allows one write. If a store ignores that header, a file could be replaced
 * while its URL is valid; the new bytes are never served, because every read names the verified version.
 *
 * <p>The operator configures the endpoint, like the database, so the egress rules do not apply.
 */
public final class S3Store implements BlobStore, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(S3Store.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration FAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final String WRITE_ONCE = "*";

    private final Settings.S3 settings;
    private final String bucket;
    private final Optional<String> host;
    private final S3Client client;
    private final S3Presigner presigner;
    private final Clock clock;
    private volatile boolean conditionalWrites = true;
    private volatile boolean conditionalReads = true;

    public S3Store(Settings.S3 settings, String bucket, Clock clock) {
        this.settings = settings;
        this.bucket = bucket;
        this.host = settings.endpoint().map(S3Store::authority);
        this.clock = clock;
        var connection = new S3Connection(settings);
        this.client = connection.client();
        this.presigner = connection.presigner();
    }

    private static String authority(URI endpoint) {
        return endpoint.getPort() < 0 ? endpoint.getHost() : endpoint.getHost() + ":" + endpoint.getPort();
    }

    @Override
    public void check() {
        new S3Probe(this, settings, bucket, client).run();
    }

    @Override
    public void checkReading() {
        new S3Probe(this, settings, bucket, client).runReading();
    }

    /** Reads the head of the store's id, which the start has found or written. */
    @Override
    public Optional<String> fault() {
        try {
            client.headObject(request -> request.bucket(bucket)
                    .key(StoreIdentity.KEY.text())
                    .overrideConfiguration(call -> call.apiCallTimeout(FAULT_TIMEOUT)));
            return Optional.empty();
        } catch (S3Exception e) {
            return Optional.of(
                    e.statusCode() == 404
                            ? "The object " + locate(StoreIdentity.KEY) + " cannot be found: the bucket does not exist,"
                                    + " or is not this database's."
                            : "The bucket " + bucket + " cannot be used: status " + e.statusCode() + ".");
        } catch (SdkException e) {
            LOG.debugf(e, "The S3 store cannot be reached");
            return Optional.of("The store of the bucket " + bucket + " cannot be reached.");
        }
    }

    /** For a store that rejects {@code If-None-Match}: a file could then be replaced while its URL is valid. */
    void withoutConditionalWrites() {
        LOG.warn("The S3 store does not support If-None-Match, so an upload URL can be used more than once");
        conditionalWrites = false;
    }

    /** For a store that does not accept its own entity tags, for example behind a proxy that compresses. */
    void withoutConditionalReads() {
        conditionalReads = false;
    }

    @Override
    public Setting setting() {
        return Setting.PARLEY_S3_BUCKET;
    }

    @Override
    public String locate(BlobKey key) {
        return "s3://" + bucket + "/" + key;
    }

    @Override
    public String bucket() {
        return bucket;
    }

    @Override
    public Optional<String> host() {
        return host;
    }

    @Override
    public Optional<String> uploadOrigin() {
        URL any = client.utilities().getUrl(request -> request.bucket(bucket).key("any"));
        return Optional.of(any.getProtocol() + "://" + any.getAuthority());
    }

    @Override
    public SignedUpload sign(UploadGrant grant, String baseUrl) {
        var put = PutObjectRequest.builder()
                .bucket(bucket)
                .key(grant.key().text())
                .contentType(grant.contentType())
                .ifNoneMatch(writeOnce());
        if (grant.size() != null) {
            put.contentLength(grant.size());
        }
        PresignedPutObjectRequest signed = call(() -> presigner.presignPutObject(
                request -> request.signatureDuration(Duration.between(clock.instant(), grant.expires()))
                        .putObjectRequest(put.build())));
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", grant.contentType());
        if (conditionalWrites) {
            headers.put("If-None-Match", WRITE_ONCE);
        }
        return new SignedUpload(signed.url().toString(), headers);
    }

    private @Nullable String writeOnce() {
        return conditionalWrites ? WRITE_ONCE : null;
    }

    @Override
    public boolean put(BlobKey key, String contentType, Path file) {
        if (!conditionalWrites && info(key).isPresent()) {
            return false;
        }
        try {
            client.putObject(
                    request -> request.bucket(bucket)
                            .key(key.text())
                            .contentType(contentType)
                            .ifNoneMatch(writeOnce()),
                    RequestBody.fromFile(file));
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() == 412 || e.statusCode() == 409) {
                return isOurs(e, key, file);
            }
            throw unavailable(e);
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    /** Whether an earlier attempt of the same call, whose response was lost, wrote it. */
    private boolean isOurs(S3Exception refused, BlobKey key, Path file) {
        Integer attempts = refused.numAttempts();
        if (attempts == null || attempts < 2) {
            return false;
        }
        try {
            long size = Files.size(file);
            return info(key).filter(found -> found.size() == size).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean copy(BlobKey from, BlobKey to) throws IOException {
        if (info(from).isEmpty()) {
            throw new NoSuchFileException("there is no such file");
        }
        if (info(to).isPresent()) {
            return false;
        }
        call(() -> client.copyObject(request -> request.sourceBucket(bucket)
                .sourceKey(from.text())
                .destinationBucket(bucket)
                .destinationKey(to.text())));
        return true;
    }

    @Override
    public Optional<BlobInfo> info(BlobKey key) {
        try {
            HeadObjectResponse head =
                    client.headObject(request -> request.bucket(bucket).key(key.text()));
            if (head.contentLength() == null || head.eTag() == null) {
                LOG.errorf("The S3 store did not report the size and the ETag of %s", key);
                throw unavailable();
            }
            return Optional.of(new BlobInfo(head.contentLength(), head.eTag()));
        } catch (S3Exception e) {
            if (e.statusCode() == 404) {
                return Optional.empty();
            }
            throw unavailable(e);
        } catch (SdkException e) {
            throw unavailable(e);
        }
    }

    @Override
    public InputStream open(BlobKey key, BlobInfo expected, long from, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream(); // A range cannot be empty.
        }
        var request = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key.text())
                .ifMatch(conditionalReads ? expected.version() : null)
                .range("bytes=" + from + "-" + (from + length - 1))
                .build();
        ResponseInputStream<GetObjectResponse> bytes = S3Connection.open(client, request, S3Store::unavailable);
        if (!conditionalReads && !expected.version().equals(bytes.response().eTag())) {
            bytes.abort();
            throw new NoSuchFileException("the object was changed");
        }
        Long sent = bytes.response().contentLength();
        if (bytes.response().contentRange() == null && (sent == null || sent != length)) {
            bytes.skipNBytes(from); // The store, or a proxy, ignores ranges.
        }
        return new HeadBuffer(bytes, length);
    }

    @Override
    public void delete(BlobKey key) {
        call(() -> client.deleteObject(request -> request.bucket(bucket).key(key.text())));
    }

    @Override
    public void sweep(Instant before) {
        // An aborted PUT leaves nothing in S3.
    }

    @Override
    public void close() {
        client.close();
        presigner.close();
    }

    private static <T> T call(Supplier<T> call) {
        return S3Connection.call(call, S3Store::unavailable);
    }

    /** Includes rejected credentials and a missing bucket, which only the operator can fix. */
    private static ApiProblem unavailable(SdkException e) {
        LOG.errorf("The S3 store cannot be used: %s", e.getMessage());
        return e instanceof S3Exception refused && S3Diagnosis.isFull(refused)
                ? ApiProblem.unavailable("The file storage is full right now; nothing was stored.", RETRY_AFTER)
                : unavailable();
    }

    private static ApiProblem unavailable() {
        return ApiProblem.unavailable("The file storage cannot be used right now; nothing was stored.", RETRY_AFTER);
    }
}
