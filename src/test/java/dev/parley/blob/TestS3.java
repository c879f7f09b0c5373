package dev.parley.blob;

import dev.parley.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** A real server of the S3 protocol, which checks signatures, expiry, types and sizes. */
public final class TestS3 implements AutoCloseable {
    private static final String ACCESS_KEY = "parley-test";
    private static final String SECRET_KEY = "parley-test-secret";

    private final S3Proxy proxy;
    private final String bucket;

    private TestS3(S3Proxy proxy, String bucket) {
        this.proxy = proxy;
        this.bucket = bucket;
    }

    public static TestS3 start() throws Exception {
        Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "s3");
        var store = new FilesystemNio2BlobStore(directory.toAbsolutePath().toString());
        store.createContainer("parley-test-files");
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .stopTimeout(0)
                .build();
        proxy.start();
        return new TestS3(proxy, "parley-test-files");
    }

    public Settings.S3 settings() {
        return new Settings.S3(
                Optional.of(URI.create("http://127.0.0.1:" + proxy.getPort())),
                "us-east-1",
                bucket,
                true,
                Optional.of(ACCESS_KEY),
                SECRET_KEY);
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
