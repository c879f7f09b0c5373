package dev.parley.datalake.read;

import dev.parley.blob.BlobStore;
import dev.parley.datalake.core.RowFilter;
import dev.parley.datalake.store.DataLake;
import dev.parley.datalake.store.DataLakeStore;
import dev.parley.db.Database;
import dev.parley.disk.TempFiles;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.document.ReaderLimits;
import dev.parley.http.json.RawJson;
import dev.parley.http.json.StrictJson;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.workflow.definition.core.value.DataSource;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
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
    private final TempFiles tempFiles;
    private final BlobStore blobs;
    private final DocumentReader reader;

    public LakeReader(Database database, TempFiles tempFiles, BlobStore blobs, DocumentReader reader) {
        this.store = database.statements(DataLakeStore.class);
        this.tempFiles = tempFiles;
        this.blobs = blobs;
        this.reader = reader;
    }

    /** Rows of a table, each with its columns in order. */
    public record Rows(List<String> columns, List<Map<String, @Nullable Object>> rows) {}

    /** A page of a table's rows. */
    @Schema(name = "DataLakeRows")
    public record PageOfRows(
            List<String> columns,

            @Schema(type = SchemaType.ARRAY, implementation = RawJson.class)
            List<Map<String, @Nullable Object>> rows,

            @Schema(description = "The number of rows that match the search and the filter", examples = "1000000")
            long total) {}

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
            ReaderLimits limits)
            throws DocumentException, InterruptedException {
        int max = limit == null ? DataSource.MAX_LIMIT + 1 : limit;
        QueryResult result = query(organization, id, lake -> LakeQuery.of(lake, filter, columns, max, inputs), limits);
        if (limit == null && result.lines().size() == max) {
            throw new DocumentException(TOO_MANY, false);
        }
        return new Rows(result.columns(), objects(result.lines()));
    }

    /** Reads a page of rows for people. */
    public PageOfRows page(OrganizationId organization, DataLake lake, LakePage page, ReaderLimits limits)
            throws DocumentException, InterruptedException {
        QueryResult result = query(organization, lake.id().text(), found -> LakeQuery.page(found, page), limits);
        List<Map<String, @Nullable Object>> rows = objects(result.lines());
        long total = lake.rows();
        if (page.isFiltered() && rows.getFirst().get("total") instanceof Number matching) {
            total = matching.longValue();
            rows = rows.subList(1, rows.size());
        }
        return new PageOfRows(result.columns(), rows, total);
    }

    /** The statistics of each column, in order. */
    public List<Map<String, @Nullable Object>> statistics(
            OrganizationId organization, DataLake lake, ReaderLimits limits)
            throws DocumentException, InterruptedException {
        QueryResult result = query(organization, lake.id().text(), LakeQuery::statistics, limits);
        return objects(List.of("{\"columns\": " + result.lines().getFirst() + "}"))
                                .getFirst()
                                .get("columns")
                        instanceof List<?> columns
                ? columns.stream().map(LakeReader::object).toList()
                : List.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> object(Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    private static List<Map<String, @Nullable Object>> objects(List<String> lines) throws DocumentException {
        try {
            return lines.stream().map(StrictJson::readObject).toList();
        } catch (UncheckedIOException _) {
            throw new DocumentException(
                    "The data lake contains a value that JSON does not support, such as NaN.", false);
        }
    }

    private interface QueryForLake {
        LakeQuery of(DataLake lake) throws LakeQuery.UnanswerableQueryException;
    }

    private record QueryResult(List<String> columns, List<String> lines) {}

    private QueryResult query(OrganizationId organization, String id, QueryForLake build, ReaderLimits limits)
            throws DocumentException, InterruptedException {
        Path parquet = null;
        try {
            DataLakeStore.StoredDataLake found = find(organization, id);
            LakeQuery query = build.of(found.lake());
            try {
                parquet = copy(found);
            } catch (NoSuchFileException _) {
                // A refresh has replaced the file.
                found = find(organization, id);
                query = build.of(found.lake());
                parquet = copy(found);
            }
            return new QueryResult(
                    query.columns(),
                    reader.rows(organization, parquet, query.sql(), query.parameters(), MAX_BYTES, limits));
        } catch (LakeQuery.UnanswerableQueryException e) {
            throw new DocumentException(e.detail(), false);
        } catch (DocumentException e) {
            throw e;
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
        Path copy = tempFiles.file("lake");
        try (InputStream bytes = blobs.open(place.key(), place.info(), 0, place.size())) {
            Files.copy(bytes, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        } catch (IOException | RuntimeException e) {
            TempFiles.delete(copy);
            throw e;
        }
    }
}
