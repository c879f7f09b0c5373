package dev.parley.datalake;

import dev.parley.blob.BlobStore;
import dev.parley.datalake.core.RowFilter;
import dev.parley.disk.TempFiles;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.http.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.workflow.definition.core.DataSource;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads rows of tables. Only the requested rows are loaded into the service's memory. */
@Singleton
public final class LakeReader {
    /** The maximum size of the rows of one input, as JSON. */
    private static final int MAX_BYTES = 8 << 20;

    private static final String TOO_MANY =
            "There are more than the %,d rows that an input may have. Add a filter, or a limit"
                            .formatted(DataSource.MAX_LIMIT)
                    + " if the first rows are enough.";

    private final DataLakeStore store;
    private final TempFiles scratch;
    private final BlobStore blobs;
    private final DocumentReader reader;

    public LakeReader(DataLakeStore store, TempFiles scratch, BlobStore blobs, DocumentReader reader) {
        this.scratch = scratch;
        this.store = store;
        this.blobs = blobs;
        this.reader = reader;
    }

    /** Rows of a table, each with its columns in order. */
    public record Rows(List<String> columns, List<Map<String, @Nullable Object>> rows) {}

    /**
     * Reads rows.
     *
     * @param columns empty for all
     * @param limit the maximum number of rows; null for all, in which case too many rows for one input are an error
     * @param inputs values for the filter's comparisons with inputs
     */
    public Rows read(
            OrganizationId organization,
            String id,
            @Nullable RowFilter filter,
            List<String> columns,
            @Nullable Integer limit,
            Map<String, @Nullable Object> inputs,
            Duration time)
            throws DocumentException, InterruptedException {
        int max = limit == null ? DataSource.MAX_LIMIT + 1 : limit;
        Path parquet = null;
        try {
            DataLakeStore.StoredDataLake found = find(organization, id);
            LakeQuery query = LakeQuery.of(found.lake(), filter, columns, max, inputs);
            try {
                parquet = copy(found);
            } catch (NoSuchFileException _) {
                // A refresh has replaced the file.
                found = find(organization, id);
                query = LakeQuery.of(found.lake(), filter, columns, max, inputs);
                parquet = copy(found);
            }
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            List<String> texts = reader.rows(parquet, query.sql(), query.parameters(), MAX_BYTES, time);
            if (limit == null && texts.size() == max) {
                throw new DocumentException(TOO_MANY, false);
            }
            for (String row : texts) {
                rows.add(StrictJson.readObject(row));
            }
            return new Rows(query.columns(), rows);
        } catch (DocumentException e) {
            throw e;
        } catch (LakeQuery.UnanswerableQueryException e) {
            throw new DocumentException(e.sentence(), false);
        } catch (UncheckedIOException _) {
            throw new DocumentException(
                    "The data lake contains a value that JSON does not support, such as NaN.", false);
        } catch (IOException _) {
            throw new DocumentException("The data lake could not be read.", true);
        } finally {
            TempFiles.delete(parquet);
        }
    }

    private DataLakeStore.StoredDataLake find(OrganizationId organization, String id) throws DocumentException {
        return DataLakeId.parse(id)
                .flatMap(lake -> store.find(organization, lake))
                .filter(one -> one.place() != null)
                .orElseThrow(
                        () -> new DocumentException("There is no data lake '" + id + "' in the organization.", false));
    }

    private Path copy(DataLakeStore.StoredDataLake found) throws IOException {
        DataLakeStore.StoredBlob place = Objects.requireNonNull(found.place());
        Path copy = scratch.file("lake");
        try (InputStream bytes =
                blobs.open(place.key(), place.info(), 0, place.info().size())) {
            Files.copy(bytes, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        } catch (IOException | RuntimeException e) {
            TempFiles.delete(copy);
            throw e;
        }
    }
}
