package dev.parley.datalake.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.disk.TempFiles;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.ServiceSize;
import dev.parley.work.FairSemaphore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts the files of a table to one Parquet file in a temporary directory. Limits concurrent imports, because each
 * needs disk space.
 */
@Singleton
public final class LakeImport {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final TempFiles tempFiles;
    private final BlobStore blobs;
    private final DocumentReader reader;
    private final FairSemaphore permits;

    public LakeImport(TempFiles tempFiles, BlobStore blobs, DocumentReader reader, ServiceSize size) {
        // Some copy their files while others are converted.
        this.permits = new FairSemaphore(2 * size.documentReaders());
        this.tempFiles = tempFiles;
        this.blobs = blobs;
        this.reader = reader;
    }

    /** The target files, numbered from 0. */
    public interface NumberedFiles {
        Path file(int number);
    }

    /** Provides the files. */
    public interface ImportSource {
        /** Returns the name of each file for error messages; empty if it needs none. */
        List<String> copy(NumberedFiles into) throws IOException, InterruptedException;
    }

    /**
     * A converted table.
     *
     * @param columns as JSON
     * @param notes as JSON
     * @param files the number of source files
     */
    public record ImportedTable(long rows, String columns, String notes, BlobInfo info, int files) {
        public List<DataLake.Column> columnList() {
            return List.of(StrictJson.readTrusted(columns, DataLake.Column[].class));
        }
    }

    /**
     * Converts a table and stores it.
     *
     * @param field JSON Pointer to the request field that names the files; null if the request has no body
     */
    public ImportedTable convert(
            OrganizationId organization,
            BlobKey key,
            DataLake.Format format,
            ImportOptions options,
            ImportSource source,
            @Nullable String field)
            throws InterruptedException {
        return inDirectory(
                organization, field, directory -> convert(organization, directory, key, format, options, source));
    }

    /** Reads a table as {@link #convert} would, and stores nothing. */
    public TablePreview preview(
            OrganizationId organization, DataLake.Format format, ImportOptions options, ImportSource source)
            throws InterruptedException {
        return inDirectory(organization, null, directory -> {
            List<String> names = copied(directory, format, source);
            return StrictJson.readTrusted(
                    reader.convert(
                            organization,
                            directory,
                            names,
                            format.text(),
                            options.table().preview(),
                            directory.resolve("table"),
                            LIMIT),
                    TablePreview.class);
        });
    }

    private interface DirectoryTask<T> {
        T run(Path directory) throws IOException, InterruptedException;
    }

    private <T> T inDirectory(OrganizationId organization, @Nullable String field, DirectoryTask<T> task)
            throws InterruptedException {
        try (FairSemaphore.FairPermit permit = permits.take(organization, LIMIT)) {
            if (permit == null) {
                throw ApiProblem.unavailable("Too many tables are being imported at the moment.", RETRY_AFTER);
            }
            Path directory = tempFiles.directory("lake");
            try {
                return task.run(directory);
            } catch (DocumentException e) {
                if (e.isTransient()) {
                    throw ApiProblem.unavailable(e.detail(), RETRY_AFTER);
                }
                ApiProblem refused = field == null
                        ? ApiProblem.of(ProblemKind.UNREADABLE_FILE, e.detail())
                        : ApiProblem.invalid(Violation.invalid(ViolationCode.UNREADABLE, field, e.detail()));
                throw e.output().isEmpty()
                        ? refused
                        : refused.with(
                                "sheets",
                                StrictJson.readTrusted(e.output(), JsonNode.class)
                                        .path("sheets"));
            } finally {
                TempFiles.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ImportedTable convert(
            OrganizationId organization,
            Path directory,
            BlobKey key,
            DataLake.Format format,
            ImportOptions options,
            ImportSource source)
            throws IOException, InterruptedException {
        List<String> names = copied(directory, format, source);
        Path parquet = directory.resolve("table");
        JsonNode summary = StrictJson.mapper()
                .readTree(
                        reader.convert(organization, directory, names, format.text(), options.table(), parquet, LIMIT));
        blobs.put(key, DataLake.Format.PARQUET.contentType(), parquet);
        BlobInfo info = blobs.info(key)
                .orElseThrow(() -> ApiProblem.unavailable("The table could not be stored.", RETRY_AFTER));
        // Samples are values of the table, and its rows can be read.
        summary.path("columns").forEach(column -> ((ObjectNode) column).remove("samples"));
        return new ImportedTable(
                summary.path("rows").asLong(),
                summary.path("columns").toString(),
                summary.path("notes").isArray() ? summary.path("notes").toString() : "[]",
                info,
                names.size());
    }

    private static List<String> copied(Path directory, DataLake.Format format, ImportSource source)
            throws IOException, InterruptedException {
        return source.copy(number -> directory.resolve(number + "." + format.text()));
    }
}
