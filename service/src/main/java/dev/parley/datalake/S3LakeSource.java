package dev.parley.datalake;

import dev.parley.blob.s3.S3Objects;
import dev.parley.datalake.store.LakeImport;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the S3 objects of tables. The store's credentials are the operator's and would open it to every organization,
 * so the settings define the prefixes that each organization may read.
 */
@Singleton
public final class S3LakeSource {
    static final String FIELD = "/s3_uri";
    private static final int MAX_OBJECTS = 1_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofMinutes(10);

    private final List<Settings.LakePrefix> prefixes;
    private final long maxBytes;
    private final int maxObjects;
    private final @Nullable S3Objects objects;

    @Inject
    public S3LakeSource(Settings.Files settings) {
        this(settings, MAX_OBJECTS);
    }

    S3LakeSource(Settings.Files settings, int maxObjects) {
        this.maxObjects = maxObjects;
        this.prefixes = settings.lakePrefixes();
        this.maxBytes = settings.maxBytes();
        this.objects = prefixes.isEmpty() ? null : new S3Objects(settings.s3());
    }

    @PreDestroy
    void close() {
        if (objects != null) {
            objects.close();
        }
    }

    /** The prefixes that the organization may read. */
    List<String> allowed(OrganizationId organization) {
        return prefixes.stream()
                .filter(prefix -> isFor(prefix, organization))
                .map(Settings.LakePrefix::uri)
                .distinct()
                .toList();
    }

    private static boolean isFor(Settings.LakePrefix prefix, OrganizationId organization) {
        return prefix.organization().isEmpty() || prefix.organization().get().equals(organization.text());
    }

    /** Rejects an invalid URI, and one that the organization may not read. */
    S3Uri check(OrganizationId organization, String text) {
        S3Uri uri = S3Uri.parse(text)
                .orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                        ViolationCode.INVALID_FORMAT,
                        FIELD,
                        "'/s3_uri' must name an object as s3://bucket/key, or objects as s3://bucket/prefix/.")));
        if (prefixes.stream().noneMatch(prefix -> isFor(prefix, organization) && uri.isUnder(prefix))) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    Violation.invalid(
                            ViolationCode.NOT_FOUND,
                            FIELD,
                            "'/s3_uri' is not within a prefix that the organization may read."));
        }
        return uri;
    }

    /**
     * Copies the objects of the URI to files of a directory.
     *
     * @return the source of each, in key order
     */
    List<String> copy(S3Uri uri, LakeImport.NumberedFiles into) throws IOException {
        List<S3Objects.S3Object> found = list(uri);
        long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
        for (int i = 0; i < found.size(); i++) {
            if (System.nanoTime() > deadline) {
                throw ApiProblem.unavailable("Reading the objects took too long. Nothing was changed.", RETRY_AFTER);
            }
            copy(found.get(i), into.file(i));
        }
        return found.stream().map(S3Objects.S3Object::uri).toList();
    }

    /** Skips files that data writers add: folder markers, and names that begin with a dot or underscore. */
    private List<S3Objects.S3Object> list(S3Uri uri) {
        List<S3Objects.S3Object> listed = store().list(uri.bucket(), uri.key(), maxObjects + 1);
        if (listed.size() > maxObjects && uri.isPrefix()) {
            throw tooLarge("There are more than the " + maxObjects + " objects allowed under the prefix.");
        }
        List<S3Objects.S3Object> found = listed.stream()
                .filter(object ->
                        uri.isPrefix() ? isData(object, uri) : object.key().equals(uri.key()))
                .toList();
        for (S3Objects.S3Object object : found) {
            if (!S3Uri.isPlain(object.key())) {
                throw refused("'" + object.uri() + "' has an invalid name.");
            }
        }
        if (found.isEmpty()) {
            throw refused(uri.isPrefix() ? "There is no object under the prefix." : "There is no such object.");
        }
        long bytes = found.stream().mapToLong(S3Objects.S3Object::size).sum();
        if (bytes > maxBytes) {
            throw tooLarge("The objects have " + bytes + " bytes, more than the " + maxBytes + " allowed.");
        }
        return found;
    }

    private static boolean isData(S3Objects.S3Object object, S3Uri prefix) {
        String below = object.key().substring(prefix.key().length());
        return !below.isEmpty()
                && !below.endsWith("/")
                && List.of(below.split("/", -1)).stream()
                        .noneMatch(segment -> segment.startsWith("_")
                                || (segment.startsWith(".") && !segment.equals(".") && !segment.equals("..")));
    }

    private void copy(S3Objects.S3Object object, Path file) throws IOException {
        long copied;
        try (InputStream bytes = store().open(object)) {
            copied = Files.copy(bytes, file);
        } catch (NoSuchFileException _) {
            throw ApiProblem.of(
                    ProblemKind.CONFLICT,
                    "'" + object.uri() + "' changed while it was being read. Nothing was changed.");
        } catch (IOException e) {
            throw broken(e);
        }
        if (copied != object.size()) {
            throw broken(null);
        }
    }

    private S3Objects store() {
        if (objects == null) {
            throw new IllegalStateException("no prefix is allowed");
        }
        return objects;
    }

    private static ApiProblem tooLarge(String detail) {
        return ApiProblem.of(ProblemKind.PAYLOAD_TOO_LARGE, Violation.invalid(ViolationCode.TOO_MANY, FIELD, detail));
    }

    private static ApiProblem refused(String detail) {
        return ApiProblem.invalid(Violation.invalid(ViolationCode.NOT_FOUND, FIELD, detail));
    }

    private static ApiProblem broken(@Nullable IOException cause) {
        org.jboss.logging.Logger.getLogger(S3LakeSource.class).errorf(cause, "An object of S3 could not be copied");
        return ApiProblem.unavailable("Reading from the S3 store was interrupted. Nothing was changed.", RETRY_AFTER);
    }
}
