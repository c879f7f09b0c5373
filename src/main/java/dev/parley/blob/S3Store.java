package dev.parley.blob;

import dev.parley.problem.ApiProblem;
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
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
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
    private static final String WRITE_ONCE = "*";

    private final String bucket;
    private final Optional<String> host;
    private final S3Client client;
    private final S3Presigner presigner;
    private final Clock clock;

    public S3Store(Settings.S3 settings, String bucket, Clock clock) {
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
                .ifNoneMatch(WRITE_ONCE);
        if (grant.size() != null) {
            put.contentLength(grant.size());
        }
        PresignedPutObjectRequest signed = call(() -> presigner.presignPutObject(
                request -> request.signatureDuration(Duration.between(clock.instant(), grant.expires()))
                        .putObjectRequest(put.build())));
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", grant.contentType());
        headers.put("If-None-Match", WRITE_ONCE);
        return new SignedUpload(signed.url().toString(), headers);
    }

    @Override
    public boolean put(BlobKey key, String contentType, Path file) {
        try {
            client.putObject(
                    request -> request.bucket(bucket)
                            .key(key.text())
                            .contentType(contentType)
                            .ifNoneMatch(WRITE_ONCE),
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
                .ifMatch(expected.version())
                .range("bytes=" + from + "-" + (from + length - 1))
                .build();
        return S3Connection.open(client, request, S3Store::unavailable);
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
        return ApiProblem.unavailable("The file storage cannot be used right now; nothing was stored.", RETRY_AFTER);
    }
}
