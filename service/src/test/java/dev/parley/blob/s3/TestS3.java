package dev.parley.blob.s3;

import dev.parley.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** A real S3 server that checks signatures, expiry, types and sizes. */
public final class TestS3 implements AutoCloseable {
    private static final String ACCESS_KEY = "parley-test";
    private static final String SECRET_KEY = "parley-test-secret";

    /** A bucket for data lakes. */
    public static final String LAKES = "parley-test-lakes";

    private static final String FILES = "parley-test-files";

    private final S3Proxy proxy;
    private final S3Client client;

    private TestS3(S3Proxy proxy) {
        this.proxy = proxy;
        this.client = new S3Connection(settings()).client();
    }

    public static TestS3 start() throws Exception {
        return start(0);
    }

    public static TestS3 start(int port) throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "s3");
        var store = new FilesystemNio2BlobStore(directory.toAbsolutePath().toString());
        store.createContainer(FILES);
        store.createContainer(LAKES);
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:" + port))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .stopTimeout(0)
                .build();
        proxy.start();
        return new TestS3(proxy);
    }

    public Settings.S3 settings() {
        return settings(proxy.getPort());
    }

    /** The settings of a server on that port. */
    public static Settings.S3 settings(int port) {
        return new Settings.S3(
                Optional.of(URI.create("http://127.0.0.1:" + port)),
                "us-east-1",
                true,
                Optional.of(ACCESS_KEY),
                SECRET_KEY);
    }

    /** Writes an object to the data lakes' bucket. */
    public void put(String key, byte[] bytes) {
        client.putObject(request -> request.bucket(LAKES).key(key), RequestBody.fromBytes(bytes));
    }

    public void delete(String key) {
        client.deleteObject(request -> request.bucket(LAKES).key(key));
    }

    public String bucket() {
        return FILES;
    }

    @Override
    public void close() throws IOException {
        client.close();
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
