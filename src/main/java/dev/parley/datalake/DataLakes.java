package dev.parley.datalake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Settings;
import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.media.FileException;
import dev.parley.media.SystemFiles;
import dev.parley.node.Chore;
import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.RowFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes tables in and reads them. What is uploaded is made a Parquet file at once, by the reader in its own process:
 * types are settled then, what is damaged is told to whoever uploaded it, and later reads are quick. Neither a table
 * nor its file passes through the service's memory; only the rows that a task asked for do.
 */
@Singleton
public final class DataLakes {
    private static final Duration UPLOAD_LIVES = Duration.ofMinutes(15);
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);
    private static final Duration IMPORT_LIMIT = Duration.ofMinutes(5);
    private static final int BATCH = 200;

    /** The most that the rows of one input may have, as JSON. */
    private static final int MAX_BYTES = 8 << 20;

    private final DataLakeStore store;
    private final BlobStore blobs;
    private final SystemFiles files;
    private final DocumentReader reader;
    private final long maxBytes;
    private final Clock clock;

    public DataLakes(
            DataLakeStore store,
            BlobStore blobs,
            SystemFiles files,
            DocumentReader reader,
            Settings settings,
            Clock clock) {
        this.store = store;
        this.blobs = blobs;
        this.files = files;
        this.reader = reader;
        this.maxBytes = settings.files().maxBytes();
        this.clock = clock;
    }

    @Produces
    @Singleton
    Chore chore() {
        return new Chore("clear away abandoned data lakes", Duration.ofMinutes(30), this::clear);
    }

    /**
     * What was never uploaded, and the tables of deleted organizations, once no signed URL of theirs lives. The files go
     * first, so that a node which dies over it leaves a row that the next one finds.
     */
    public void clear() {
        Instant now = clock.instant();
        for (var abandoned : store.abandoned(now.minus(ABANDONED_AFTER), BATCH)) {
            remove(abandoned);
        }
        List<DataLakeStore.Owned> ownerless;
        do {
            ownerless = store.ofDeletedOrganizations(now.minus(UPLOAD_LIVES.multipliedBy(2)), BATCH);
            ownerless.forEach(this::remove);
        } while (ownerless.size() == BATCH);
    }

    private void remove(DataLakeStore.Owned lake) {
        blobs.delete(source(lake.organization(), lake.id()));
        blobs.delete(table(lake.organization(), lake.id()));
        store.delete(lake.organization(), lake.id());
    }

    long maxBytes() {
        return maxBytes;
    }

    /** What a signed URL for the table's file allows. */
    dev.parley.blob.UploadGrant grant(OrganizationId organization, DataLake lake, @Nullable Long size) {
        return new dev.parley.blob.UploadGrant(
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
                .orElseThrow(() -> Problem.of(ProblemKind.CONFLICT, "Nothing was uploaded to the URL yet."));
        try (InputStream bytes = blobs.open(source, info, 0, info.size())) {
            return take(organization, lake, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            blobs.delete(source);
        }
    }

    /** Imports a file of the media storage, which stays where it is. */
    DataLake importFile(OrganizationId organization, DataLake lake, String uri) throws InterruptedException {
        try (SystemFiles.OpenFile file = files.open(organization, uri)) {
            return take(organization, lake, file.bytes());
        } catch (FileException e) {
            store.delete(organization, lake.id());
            throw Problem.invalid(Fault.invalid("/file_url", e.sentence()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DataLake take(OrganizationId organization, DataLake lake, InputStream bytes)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile("parley-lake", "." + lake.format().text());
        Path parquet = Files.createTempFile("parley-lake", ".parquet");
        try {
            Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING);
            JsonNode made = StrictJson.mapper()
                    .readTree(reader.convert(file, lake.format().text(), parquet, IMPORT_LIMIT));
            BlobKey key = table(organization, lake.id());
            blobs.put(key, DataLake.Format.PARQUET.contentType(), parquet);
            BlobInfo info = blobs.info(key)
                    .orElseThrow(() -> Problem.unavailable("The table could not be stored.", Duration.ofSeconds(5)));
            store.ready(
                    organization,
                    lake.id(),
                    made.path("rows").asLong(),
                    made.path("columns").toString(),
                    new DataLakeStore.Place(key, info));
            DataLakeStore.Found found = store.find(organization, lake.id()).orElse(null);
            if (found == null) {
                blobs.delete(key); // The table was deleted meanwhile.
                throw Problem.notFound("data lake");
            }
            return found.lake();
        } catch (DocumentException e) {
            if (e.isTransient()) {
                throw Problem.unavailable(e.sentence(), Duration.ofSeconds(5));
            }
            store.delete(organization, lake.id());
            throw Problem.invalid(Fault.invalid("", e.sentence()));
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(parquet);
        }
    }

    /** Rows of a table, each with its columns in order. */
    public record Rows(List<String> columns, List<Map<String, @Nullable Object>> rows) {}

    /** A table that could not be read; the sentence is for users. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;
        private final boolean transientFault;

        Unreadable(String sentence, boolean transientFault) {
            super(sentence);
            this.transientFault = transientFault;
        }

        public String sentence() {
            return String.valueOf(getMessage());
        }

        public boolean isTransient() {
            return transientFault;
        }
    }

    /**
     * Reads rows.
     *
     * @param columns empty for all
     * @param inputs what the filter's comparisons with inputs compare with
     */
    public Rows read(
            OrganizationId organization,
            String id,
            @Nullable RowFilter filter,
            List<String> columns,
            int limit,
            Map<String, @Nullable Object> inputs,
            Duration time)
            throws Unreadable, InterruptedException {
        DataLakeStore.Found found = DataLakeId.parse(id)
                .flatMap(lake -> store.find(organization, lake))
                .filter(one -> one.place() != null)
                .orElseThrow(() -> new Unreadable("There is no data lake '" + id + "' in the organization.", false));
        Path parquet = null;
        try {
            LakeQuery query = LakeQuery.of(found.lake(), filter, columns, limit, inputs);
            parquet = copy(Objects.requireNonNull(found.place()));
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            for (String row : reader.rows(parquet, query.sql(), query.parameters(), MAX_BYTES, time)) {
                rows.add(StrictJson.readObject(row));
            }
            return new Rows(query.columns(), rows);
        } catch (LakeQuery.Impossible e) {
            throw new Unreadable(e.sentence(), false);
        } catch (DocumentException e) {
            throw new Unreadable(e.sentence(), e.isTransient());
        } catch (UncheckedIOException _) {
            throw new Unreadable("The data lake has a value that JSON cannot have, such as NaN.", false);
        } catch (IOException _) {
            throw new Unreadable("The data lake could not be read.", true);
        } finally {
            delete(parquet);
        }
    }

    private Path copy(DataLakeStore.Place place) throws IOException {
        Path copy = Files.createTempFile("parley-lake", ".parquet");
        try (InputStream bytes =
                blobs.open(place.key(), place.info(), 0, place.info().size())) {
            Files.copy(bytes, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        } catch (IOException | RuntimeException e) {
            delete(copy);
            throw e;
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // The system clears its temporary files.
        }
    }

    /** Deletes a table; false when there is none. What reads it at the moment may still come to its end. */
    boolean delete(OrganizationId organization, DataLakeId id) {
        DataLakeStore.Found found = store.find(organization, id).orElse(null);
        if (found == null || !store.delete(organization, id)) {
            return false;
        }
        blobs.delete(source(organization, id));
        DataLakeStore.Place place = found.place();
        if (place != null) {
            blobs.delete(place.key());
        }
        return true;
    }

    Instant uploadEnds() {
        return clock.instant().plus(UPLOAD_LIVES);
    }

    private static BlobKey source(OrganizationId organization, DataLakeId id) {
        return new BlobKey(prefix(organization, id) + "source");
    }

    private static BlobKey table(OrganizationId organization, DataLakeId id) {
        return new BlobKey(prefix(organization, id) + "data.parquet");
    }

    private static String prefix(OrganizationId organization, DataLakeId id) {
        return organization.text() + "/data-lake/" + id.text() + "/";
    }
}
