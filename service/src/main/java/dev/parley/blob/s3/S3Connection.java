package dev.parley.blob.s3;

import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Connects to the configured S3 store. */
final class S3Connection {
    /** Statuses for an object that does not exist or was replaced. */
    private static final Set<Integer> NOT_FOUND_STATUSES = Set.of(404, 412, 416);

    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

    private final Settings.S3 settings;
    private final AwsCredentialsProvider credentials;
    private final Region region;
    private final S3Configuration style;

    S3Connection(Settings.S3 settings) {
        this.settings = settings;
        this.credentials = settings.accessKey()
                .<AwsCredentialsProvider>map(
                        key -> StaticCredentialsProvider.create(AwsBasicCredentials.create(key, settings.secretKey())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
        this.region = Region.of(settings.region());
        this.style = S3Configuration.builder()
                .pathStyleAccessEnabled(settings.pathStyle())
                // Google Cloud Storage, Oracle and others do not accept aws-chunked bodies.
                .chunkedEncodingEnabled(false)
                .build();
    }

    S3Client client() {
        var client = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SOCKET_TIMEOUT))
                .region(region)
                .credentialsProvider(credentials)
                .serviceConfiguration(style)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        settings.endpoint().ifPresent(client::endpointOverride);
        return client.build();
    }

    /**
     * Calls the store.
     *
     * @param unavailable the problem if it does not respond, or rejects the call
     */
    static <T> T call(Supplier<T> call, Function<SdkException, ApiProblem> unavailable) {
        try {
            return call.get();
        } catch (SdkException e) {
            throw unavailable.apply(e);
        }
    }

    /**
     * Opens an object.
     *
     * @throws NoSuchFileException if it does not exist or was replaced
     */
    static ResponseInputStream<GetObjectResponse> open(
            S3Client client, GetObjectRequest request, Function<SdkException, ApiProblem> unavailable)
            throws NoSuchFileException {
        try {
            return client.getObject(request);
        } catch (SdkException e) {
            if (e instanceof S3Exception refused && NOT_FOUND_STATUSES.contains(refused.statusCode())) {
                throw new NoSuchFileException("the object was changed or deleted");
            }
            throw unavailable.apply(e);
        }
    }

    S3Presigner presigner() {
        var signer = S3Presigner.builder()
                .region(region)
                .credentialsProvider(credentials)
                .serviceConfiguration(style);
        settings.endpoint().ifPresent(signer::endpointOverride);
        return signer.build();
    }
}
