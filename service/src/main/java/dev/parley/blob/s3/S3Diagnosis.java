package dev.parley.blob.s3;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Explains to an operator why a call to an S3 store failed, and which setting to change. */
final class S3Diagnosis {
    private static final Pattern CODE = Pattern.compile("<Code>([^<]{1,100})</Code>");
    private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]{1,500})</Message>");
    private static final Pattern EXPECTED_REGION = Pattern.compile("expecting '([^']+)'|<Region>([^<]+)</Region>");
    private static final Duration TOLERATED_SKEW = Duration.ofMinutes(4);
    private static final int MAX_BODY = 64 * 1024;
    private static final Set<String> REGION_CODES = Set.of(
            "PermanentRedirect",
            "AuthorizationHeaderMalformed",
            "AuthorizationQueryParametersError",
            "IllegalLocationConstraintException",
            "InvalidRegion");
    private static final Set<String> FULL_CODES = Set.of(
            "QuotaExceeded",
            "XMinioStorageFull",
            "XMinioAdminBucketQuotaExceeded",
            "StorageFull",
            "StorageCapExceeded");
    private static final Set<String> CLOCK_CODES =
            Set.of("RequestTimeTooSkewed", "RequestInTheFuture", "RequestExpired", "AccessDeniedExpired");

    private final Settings.S3 settings;
    private final String bucket;

    S3Diagnosis(Settings.S3 settings, String bucket) {
        this.settings = settings;
        this.bucket = bucket;
    }

    /** A response that is no success. */
    private record Refusal(
            int status,
            String code,
            String message,
            @Nullable SdkHttpResponse response) {
        Optional<String> header(String name) {
            return response == null ? Optional.empty() : response.firstMatchingHeader(name);
        }
    }

    SettingsException of(String action, Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof S3Exception refused) {
                var details = refused.awsErrorDetails();
                return of(
                        action,
                        new Refusal(
                                refused.statusCode(),
                                details == null || details.errorCode() == null ? "" : details.errorCode(),
                                details == null || details.errorMessage() == null ? "" : details.errorMessage(),
                                details == null ? null : details.sdkHttpResponse()));
            }
            if (cause instanceof UnknownHostException) {
                return unknownHost();
            }
        }
        String reason = rootMessage(e);
        if (e instanceof SdkException && reason.contains("credentials")) {
            return new SettingsException(
                    Setting.PARLEY_S3_ACCESS_KEY, "is empty, and the environment has no credentials: " + reason);
        }
        return new SettingsException(
                Setting.PARLEY_S3_ENDPOINT, "leads to " + endpoint() + ", which cannot be used: " + reason + ".");
    }

    SettingsException of(String action, HttpExecuteResponse response) throws IOException {
        String body = "";
        if (response.responseBody().isPresent()) {
            body = new String(response.responseBody().get().readNBytes(MAX_BODY), StandardCharsets.UTF_8);
        }
        return of(
                action,
                new Refusal(
                        response.httpResponse().statusCode(),
                        find(CODE, body),
                        find(MESSAGE, body),
                        response.httpResponse()));
    }

    private SettingsException of(String action, Refusal refusal) {
        Optional<Duration> skew = skew(refusal);
        if (CLOCK_CODES.contains(refusal.code)
                || refusal.message.contains("has expired")
                || (refusal.status == 403 && skew.isPresent())) {
            return new SettingsException("The clock of this machine differs from that of the S3 store"
                    + skew.map(by -> " by " + by.toSeconds() + " s").orElse("") + ", so signatures are not valid:"
                    + " synchronize it (NTP).");
        }
        Optional<String> region = region(refusal);
        if (REGION_CODES.contains(refusal.code) || (isRedirect(refusal) && region.isPresent())) {
            return new SettingsException(
                    Setting.PARLEY_S3_REGION,
                    "is " + settings.region() + ", but the bucket " + bucket + " is in "
                            + region.orElse("another region") + said(refusal));
        }
        if (isRedirect(refusal)) {
            return new SettingsException(
                    Setting.PARLEY_S3_ENDPOINT,
                    "leads to " + endpoint() + ", which redirects"
                            + refusal.header("Location")
                                    .map(to -> " to " + to.replaceFirst("\\?.*", ""))
                                    .orElse("")
                            + ". Set the final address; signed requests cannot follow redirects.");
        }
        if (FULL_CODES.contains(refusal.code)) {
            return new SettingsException(Setting.PARLEY_S3_BUCKET, "names a bucket on a full store" + said(refusal));
        }
        return switch (refusal.code) {
            case "InvalidAccessKeyId", "InvalidAccessKey" ->
                new SettingsException(Setting.PARLEY_S3_ACCESS_KEY, "is not known to the store" + said(refusal));
            case "SignatureDoesNotMatch" ->
                new SettingsException(
                        Setting.PARLEY_S3_SECRET_KEY,
                        "does not belong to the access key, or a proxy changes the path, the query or the Host header"
                                + " of requests" + said(refusal));
            case "NoSuchBucket" -> noSuchBucket(refusal);
            default -> byStatus(action, refusal);
        };
    }

    private SettingsException byStatus(String action, Refusal refusal) {
        return switch (refusal.status) {
            case 507 ->
                new SettingsException(Setting.PARLEY_S3_BUCKET, "names a bucket on a full store" + said(refusal));
            case 401, 403 ->
                new SettingsException(
                        Setting.PARLEY_S3_ACCESS_KEY,
                        "belongs to an account that is not allowed to " + action + " in the bucket " + bucket
                                + said(refusal));
            case 404 -> noSuchBucket(refusal);
            case 405, 501 ->
                new SettingsException(
                        Setting.PARLEY_S3_ENDPOINT,
                        "leads to a store that does not support what Parley needs, to " + action + said(refusal));
            default ->
                new SettingsException(
                        Setting.PARLEY_S3_ENDPOINT,
                        "leads to a store that failed to " + action + " with status " + refusal.status + said(refusal));
        };
    }

    /** MinIO and Garage answer 507, Ceph 403 {@code QuotaExceeded}. */
    static boolean isFull(S3Exception refused) {
        var details = refused.awsErrorDetails();
        return refused.statusCode() == 507
                || (details != null && FULL_CODES.contains(String.valueOf(details.errorCode())));
    }

    private SettingsException noSuchBucket(Refusal refusal) {
        return new SettingsException(
                Setting.PARLEY_S3_BUCKET,
                "names " + bucket + ", which does not exist at " + endpoint()
                        + (settings.pathStyle()
                                ? ""
                                : ". Create it, or set PARLEY_S3_PATH_STYLE=true for a store"
                                        + " without a host name for each bucket")
                        + said(refusal));
    }

    private SettingsException unknownHost() {
        return settings.endpoint().isPresent() && !settings.pathStyle()
                ? new SettingsException(
                        Setting.PARLEY_S3_PATH_STYLE,
                        "is false, and the host " + bucket + "." + host()
                                + " does not exist. Set it to true, or correct" + " PARLEY_S3_ENDPOINT.")
                : new SettingsException(
                        Setting.PARLEY_S3_ENDPOINT, "names the host " + host() + ", which does not exist.");
    }

    private String host() {
        return settings.endpoint().map(URI::getHost).orElse("of AWS in " + settings.region());
    }

    private String endpoint() {
        return settings.endpoint().map(URI::toString).orElse("AWS in " + settings.region());
    }

    /** What the store says itself. */
    private static String said(Refusal refusal) {
        String text = (refusal.code + " " + refusal.message).strip();
        return text.isEmpty() ? "." : " (" + text + ").";
    }

    private static boolean isRedirect(Refusal refusal) {
        return refusal.status / 100 == 3;
    }

    private static Optional<String> region(Refusal refusal) {
        Matcher named = EXPECTED_REGION.matcher(refusal.message);
        return refusal.header("x-amz-bucket-region")
                .or(() -> named.find() ? Optional.ofNullable(named.group(1)) : Optional.empty());
    }

    private static Optional<Duration> skew(Refusal refusal) {
        try {
            return refusal.header("Date")
                    .map(date -> Duration.between(
                                    ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                            .toInstant(),
                                    Instant.now())
                            .abs())
                    .filter(by -> by.compareTo(TOLERATED_SKEW) > 0);
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static String find(Pattern pattern, String body) {
        Matcher matcher = pattern.matcher(body);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).strip().replace('\n', ' ').replaceFirst("\\.$", "");
    }
}
