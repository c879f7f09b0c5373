package dev.parley.blob.s3;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.UploadGrant;
import dev.parley.id.UploadId;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Tries at startup what Parley needs of an S3 store, and adapts to what a store does not support. */
final class S3Probe {
    private static final byte[] BYTES = "Parley tries this store.".getBytes(StandardCharsets.US_ASCII);
    private static final String TYPE = "text/plain";
    private static final int FROM = 7;
    private static final int TO = 11;

    private final S3Store store;
    private final S3Client client;
    private final S3Diagnosis diagnosis;
    private final String bucket;
    private final String prefix = "parley-probe/" + UploadId.next().text();
    private final String key = prefix + "/written";

    S3Probe(S3Store store, Settings.S3 settings, String bucket, S3Client client) {
        this.store = store;
        this.client = client;
        this.bucket = bucket;
        this.diagnosis = new S3Diagnosis(settings, bucket);
    }

    void run() {
        step("write (s3:PutObject)", this::write);
        try {
            step("read (s3:GetObject)", this::read);
            step("see that an object is missing (s3:ListBucket)", this::miss);
            step("copy (s3:PutObject, s3:GetObject)", this::copy);
            step("write by a signed URL (s3:PutObject)", this::writeBySignedUrl);
            step("delete (s3:DeleteObject)", () -> delete(key));
        } finally {
            cleanUp();
        }
    }

    /** Reads the id of the store, if it has one, and writes nothing. */
    void runReading() {
        step("see that an object is missing (s3:ListBucket)", this::miss);
        step("read (s3:GetObject)", this::readIdentity);
    }

    private void readIdentity() throws IOException {
        String id = StoreIdentity.KEY.text();
        HeadObjectResponse head;
        try {
            head = client.headObject(request -> request.bucket(bucket).key(id));
        } catch (S3Exception e) {
            if (e.statusCode() == 404) {
                return;
            }
            throw e;
        }
        if (head.eTag() == null || head.contentLength() == null || head.contentLength() == 0) {
            return;
        }
        client.getObjectAsBytes(request -> request.bucket(bucket).key(id));
        try (InputStream first = store.open(StoreIdentity.KEY, new BlobInfo(1, head.eTag()), 0, 1)) {
            first.readAllBytes();
        } catch (java.nio.file.NoSuchFileException _) {
            store.withoutConditionalReads();
        }
    }

    /** One thing that Parley does with a store. */
    private interface Attempt {
        void run() throws IOException;
    }

    private void step(String action, Attempt attempt) {
        try {
            attempt.run();
        } catch (SdkException | IOException e) {
            throw diagnosis.of(action, e);
        } catch (ApiProblem e) {
            // The store has logged the cause.
            throw new SettingsException(Setting.PARLEY_S3_BUCKET, "names a store that cannot be used.");
        }
    }

    private void write() {
        try {
            write("*");
        } catch (S3Exception e) {
            if (e.statusCode() != 400 && e.statusCode() != 501) {
                throw e;
            }
            write(null);
            store.withoutConditionalWrites();
        }
    }

    private void write(@Nullable String ifNoneMatch) {
        var put = PutObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .contentType(TYPE)
                .ifNoneMatch(ifNoneMatch)
                .build();
        client.putObject(put, RequestBody.fromBytes(BYTES));
    }

    private void read() throws IOException {
        HeadObjectResponse head =
                client.headObject(request -> request.bucket(bucket).key(key));
        if (head.eTag() == null || head.contentLength() == null || head.contentLength() != BYTES.length) {
            throw new SettingsException(
                    Setting.PARLEY_S3_ENDPOINT,
                    "leads to a store, or a proxy, that does not report the size and the ETag of an object.");
        }
        // Outside of the store, which does not report why a read fails.
        client.getObjectAsBytes(request -> request.bucket(bucket).key(key));
        if (!isReadable(head)) {
            store.withoutConditionalReads();
            if (!isReadable(head)) {
                throw new SettingsException(
                        Setting.PARLEY_S3_ENDPOINT, "leads to a store that does not return what was written.");
            }
        }
    }

    private boolean isReadable(HeadObjectResponse head) throws IOException {
        var info = new BlobInfo(head.contentLength(), head.eTag());
        try (InputStream part = store.open(new BlobKey(key), info, FROM, TO - FROM)) {
            return Arrays.equals(part.readAllBytes(), Arrays.copyOfRange(BYTES, FROM, TO));
        } catch (java.nio.file.NoSuchFileException _) {
            return false;
        }
    }

    private void miss() {
        try {
            client.headObject(request -> request.bucket(bucket).key(prefix + "/missing"));
        } catch (S3Exception e) {
            if (e.statusCode() != 404) {
                throw e;
            }
        }
    }

    private void copy() {
        client.copyObject(request -> request.sourceBucket(bucket)
                .sourceKey(key)
                .destinationBucket(bucket)
                .destinationKey(prefix + "/copied"));
    }

    /** As a client would. The SDK adapts its own calls to a wrong clock, but not signed URLs. */
    private void writeBySignedUrl() throws IOException {
        var grant = new UploadGrant(
                new BlobKey(prefix + "/uploaded"),
                TYPE,
                (long) BYTES.length,
                BYTES.length,
                Instant.now().plusSeconds(900));
        SignedUpload upload = store.sign(grant, "");
        var request = SdkHttpFullRequest.builder().method(SdkHttpMethod.PUT).uri(URI.create(upload.url()));
        upload.headers().forEach(request::putHeader);
        request.putHeader("Content-Length", String.valueOf(BYTES.length));
        try (SdkHttpClient http = UrlConnectionHttpClient.create()) {
            var call = HttpExecuteRequest.builder()
                    .request(request.build())
                    .contentStreamProvider(() -> new ByteArrayInputStream(BYTES))
                    .build();
            var response = http.prepareRequest(call).call();
            if (!response.httpResponse().isSuccessful()) {
                throw diagnosis.of("write by a signed URL (s3:PutObject)", response);
            }
        }
    }

    private void delete(String object) {
        client.deleteObject(request -> request.bucket(bucket).key(object));
    }

    private void cleanUp() {
        try {
            delete(key);
            delete(prefix + "/copied");
            delete(prefix + "/uploaded");
        } catch (SdkException _) {
            // A permission to delete is missing, which is reported.
        }
    }
}
