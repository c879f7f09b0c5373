package dev.parley.workflow.instance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.datalake.DataLakeImporter;
import dev.parley.db.Database;
import dev.parley.id.DataLakeId;
import dev.parley.id.WorkflowId;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.dhatim.fastexcel.Workbook;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data lakes from the upload to the inputs of tasks. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class DataLakeTest {
    /** Starting a process dominates both measurements; reading a million rows as text would take far longer. */
    private static final int MOST_TIMES = 10;

    private static final String ORDERS = """
            id,customer,amount,paid,day
            1,Ada,10.5,true,2030-01-01
            2,"O'Brien; DROP TABLE lake",20,false,2030-01-02
            3,Zoë,7,true,2030-01-03
            4,,100000000000,true,2030-01-04
            """;

    private Tenant tenant;
    private Api owner;
    private String lakes;

    @BeforeEach
    void anOrganization() {
        tenant = Tenant.create();
        owner = tenant.browser();
        lakes = "/dashboard/api/organizations/" + tenant.organization() + "/data-lakes";
    }

    private static int put(JsonNode upload, byte[] bytes) throws Exception {
        var request = HttpRequest.newBuilder(
                        URI.create(upload.path("upload_url").asText()))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        upload.path("headers")
                .properties()
                .forEach(header ->
                        request.header(header.getKey(), header.getValue().asText()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private Api.Answer imported(String format, byte[] bytes) throws Exception {
        Api.Answer created = owner.post(lakes)
                .json(Map.of("name", "Orders " + UUID.randomUUID(), "format", format))
                .send()
                .expect(201);
        assertThat(created.text("/data_lake/status")).isEqualTo("PENDING");
        String id = created.text("/data_lake/id");
        assertThat(owner.post(lakes + "/" + id + "/import").send().status()).isEqualTo(409);
        assertThat(put(created.json().path("upload"), bytes)).isEqualTo(200);
        return owner.post(lakes + "/" + id + "/import").send();
    }

    private String lake(String format, byte[] bytes) throws Exception {
        return imported(format, bytes).expect(200).text("/id");
    }

    /** A workflow whose code returns its input from the data lake. */
    private Api.Answer run(String lake, Map<String, Object> more, Map<String, Object> items) throws Exception {
        return run(lake, more, items, Map.of());
    }

    private Api.Answer run(
            String lake, Map<String, Object> more, Map<String, Object> items, Map<String, Object> inputs) {
        Map<String, Object> input = new LinkedHashMap<>(Workflows.input("rows", "ARRAY", "system_generated", true));
        input.put("items", items);
        input.put("data_source", "DATA_LAKE");
        input.put("data_lake_id", lake);
        input.putAll(more);
        String code = "export default function main(i) { return { seen: JSON.stringify(i.rows) }; }";
        int artifact = owner.post("/dashboard/api/organizations/" + tenant.organization() + "/code-artifacts")
                .json(Map.of("name", "Echo", "language", "javascript", "source", code))
                .send()
                .expect(201)
                .json()
                .path("id")
                .asInt();
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "read",
                        Map.of(
                                "kind",
                                "Coder",
                                "code_artifact_id",
                                artifact,
                                "input_parameters",
                                List.of(Workflows.input("customer", "STRING", "human_input", false), input),
                                "expected_output",
                                List.of(Workflows.output("seen", "STRING"))))
                .publish();
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=120", Map.of("inputs", inputs))
                .expect(200);
    }

    private static Map<String, Object> objects(String... nameAndType) {
        List<Object> properties = new java.util.ArrayList<>();
        for (int i = 0; i < nameAndType.length; i += 2) {
            properties.add(
                    Map.of("name", nameAndType[i], "type", nameAndType[i + 1], "description", "d", "required", false));
        }
        return Map.of("type", "OBJECT", "properties", properties);
    }

    @Test
    void theExampleThatRunsATaskPerRowGetsTheRows() throws Exception {
        String id = lake("csv", """
                region,amount,paid
                North,10.5,true
                South,20,false
                West,7,true
                """.getBytes(UTF_8));
        WorkflowId comments = Workflows.example(
                tenant,
                "sales-comments",
                json -> json.replace("\"data_lake_id\": \"sales\"", "\"data_lake_id\": \"" + id + "\""));
        JsonNode done = tenant.post("/workflows/" + comments + "/trigger/sync?wait_seconds=120", Map.of())
                .expect(200)
                .json();
        assertThat(done.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(done.at("/tasks/0/items").toString()).isEqualTo("{\"total\":2,\"completed\":2,\"failed\":0}");
        assertThat(done.at("/output/report").asText()).isNotEmpty();
    }

    @Test
    void aTableIsUploadedDescribedPreviewedAndDeleted() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        JsonNode lake = owner.get(lakes + "/" + id).send().expect(200).json();
        assertThat(lake.path("rows").asInt()).isEqualTo(4);
        assertThat(lake.path("columns").findValuesAsText("type"))
                .containsExactly("BIGINT", "VARCHAR", "DOUBLE", "BOOLEAN", "DATE");
        assertThat(owner.get(lakes).send().expect(200).text("/items/0/id")).isEqualTo(id);
        Api.Answer rows = owner.get(lakes + "/" + id + "/rows?limit=2").send().expect(200);
        assertThat(rows.json().path("rows")).hasSize(2);
        assertThat(rows.text("/rows/0/day")).isEqualTo("2030-01-01");
        assertThat(rows.text("/rows/1/customer")).isEqualTo("O'Brien; DROP TABLE lake");
        owner.delete(lakes + "/" + id).send().expect(204);
        owner.get(lakes + "/" + id).send().expect(404);
    }

    @Test
    void filesOfADeletedOrganizationAreClearedAway() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        var waiting = owner.post(lakes)
                .json(Map.of("name", "Later", "format", "csv"))
                .send()
                .expect(201);
        assertThat(put(waiting.json().path("upload"), ORDERS.getBytes(UTF_8))).isEqualTo(200);
        String prefix = tenant.organization().text() + "/data-lake/";
        var blobs = Tenant.bean(BlobStore.class);
        var table = new BlobKey(Tenant.bean(Database.class)
                .with(handle -> handle.createQuery("SELECT blob_key FROM data_lake WHERE id = ?")
                        .bind(0, DataLakeId.parse(id).orElseThrow().value())
                        .mapTo(String.class)
                        .one()));
        assertThat(table.text()).startsWith(prefix + id + "/");
        var source = new BlobKey(prefix + waiting.text("/data_lake/id") + "/source");
        assertThat(blobs.info(table)).isPresent();
        assertThat(blobs.info(source)).isPresent();

        owner.delete("/dashboard/api/organizations/" + tenant.organization())
                .send()
                .expect(204);
        Tenant.bean(DataLakeImporter.class).clear();
        assertThat(blobs.info(table)).as("signed URLs may live still").isPresent();
        Tenant.bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE organization SET deleted_at = now() - interval '1 hour' WHERE id = ?",
                        tenant.organization().value()));
        Tenant.bean(DataLakeImporter.class).clear();

        assertThat(blobs.info(table)).isEmpty();
        assertThat(blobs.info(source)).isEmpty();
        int rows = Tenant.bean(Database.class)
                .with(handle -> handle.createQuery("SELECT count(*) FROM data_lake WHERE organization_id = ?")
                        .bind(0, tenant.organization())
                        .mapTo(Integer.class)
                        .one());
        assertThat(rows).isZero();
    }

    @Test
    void jsonLinesParquetAndExcelAreReadAlike() throws Exception {
        String jsonl = lake("jsonl", "{\"a\": 1, \"b\": {\"c\": [1, 2]}}\n{\"a\": 2}\n".getBytes(UTF_8));
        assertThat(owner.get(lakes + "/" + jsonl + "/rows")
                        .send()
                        .expect(200)
                        .json()
                        .at("/rows/0/b/c/1")
                        .asInt())
                .isEqualTo(2);
        var xlsx = new ByteArrayOutputStream();
        try (Workbook book = new Workbook(xlsx, "Test", "1.0")) {
            var sheet = book.newWorksheet("Orders");
            for (int row = 0; row < 3; row++) {
                sheet.value(row, 0, row == 0 ? "item" : "bolt, " + row);
                if (row == 0) {
                    sheet.value(row, 1, "count");
                } else {
                    sheet.value(row, 1, row * 10);
                }
            }
        }
        String excel = lake("xlsx", xlsx.toByteArray());
        Api.Answer rows = owner.get(lakes + "/" + excel + "/rows").send().expect(200);
        assertThat(rows.text("/rows/1/item")).isEqualTo("bolt, 2");
        assertThat(rows.json().at("/rows/1/count").asInt()).isEqualTo(20);
    }

    @Test
    void aFileThatCannotBeImportedIsLoggedAsAnUploadOnly() throws Exception {
        imported("parquet", "no parquet".getBytes(UTF_8)).expect(400);
        String log = "/dashboard/api/organizations/" + tenant.organization() + "/audit-log";
        JsonNode entries = owner.get(log).send().expect(200).json();
        assertThat(entries.findValuesAsText("action")).containsExactly("data-lakes.upload");
        JsonNode changes =
                owner.get(log + "?changes_only=true").send().expect(200).json();
        assertThat(changes.get("items")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "nothing",
            value = {
                "csv | nothing | it has no header row",
                "csv | ~~ ~ | it has no header row",
                "jsonl | ~ | it has no rows, and therefore no columns"
            })
    void anEmptyFileIsNoTable(String format, String text, String reason) throws Exception {
        Api.Answer answer = imported(
                format, text == null ? new byte[0] : text.replace('~', '\n').getBytes(UTF_8));
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("The file is empty: " + reason);
        assertThat(owner.get(lakes).send().expect(200).json().path("items")).isEmpty();
    }

    @Test
    void aHeaderAloneIsATableWithoutRows() throws Exception {
        String id = lake("csv", "id,customer\n".getBytes(UTF_8));
        JsonNode lake = owner.get(lakes + "/" + id).send().expect(200).json();
        assertThat(lake.path("status").asText()).isEqualTo("READY");
        assertThat(lake.path("rows").asInt()).isZero();
        assertThat(lake.path("columns").findValuesAsText("name")).containsExactly("id", "customer");
        assertThat(run(id, Map.of(), objects("id", "STRING")).text("/output/seen"))
                .isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource({"parquet, no parquet", "xlsx, no workbook", "jsonl, {broken"})
    void anInvalidTableIsReportedAndDeleted(String format, String text) throws Exception {
        Api.Answer answer = imported(format, (text + "\0").getBytes(UTF_8));
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).doesNotContain("/tmp").doesNotContain("Exception");
        assertThat(owner.get(lakes).send().expect(200).json().path("items")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "csv | order,am?ount~1,2 | am␀ount",
                "jsonl | {\"am\\u0000ount\": 1} | am␀ount",
                "jsonl | {\"amount\": {\"in\\u0000Euro\": 1}} | amount"
            })
    void aColumnWithANulCharacterInItsNameIsRefused(String format, String text, String column) throws Exception {
        Api.Answer answer =
                imported(format, text.replace('?', '\0').replace('~', '\n').getBytes(UTF_8));
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("The column '" + column + "' has a NUL character");
        assertThat(owner.get(lakes).send().expect(200).json().path("items")).isEmpty();
    }

    @Test
    void aFileOfAMessageBecomesATable() {
        String uri = TestFiles.sent(tenant, "orders.csv", "text/csv", ORDERS.getBytes(UTF_8))
                .text("/metadata/file/uri");
        Api.Answer created = owner.post(lakes)
                .json(Map.of("name", "Orders", "format", "csv", "file_url", uri))
                .send()
                .expect(201);
        assertThat(created.text("/data_lake/status")).isEqualTo("READY");
        String foreign = TestFiles.sent(Tenant.create(), "secret.csv", "text/csv", ORDERS.getBytes(UTF_8))
                .text("/metadata/file/uri");
        owner.post(lakes)
                .json(Map.of("name", "Theirs", "format", "csv", "file_url", foreign))
                .send()
                .expect(400);
    }

    @Test
    void aFilterColumnsAndALimitChooseTheRows() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        Api.Answer done = run(
                id,
                Map.of(
                        "filter",
                                Map.of(
                                        "all",
                                        List.of(
                                                Map.of("column", "amount", "op", ">=", "value", 10.5),
                                                Map.of("not", Map.of("column", "customer", "op", "is_null")))),
                        "columns", List.of("customer", "amount"),
                        "limit", 10),
                objects("customer", "STRING", "amount", "FLOAT"));
        assertThat(done.text("/output/seen")).contains("Ada", "O'Brien").doesNotContain("Zoë", "paid");
    }

    @Test
    void withoutALimitAllRowsAreTheValueOrTheTaskFails() throws Exception {
        var csv = new StringBuilder("id\n");
        for (int i = 1; i <= 10_001; i++) {
            csv.append(i).append('\n');
        }
        String id = lake("csv", csv.toString().getBytes(UTF_8));
        Map<String, Object> integers = Map.of("type", "INTEGER");
        Api.Answer failed = run(id, Map.of(), integers);
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/error/detail")).contains("Input 'rows'", "10,000 rows", "filter", "limit");
        assertThat(failed.text("/tasks/0/attempts")).isEqualTo("1");
        Api.Answer all = run(id, Map.of("filter", Map.of("column", "id", "op", ">", "value", 1)), integers);
        assertThat(all.text("/output/seen").split(",", -1)).hasSize(10_000);
    }

    @Test
    void filterValuesAreNeverSql() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        String evil = "O'Brien; DROP TABLE lake";
        Api.Answer one = run(
                id,
                Map.of(
                        "filter",
                        Map.of("column", "customer", "op", "=", "input", "customer"),
                        "columns",
                        List.of("id")),
                Map.of("type", "INTEGER"),
                Map.of("customer", evil));
        assertThat(one.text("/output/seen")).isEqualTo("[2]");
        Api.Answer column = run(
                id,
                Map.of("filter", Map.of("column", "id\" = 1 OR \"id", "op", "=", "value", 1)),
                Map.of("type", "OBJECT", "properties", List.of()));
        assertThat(column.text("/error/detail")).contains("has no column");
        Api.Answer misfit = run(
                id,
                Map.of("filter", Map.of("column", "amount", "op", ">", "value", "much")),
                Map.of("type", "OBJECT", "properties", List.of()));
        assertThat(misfit.text("/status")).isEqualTo("FAILED");
        assertThat(misfit.text("/error/detail")).doesNotContain("/tmp");
    }

    @Test
    void rowsThatDoNotSuitTheItemsFailTheTask() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        Api.Answer failed = run(id, Map.of(), objects("customer", "INTEGER"));
        assertThat(failed.text("/error/error")).isEqualTo("Invalid Type");
        assertThat(failed.text("/error/detail")).contains("rows/0/customer");
    }

    @Test
    void aDefinitionNamesADataLakeOfTheOrganization() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        Tenant other = Tenant.create();
        Map<String, Object> input = new LinkedHashMap<>(Workflows.input("rows", "ARRAY", "system_generated", true));
        input.putAll(Map.of("items", Map.of("type", "INTEGER"), "data_source", "DATA_LAKE", "data_lake_id", id));
        input.putAll(Map.of("limit", 0, "filter", Map.of("column", "id", "op", "~", "value", 1)));
        Map<String, Object> document = Map.of(
                "name", "Reads",
                "assignment_rules",
                        List.of(Map.of(
                                "rule_type", "Exception",
                                "assignment_type", "User",
                                "assignee_id", other.owner().text())),
                "tasks",
                        List.of(Map.of(
                                "id", "read",
                                "kind", "AI",
                                "name", "Read",
                                "instructions", "Read.",
                                "input_parameters", List.of(input),
                                "expected_output", List.of(Workflows.output("seen", "STRING")))));
        JsonNode violations = other.browser()
                .post("/dashboard/api/organizations/" + other.organization() + "/workflows/validate")
                .json(document)
                .send()
                .expect(200)
                .json()
                .path("errors");
        assertThat(violations.findValuesAsText("path"))
                .containsExactly(
                        "/tasks/0/input_parameters/0/data_lake_id",
                        "/tasks/0/input_parameters/0/filter/op",
                        "/tasks/0/input_parameters/0/limit");
        assertThat(violations.path(0).path("error").asText()).isEqualTo("Missing Required Field");
    }

    @Test
    void membersOfOthersSeeNothing() throws Exception {
        String id = lake("csv", ORDERS.getBytes(UTF_8));
        Api stranger = Tenant.create().browser();
        stranger.get(lakes + "/" + id).send().expect(404);
        Tenant other = Tenant.create();
        other.browser()
                .get("/dashboard/api/organizations/" + other.organization() + "/data-lakes/" + id + "/rows")
                .send()
                .expect(404);
    }

    @Test
    @Tag("all")
    void aMillionRowsAreFilteredInAFewTimesTheTimeOfTwoAndInNoMemory() throws Exception {
        var csv = new StringBuilder(40 << 20).append("id,name,amount\n");
        for (int i = 0; i < 1_000_000; i++) {
            csv.append(i)
                    .append(",customer ")
                    .append(i % 977)
                    .append(',')
                    .append(i % 10_000)
                    .append(".25\n");
        }
        byte[] bytes = csv.toString().getBytes(UTF_8);
        csv.setLength(0);
        String few = lake("csv", "id,name,amount\n7,customer 7,7.25\n999999,customer 1,1.25\n".getBytes(UTF_8));
        String many = lake("csv", bytes);
        timeOfTwoIds(few); // Warms up: the first run prepares the environment.
        Duration ofFew = timeOfTwoIds(few);
        System.gc();
        long before = used();
        assertThat(timeOfTwoIds(many)).isLessThan(ofFew.multipliedBy(MOST_TIMES));
        System.gc();
        assertThat(used() - before).isLessThan(30L << 20);
    }

    private Duration timeOfTwoIds(String lake) throws Exception {
        Instant begun = Instant.now();
        Api.Answer done = run(
                lake,
                Map.of(
                        "filter",
                        Map.of("column", "id", "op", "in", "value", List.of(7, 999_999)),
                        "columns",
                        List.of("id")),
                Map.of("type", "INTEGER"));
        assertThat(done.text("/output/seen")).isEqualTo("[7,999999]");
        return Duration.between(begun, Instant.now());
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
