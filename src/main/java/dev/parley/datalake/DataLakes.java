package dev.parley.datalake;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.UploadGrant;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.media.FileException;
import dev.parley.media.GeneratedFiles;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.settings.Settings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes tables in: uploads, files of the media storage, and objects of S3. What comes is made a Parquet file at once, by
 * the reader in its own process: types are settled then, what is damaged is told to whoever brought it, and later reads
 * are quick. Neither a table nor its file passes through the service's memory.
 */
@Singleton
public final class DataLakes {
    private static final Logger LOG = Logger.getLogger(DataLakes.class);
    private static final Duration UPLOAD_LIVES = Duration.ofMinutes(15);
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);
    private static final Duration BROKEN_OFF_AFTER = Duration.ofMinutes(20);
    private static final int BATCH = 200;

    private final DataLakeStore store;
    private final BlobStore blobs;
    private final GeneratedFiles files;
    private final LakeSources sources;
    private final LakeImport imports;
    private final long maxBytes;
    private final Clock clock;

    public DataLakes(
            DataLakeStore store,
            BlobStore blobs,
            GeneratedFiles files,
            LakeSources sources,
            LakeImport imports,
            Settings.Files settings,
            Clock clock) {
        this.store = store;
        this.blobs = blobs;
        this.files = files;
        this.sources = sources;
        this.imports = imports;
        this.maxBytes = settings.maxBytes();
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob chore() {
        return new MaintenanceJob("clear away abandoned data lakes", Duration.ofMinutes(30), this::clear);
    }

    /**
     * What was never uploaded or broke off, and the tables of deleted organizations, once no signed URL of theirs lives. The files go
     * first, so that a node which dies over it leaves a row that the next one finds.
     */
    public void clear() {
        Instant now = clock.instant();
        for (var abandoned : store.abandoned(now.minus(ABANDONED_AFTER), BATCH)) {
            remove(abandoned);
        }
        store.brokenOff(now.minus(BROKEN_OFF_AFTER), BATCH).forEach(this::forget);
        List<DataLakeStore.Owned> ownerless;
        do {
            ownerless = store.ofDeletedOrganizations(now.minus(UPLOAD_LIVES.multipliedBy(2)), BATCH);
            ownerless.forEach(this::remove);
        } while (ownerless.size() == BATCH);
    }

    private void remove(DataLakeStore.Owned lake) {
        store.find(lake.organization(), lake.id()).ifPresent(found -> {
            deleteFiles(lake.organization(), found);
            store.delete(lake.organization(), lake.id());
        });
    }

    private void deleteFiles(OrganizationId organization, DataLakeStore.StoredDataLake found) {
        blobs.delete(source(organization, found.lake().id()));
        if (found.place() != null) {
            blobs.delete(found.place().key());
        }
        if (found.writing() != null) {
            blobs.delete(found.writing());
        }
    }

    /** What a node left that died over making a table. */
    private void forget(DataLakeStore.Owned lake) {
        store.find(lake.organization(), lake.id())
                .map(DataLakeStore.StoredDataLake::writing)
                .ifPresent(key -> discard(lake.organization(), lake.id(), key));
    }

    long maxBytes() {
        return maxBytes;
    }

    /** What a signed URL for the table's file allows. */
    UploadGrant grant(OrganizationId organization, DataLake lake, @Nullable Long size) {
        return new UploadGrant(
                source(organization, lake.id()),
                lake.format().contentType(),
                size,
                maxBytes,
                clock.instant().plus(UPLOAD_LIVES));
    }

    /** Imports what was uploaded; the table is gone when that cannot be read. */
    DataLake importUpload(OrganizationId organization, DataLake lake) throws InterruptedException {
        BlobKey source = source(organization, lake.id());
        BlobInfo info = blobs.info(source)
                .orElseThrow(() -> ApiProblem.of(ProblemKind.CONFLICT, "Nothing was uploaded to the URL yet."));
        try {
            DataLake made =
                    make(organization, lake, into -> copied(blobs.open(source, info, 0, info.size()), into), null);
            blobs.delete(source);
            return made;
        } catch (ApiProblem e) {
            if (e.kind() == ProblemKind.VALIDATION_FAILED) {
                delete(organization, lake.id());
            }
            throw e;
        }
    }

    /** Imports a file of the media storage, which stays where it is. Without it there is no table. */
    DataLake importFile(OrganizationId organization, DataLake lake, String uri) throws InterruptedException {
        return orNone(
                organization,
                lake,
                into -> {
                    try {
                        return copied(files.open(organization, uri).bytes(), into);
                    } catch (FileException e) {
                        throw ApiProblem.invalid(Violation.invalid("/file_url", e.sentence()));
                    }
                },
                "/file_url");
    }

    /** Reads the objects of a new table. Without them there is no table. */
    DataLake importS3(OrganizationId organization, DataLake lake, S3Uri uri) throws InterruptedException {
        return orNone(organization, lake, into -> sources.copy(uri, into), LakeSources.FIELD);
    }

    /** Reads the objects of a table again. Whatever comes between, its rows are the old or the new ones. */
    DataLake refresh(OrganizationId organization, DataLake lake) throws InterruptedException {
        if (lake.s3Uri() == null) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake was uploaded: there is nothing to read again.");
        }
        if (lake.status() != DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake is read for the first time at the moment.");
        }
        try {
            S3Uri uri = sources.check(organization, lake.s3Uri());
            return make(organization, lake, into -> sources.copy(uri, into), null);
        } catch (ApiProblem e) {
            throw e.withoutFields();
        }
    }

    private static List<String> copied(InputStream from, LakeImport.Numbered into) throws IOException {
        try (from) {
            Files.copy(from, into.file(0));
            return List.of("");
        }
    }

    private DataLake orNone(OrganizationId organization, DataLake lake, LakeImport.ImportSource source, String field)
            throws InterruptedException {
        boolean made = false;
        try {
            DataLake ready = make(organization, lake, source, field);
            made = true;
            return ready;
        } finally {
            if (!made) {
                store.delete(organization, lake.id());
            }
        }
    }

    /** Makes the table's file under a new name, and then puts it in the place of the one before, if there is one. */
    private DataLake make(
            OrganizationId organization, DataLake lake, LakeImport.ImportSource source, @Nullable String field)
            throws InterruptedException {
        DataLakeStore.StoredDataLake before =
                store.find(organization, lake.id()).orElseThrow(() -> ApiProblem.notFound("data lake"));
        var key = new BlobKey(prefix(organization, lake.id()) + UploadId.next().text() + ".parquet");
        if (!store.begin(organization, lake.id(), key, clock.instant().minus(BROKEN_OFF_AFTER))) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake is read at the moment.");
        }
        boolean made = false;
        try {
            made = store.finish(organization, lake.id(), key, imports.make(key, lake.format(), source, field));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!made) {
                discard(organization, lake.id(), key);
            }
        }
        if (before.writing() != null) {
            blobs.delete(before.writing());
        }
        if (made && before.place() != null) {
            blobs.delete(before.place().key());
        }
        return store.find(organization, lake.id())
                .filter(found -> found.lake().status() == DataLake.DataLakeStatus.READY)
                .orElseThrow(() -> ApiProblem.notFound("data lake"))
                .lake();
    }

    /** Where the store is away, too, its chore finds the file later. */
    private void discard(OrganizationId organization, DataLakeId id, BlobKey key) {
        try {
            blobs.delete(key);
            store.giveUp(organization, id, key);
        } catch (ApiProblem e) {
            LOG.warnf("A file of data lake %s is left to be cleared away: %s", id, e.getMessage());
        }
    }

    /** Deletes a table; false when there is none, and a 409 while a published workflow reads it. What reads it at the moment may still come to its end. */
    boolean delete(OrganizationId organization, DataLakeId id) {
        DataLakeStore.StoredDataLake found = store.find(organization, id).orElse(null);
        if (found == null || !store.deleteUnused(organization, id)) {
            return false;
        }
        deleteFiles(organization, found);
        return true;
    }

    private static BlobKey source(OrganizationId organization, DataLakeId id) {
        return new BlobKey(prefix(organization, id) + "source");
    }

    private static String prefix(OrganizationId organization, DataLakeId id) {
        return organization.text() + "/data-lake/" + id.text() + "/";
    }
}
