package dev.parley.datalake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.s3.TestS3;
import dev.parley.datalake.store.DataLakeStore;
import dev.parley.db.Database;
import dev.parley.id.DataLakeId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.settings.Setting;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data lakes from objects in S3, while the service's own files are on its disk. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class DataLakeFromS3Test {
    private static TestS3 s3;

    @Inject
    DataLakeImporter dataLakes;

    @Inject
    BlobStore blobs;

    @Inject
    Database database;

    @Inject
    TestOrganizations organizations;

    private Tenant tenant;
    private Api owner;
    private String lakes;
    private String folder;
    private Set<Path> scratch;

    @BeforeAll
    static void start() throws Exception {
        s3 = TestS3.start(ServiceResource.LAKE_PORT);
    }

    @AfterAll
    static void stop() throws Exception {
        s3.close();
    }

    @BeforeEach
    void anOrganization() {
        tenant = Tenant.create();
        owner = tenant.browser();
        lakes = "/dashboard/api/organizations/" + tenant.organization() + "/data-lakes";
        folder = "shared/" + tenant.organization() + "/";
        scratch = scratch();
    }

    private void put(String name, String text) {
        s3.put(folder + name, text.getBytes(UTF_8));
    }

    private String uri(String name) {
        return "s3://" + TestS3.LAKES + "/" + folder + name;
    }

    private Api.Answer create(String uri, String format) {
        return owner.post(lakes)
                .json(Map.of("name", "Orders " + UUID.randomUUID(), "format", format, "s3_uri", uri))
                .send();
    }

    private String created(String uri, String format) {
        return create(uri, format).expect(201).text("/data_lake/id");
    }

    private Api.Answer refresh(String id) {
        return owner.post(lakes + "/" + id + "/refresh").send();
    }

    private JsonNode rows(String id) {
        return owner.get(lakes + "/" + id + "/rows").send().expect(200).json().path("rows");
    }

    private BlobKey fileOf(String id) {
        return database.statements(DataLakeStore.class)
                .find(tenant.organization(), DataLakeId.parse(id).orElseThrow())
                .orElseThrow()
                .place()
                .key();
    }

    /** The temporary files of imports and readers. */
    private static Set<Path> scratch() {
        Path scratch = Path.of(System.getProperty(Setting.PARLEY_DATA.name()), "scratch");
        try (Stream<Path> files = Files.walk(scratch, 2)) {
            return files.filter(file -> file.getFileName().toString().matches("(lake|reader).+"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertNothingIsLeft() {
        assertThat(owner.get(lakes).send().expect(200).json().path("items")).isEmpty();
        assertNoScratch();
    }

    private void assertNoScratch() {
        Tenant.eventually(
                () -> {
                    Set<Path> now = new HashSet<>(scratch());
                    now.removeAll(scratch);
                    return now;
                },
                Set::isEmpty);
    }

    @Test
    void theObjectsOfAPrefixBecomeOneTable() {
        put("a.csv", "id,amount,note\n1,10,\n2,20,\n");
        put("b/c.csv", "note,amount,id\n\"it's, so\",0.5,3\n");
        put("d.csv", "id,amount,note\n");
        put("_SUCCESS", "");
        put(".d.csv.crc", "crc");
        put("b/", "");
        Api.Answer made = create(uri(""), "csv").expect(201);
        assertThat(made.json().at("/upload").isNull()).isTrue();
        assertThat(made.text("/data_lake/status")).isEqualTo("READY");
        assertThat(made.text("/data_lake/s3_uri")).isEqualTo(uri(""));
        assertThat(made.json().at("/data_lake/s3_objects").asInt()).isEqualTo(3);
        JsonNode columns = made.json().at("/data_lake/columns");
        assertThat(columns.findValuesAsText("name")).containsExactly("id", "amount", "note");
        assertThat(columns.findValuesAsText("type")).containsExactly("BIGINT", "DOUBLE", "VARCHAR");
        String rows = owner.get(lakes + "/" + made.text("/data_lake/id") + "/rows")
                .send()
                .expect(200)
                .body();
        assertThat(rows)
                .contains("[{\"id\":1,\"amount\":10.0,\"note\":null},{\"id\":2,\"amount\":20.0,\"note\":null},"
                        + "{\"id\":3,\"amount\":0.5,\"note\":\"it's, so\"}]");
        assertNoScratch();
    }

    @Test
    @Tag("all")
    void aColumnThatIsEmptySomewhereKeepsItsType() {
        put("1.csv", "id,day,never\n1,,\n");
        put("2.csv", "id,day,never\n2,2029-01-02,\n");
        String id = created(uri(""), "csv");
        JsonNode columns = owner.get(lakes + "/" + id).send().expect(200).json().path("columns");
        assertThat(columns.findValuesAsText("name")).containsExactly("id", "day", "never");
        assertThat(columns.findValuesAsText("type")).containsExactly("BIGINT", "DATE", "VARCHAR");
        assertThat(rows(id)).hasSize(2);
    }

    @Test
    @Tag("all")
    void aRefreshKeepsTheChosenTypes() {
        put("1.csv", "code,day\n7,03/04/2026\n");
        String id = owner.post(lakes)
                .json(Map.of(
                        "name",
                        "Orders " + UUID.randomUUID(),
                        "format",
                        "csv",
                        "s3_uri",
                        uri(""),
                        "types",
                        Map.of("code", "text", "day", "date_day_first")))
                .send()
                .expect(201)
                .text("/data_lake/id");
        put("2.csv", "code,day\n007,05/06/2026\n");
        assertThat(refresh(id).expect(200).json().path("columns").findValuesAsText("type"))
                .containsExactly("VARCHAR", "DATE");
        assertThat(rows(id).findValuesAsText("day")).containsExactly("2026-04-03", "2026-06-05");
        assertThat(rows(id).findValuesAsText("code")).containsExactly("7", "007");
    }

    @Test
    @Tag("all")
    void jsonLinesMayDifferInTheirNestedFieldsAndOneObjectIsATableToo() {
        put("1.jsonl", "{\"a\": 1, \"b\": {\"c\": 1}}\n");
        put("2.jsonl", "{\"a\": 2, \"b\": {\"c\": 2, \"d\": \"x\"}}\n");
        String id = created(uri(""), "jsonl");
        assertThat(rows(id).at("/1/b/d").asText()).isEqualTo("x");
        assertThat(rows(id).at("/0/b/c").asInt()).isEqualTo(1);
        String one = created(uri("2.jsonl"), "jsonl");
        assertThat(rows(one)).hasSize(1);
    }

    @Test
    void aRefreshReplacesTheRows() {
        put("1.csv", "id\n1\n");
        String id = created(uri(""), "csv");
        BlobKey before = fileOf(id);
        Instant read = Instant.parse(owner.get(lakes + "/" + id).send().text("/read_at"));
        put("2.csv", "id\n2\n");
        Api.Answer again = refresh(id).expect(200);
        assertThat(again.json().path("rows").asInt()).isEqualTo(2);
        assertThat(again.json().path("s3_objects").asInt()).isEqualTo(2);
        assertThat(Instant.parse(again.text("/read_at"))).isAfter(read);
        assertThat(rows(id)).hasSize(2);
        assertThat(blobs.info(before)).isEmpty();
        BlobKey after = fileOf(id);
        owner.delete(lakes + "/" + id).send().expect(204);
        assertThat(blobs.info(after)).isEmpty();
    }

    @Test
    void aRefreshThatFailsKeepsTheOldRows() throws Exception {
        put("1.csv", "id\n1\n");
        String id = created(uri(""), "csv");
        JsonNode before = owner.get(lakes + "/" + id).send().expect(200).json();

        put("2.csv", "ident\n2\n");
        Api.Answer misfit = refresh(id).expect(400);
        assertThat(misfit.json().has("errors")).isFalse();
        assertThat(misfit.text("/detail"))
                .isEqualTo("'" + uri("2.csv") + "': Its columns differ from those of '" + uri("1.csv")
                        + "': it lacks 'id' and has 'ident' besides.");
        s3.delete(folder + "1.csv");
        s3.delete(folder + "2.csv");
        assertThat(refresh(id).expect(400).text("/detail")).isEqualTo("There is no object under the prefix.");
        s3.close();
        try {
            Api.Answer away = refresh(id).expect(503);
            assertThat(away.header("Retry-After")).isEqualTo("5");
            assertThat(away.body()).doesNotContain("127.0.0.1", "parley-test", "Exception");
            assertThat(create(uri(""), "csv").expect(503).header("Retry-After")).isEqualTo("5");
            assertThat(rows(id).toString()).isEqualTo("[{\"id\":1}]");
        } finally {
            s3 = TestS3.start(ServiceResource.LAKE_PORT);
        }
        assertThat(owner.get(lakes + "/" + id).send().expect(200).json()).isEqualTo(before);
        assertThat(owner.get(lakes).send().expect(200).json().path("items")).hasSize(1);
        assertNoScratch();
    }

    @Test
    @Tag("all")
    void refreshesAreExclusiveAndADeadNodesRemainsAreDeleted() throws Exception {
        put("1.csv", "id\n1\n");
        String id = created(uri(""), "csv");
        DataLakeId lake = DataLakeId.parse(id).orElseThrow();
        var left = new BlobKey(tenant.organization() + "/data-lake/" + id + "/left.parquet");
        Path file = Files.createTempFile("left", ".parquet");
        for (boolean byChore : List.of(true, false)) {
            blobs.put(left, "application/octet-stream", file);
            assertThat(database.statements(DataLakeStore.class)
                            .begin(tenant.organization(), lake, left, Instant.now(), Instant.EPOCH))
                    .isTrue();
            refresh(id).expect(409);
            assertThat(rows(id)).hasSize(1);
            database.change(handle -> handle.execute(
                    "UPDATE data_lake SET writing_since = now() - interval '1 hour' WHERE id = ?", lake.value()));
            if (byChore) {
                dataLakes.clear();
                assertThat(blobs.info(left)).isEmpty();
            }
            refresh(id).expect(200);
            assertThat(blobs.info(left)).isEmpty();
        }
        Files.delete(file);
    }

    @ParameterizedTest
    @CsvSource({
        "400, s3://parley-test-lakes/shared/../private/x.csv",
        "400, s3://parley-test-lakes/shared/%2e%2e/private/x.csv",
        "400, s3://parley-test-lakes",
        "400, https://parley-test-lakes/shared/x.csv",
        "403, s3://parley-test-lakes/",
        "403, s3://parley-test-lakes/sharedEVIL/x.csv",
        "403, s3://parley-test-lakes/private/x.csv",
        "403, s3://parley-test-files/shared/x.csv",
        "400, s3://parley-test-lakes/shared/nothing/",
        "400, s3://parley-test-lakes/shared/nothing.csv"
    })
    void forbiddenOrMissingObjectsCreateNoTable(int status, String uri) {
        s3.put("private/x.csv", "id\n1\n".getBytes(UTF_8));
        s3.put("sharedEVIL/x.csv", "id\n1\n".getBytes(UTF_8));
        Api.Answer refused = create(uri, "csv").expect(status);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/s3_uri");
        assertNothingIsLeft();
    }

    @Test
    void aBucketThatIsMissingIsUnavailable() {
        assertThat(create("s3://parley-test-missing/x/", "csv").expect(503).header("Retry-After"))
                .isEqualTo("5");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @Tag("all")
    @CsvSource({"csv, x.csv", "jsonl, x.jsonl", "parquet, x.parquet", "xlsx, x.xlsx"})
    void anObjectOfAnotherFormatIsNamed(String format, String name) {
        put(name, "{\"broken\0");
        put("z", "{\"broken\0");
        Api.Answer refused = create(uri(""), format).expect(400);
        assertThat(refused.text("/detail")).startsWith("'" + uri(name) + "': ");
        assertThat(refused.body()).doesNotContain("/tmp", "scratch", "Exception");
        assertNothingIsLeft();
    }

    @Test
    void aRequestNamesOneSource() {
        Api.Answer refused = owner.post(lakes)
                .json(Map.of("name", "X", "format", "csv", "s3_uri", uri("x"), "file_url", "s3://a/b", "size", 3))
                .send()
                .expect(400);
        assertThat(refused.json().path("errors").findValuesAsText("path")).containsExactly("/s3_uri", "/size");
    }

    @Test
    @Tag("all")
    void adminsListPrefixesAndOnlyTheyRefresh() {
        assertThat(owner.get(lakes + "/s3-prefixes").send().expect(200).body())
                .isEqualTo("{\"items\":[{\"uri\":\"s3://parley-test-lakes/shared/\"},"
                        + "{\"uri\":\"s3://parley-test-missing/\"}],\"next\":null}");
        put("1.csv", "id\n1\n");
        String id = created(uri("1.csv"), "csv");
        TestOrganizations.Tenant other = organizations.create();
        other.owner().browser().post(lakes + "/" + id + "/refresh").send().expect(404);
        String theirs = "/dashboard/api/organizations/" + other.id() + "/data-lakes/";
        other.owner().browser().post(theirs + id + "/refresh").send().expect(404);
        other.member().browser().post(theirs + id + "/refresh").send().expect(403);
        other.member().browser().get(theirs + "s3-prefixes").send().expect(403);
        String upload = owner.post(lakes)
                .json(Map.of("name", "Later", "format", "csv"))
                .send()
                .expect(201)
                .text("/data_lake/id");
        refresh(upload).expect(409);
    }
}
