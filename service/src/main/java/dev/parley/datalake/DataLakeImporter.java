package dev.parley.datalake;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.datalake.store.DataLake;
import dev.parley.datalake.store.DataLakeStore;
import dev.parley.datalake.store.ImportOptions;
import dev.parley.datalake.store.LakeImport;
import dev.parley.datalake.store.TablePreview;
import dev.parley.db.Database;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.media.FileException;
import dev.parley.media.PublicAddress;
import dev.parley.media.TaskFiles;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Imports tables from uploads, files of the media storage, and S3 objects. The document reader converts them to Parquet
 * in its own process: types are determined then, damage is reported at once, and later reads are fast. Neither a table
 * nor its file passes through the service's memory.
 */
@Singleton
public final class DataLakeImporter {
    private static final Logger LOG = Logger.getLogger(DataLakeImporter.class);
    private static final Duration UPLOAD_URL_LIFETIME = Duration.ofMinutes(15);
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);
    private static final Duration ABANDONED_IMPORT_AFTER = Duration.ofMinutes(30);
    private static final int BATCH = 200;

    private final Database database;
    private final DataLakeStore store;
    private final DataLakeUseGuard guard;
    private final BlobStore blobs;
    private final PublicAddress here;
    private final TaskFiles files;
    private final S3LakeSource sources;
    private final LakeImport imports;
    private final long maxBytes;
    private final Clock clock;

    public DataLakeImporter(
            Database database,
            DataLakeUseGuard guard,
            BlobStore blobs,
            PublicAddress here,
            TaskFiles files,
            S3LakeSource sources,
            LakeImport imports,
            Settings.Files settings,
            Clock clock) {
        this.database = database;
        this.store = database.statements(DataLakeStore.class);
        this.guard = guard;
        this.blobs = blobs;
        this.here = here;
        this.files = files;
        this.sources = sources;
        this.imports = imports;
        this.maxBytes = settings.maxBytes();
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob cleanUpJob() {
        return new MaintenanceJob("delete abandoned data lakes", Duration.ofMinutes(30), this::clear);
    }

    /**
     * Deletes tables that were never uploaded or whose import broke off, and those of deleted organizations, after
     * their signed URLs have expired. Files are deleted first, so that after a crash the remaining row is found again.
     */
    public void clear() {
        Instant now = clock.instant();
        store.abandoned(now.minus(ABANDONED_AFTER), BATCH).forEach(this::remove);
        store.abandonedWrites(now.minus(ABANDONED_IMPORT_AFTER), BATCH).forEach(this::cleanUp);
        List<DataLakeStore.DataLakeKey> ownerless;
        do {
            ownerless = store.ofDeletedOrganizations(now.minus(UPLOAD_URL_LIFETIME.multipliedBy(2)), BATCH);
            ownerless.forEach(this::remove);
        } while (ownerless.size() == BATCH);
    }

    private void remove(DataLakeStore.DataLakeKey lake) {
        store.find(lake.organization(), lake.id()).ifPresent(found -> {
            deleteFiles(lake.organization(), found);
            store.delete(lake.organization(), lake.id());
        });
    }

    private void deleteFiles(OrganizationId organization, DataLakeStore.StoredDataLake found) {
        blobs.delete(source(organization, found.lake().id()));
        blobs.delete(replacement(organization, found.lake().id()));
        if (found.place() != null) {
            blobs.delete(found.place().key());
        }
        if (found.writing() != null) {
            blobs.delete(found.writing());
        }
    }

    /** Cleans up after a node that died during an import. */
    private void cleanUp(DataLakeStore.DataLakeKey lake) {
        store.find(lake.organization(), lake.id())
                .map(DataLakeStore.StoredDataLake::writing)
                .ifPresent(key -> discard(lake.organization(), lake.id(), key));
    }

    DataLake find(OrganizationId organization, DataLakeId id) {
        return store.find(organization, id)
                .orElseThrow(() -> ApiProblem.notFound("data lake"))
                .lake();
    }

    void requireAllowed(@Nullable Long size) {
        if (size != null && size > maxBytes) {
            throw ApiProblem.of(
                    ProblemKind.PAYLOAD_TOO_LARGE, "The file is larger than the " + maxBytes + " bytes allowed.");
        }
    }

    /** A signed URL for the file of a new table. */
    DataLakeUpload sign(OrganizationId organization, DataLake lake, @Nullable Long size, RoutingContext http) {
        return sign(source(organization, lake.id()), lake.format(), size, http);
    }

    private DataLakeUpload sign(BlobKey key, DataLake.Format format, @Nullable Long size, RoutingContext http) {
        Instant expires = clock.instant().plus(UPLOAD_URL_LIFETIME);
        var grant = new UploadGrant(key, format.contentType(), size, maxBytes, expires);
        SignedUpload signed = blobs.sign(grant, here.of(http.request()));
        return new DataLakeUpload(signed.url(), "PUT", signed.headers(), expires, maxBytes);
    }

    /** A signed URL for the file that replaces the table. A file that was never imported is deleted. */
    DataLakeUpload signReplacement(
            OrganizationId organization,
            DataLake lake,
            DataLake.Format format,
            @Nullable Long size,
            RoutingContext http) {
        requireAllowed(size);
        requireReplaceable(lake);
        BlobKey key = replacement(organization, lake.id());
        blobs.delete(key);
        return sign(key, format, size, http);
    }

    /**
     * Replaces the table by the uploaded file. Until then, and after a failure, the old rows remain, and the file stays
     * for another attempt unless it is not valid whatever the options.
     */
    DataLake replace(OrganizationId organization, DataLake lake, DataLakeStore.Replacement to)
            throws InterruptedException {
        requireReplaceable(lake);
        BlobKey source = replacement(organization, lake.id());
        try {
            DataLake replaced = convert(organization, lake, to, uploaded(source), null);
            blobs.delete(source);
            return replaced;
        } catch (ApiProblem e) {
            if (e.kind() == ProblemKind.UNREADABLE_FILE && to.options().isDefault()) {
                blobs.delete(source);
            }
            throw e;
        }
    }

    /** Reads the uploaded file that would replace the table, without any change. */
    TablePreview previewReplacement(OrganizationId organization, DataLake lake, DataLakeStore.Replacement to)
            throws InterruptedException {
        requireReplaceable(lake);
        return imports.preview(organization, to.format(), to.options(), uploaded(replacement(organization, lake.id())));
    }

    /** Reads the uploaded file of a new table, without any change. */
    TablePreview previewUpload(OrganizationId organization, DataLake lake, ImportOptions options)
            throws InterruptedException {
        return imports.preview(organization, lake.format(), options, uploaded(source(organization, lake.id())));
    }

    private static void requireReplaceable(DataLake lake) {
        if (lake.s3Uri() != null) {
            throw ApiProblem.of(
                    ProblemKind.NOT_CHANGEABLE, "The data lake is read from S3. Change its objects and refresh it.");
        }
        if (lake.status() != DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The data lake is not imported yet.");
        }
    }

    private LakeImport.ImportSource uploaded(BlobKey source) {
        BlobInfo info = blobs.info(source)
                .orElseThrow(() -> ApiProblem.of(ProblemKind.NOT_UPLOADED, "Nothing was uploaded to the URL yet."));
        return into -> copied(blobs.open(source, info, 0, info.size()), into);
    }

    /** Imports the uploaded file; deletes the table if the file is not valid. */
    DataLake importUpload(OrganizationId organization, DataLake lake, ImportOptions options)
            throws InterruptedException {
        BlobKey source = source(organization, lake.id());
        try {
            DataLake imported = convert(organization, lake, lake.replacedWith(options), uploaded(source), null);
            blobs.delete(source);
            return imported;
        } catch (ApiProblem e) {
            if (e.kind() == ProblemKind.UNREADABLE_FILE) {
                delete(organization, lake.id());
            }
            throw e;
        }
    }

    /** Imports a file of the media storage, which stays in place. Deletes the table if that fails. */
    DataLake importFile(OrganizationId organization, DataLake lake, ImportOptions options, String uri)
            throws InterruptedException {
        return orNone(
                organization,
                lake,
                options,
                into -> {
                    try {
                        return copied(files.open(organization, uri).bytes(), into);
                    } catch (FileException e) {
                        throw ApiProblem.invalid(Violation.invalid(ViolationCode.UNREADABLE, "/file_url", e.detail()));
                    }
                },
                "/file_url");
    }

    /** Reads the objects of a new table. Deletes the table if that fails. */
    DataLake importS3(OrganizationId organization, DataLake lake, ImportOptions options, S3Uri uri)
            throws InterruptedException {
        return orNone(organization, lake, options, into -> sources.copy(uri, into), S3LakeSource.FIELD);
    }

    /** Reads the objects of a table again. Its rows are always either the old or the new ones. */
    DataLake refresh(OrganizationId organization, DataLake lake) throws InterruptedException {
        if (lake.s3Uri() == null) {
            throw ApiProblem.of(
                    ProblemKind.NOT_CHANGEABLE, "The data lake was uploaded, so it has no objects to read again.");
        }
        if (lake.status() != DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The data lake is being read for the first time.");
        }
        try {
            S3Uri uri = sources.check(organization, lake.s3Uri());
            return convert(
                    organization,
                    lake,
                    lake.replacedWith(ImportOptions.of(lake)),
                    into -> sources.copy(uri, into),
                    null);
        } catch (ApiProblem e) {
            throw e.withoutFields();
        }
    }

    private static List<String> copied(InputStream from, LakeImport.NumberedFiles into) throws IOException {
        try (from) {
            Files.copy(from, into.file(0));
            return List.of("");
        }
    }

    private DataLake orNone(
            OrganizationId organization,
            DataLake lake,
            ImportOptions options,
            LakeImport.ImportSource source,
            String field)
            throws InterruptedException {
        boolean imported = false;
        try {
            DataLake ready = convert(organization, lake, lake.replacedWith(options), source, field);
            imported = true;
            return ready;
        } finally {
            if (!imported) {
                store.delete(organization, lake.id());
            }
        }
    }

    /** Writes the table's file under a new name, and then replaces the previous one, if any. */
    private DataLake convert(
            OrganizationId organization,
            DataLake lake,
            DataLakeStore.Replacement to,
            LakeImport.ImportSource source,
            @Nullable String field)
            throws InterruptedException {
        DataLakeStore.StoredDataLake before =
                store.find(organization, lake.id()).orElseThrow(() -> ApiProblem.notFound("data lake"));
        var key = new BlobKey(prefix(organization, lake.id()) + UploadId.next().text() + ".parquet");
        Instant now = clock.instant();
        if (!store.begin(organization, lake.id(), key, now, now.minus(ABANDONED_IMPORT_AFTER))) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The data lake is being read at the moment.");
        }
        boolean imported = false;
        try {
            LakeImport.ImportedTable table =
                    imports.convert(organization, key, to.format(), to.options(), source, field);
            imported = database.transaction(() -> {
                boolean finished = store.finish(organization, lake.id(), key, to, table, clock.instant());
                if (finished && !to.mayBreak()) {
                    guard.requireColumns(organization, lake.id(), table.columnList());
                }
                return finished;
            });
        } finally {
            if (!imported) {
                discard(organization, lake.id(), key);
            }
        }
        if (before.writing() != null) {
            blobs.delete(before.writing());
        }
        if (imported && before.place() != null) {
            blobs.delete(before.place().key());
        }
        return store.find(organization, lake.id())
                .filter(found -> found.lake().status() == DataLake.DataLakeStatus.READY)
                .orElseThrow(() -> ApiProblem.notFound("data lake"))
                .lake();
    }

    /** If the store is unavailable, the maintenance job deletes the file later. */
    private void discard(OrganizationId organization, DataLakeId id, BlobKey key) {
        try {
            blobs.delete(key);
            store.abandonWrite(organization, id, key);
        } catch (ApiProblem e) {
            LOG.warnf("Cannot delete a file of data lake %s now; the maintenance job will: %s", id, e.getMessage());
        }
    }

    /**
     * Deletes a table; false if there is none, and a 409 while a published workflow reads it. Reads in progress may
     * still finish.
     */
    boolean delete(OrganizationId organization, DataLakeId id) {
        Optional<DataLakeStore.StoredDataLake> deleted = database.transaction(() -> {
            Optional<DataLakeStore.StoredDataLake> found = store.lock(organization, id);
            if (found.isPresent()) {
                guard.requireUnused(organization, id);
                store.delete(organization, id);
            }
            return found;
        });
        deleted.ifPresent(lake -> deleteFiles(organization, lake));
        return deleted.isPresent();
    }

    private static BlobKey source(OrganizationId organization, DataLakeId id) {
        return new BlobKey(prefix(organization, id) + "source");
    }

    private static BlobKey replacement(OrganizationId organization, DataLakeId id) {
        return new BlobKey(prefix(organization, id) + "replacement");
    }

    private static String prefix(OrganizationId organization, DataLakeId id) {
        return organization.text() + "/data-lake/" + id.text() + "/";
    }
}
