package dev.parley.datalake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.datalake.core.RowFilter;
import dev.parley.datalake.read.LakeReader;
import dev.parley.document.DocumentReader;
import dev.parley.document.ReaderLimits;
import dev.parley.document.TableOptions;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of a table in every upload format. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LakeValuesTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String TABLE = """
            id,serial,name,day,at,clock,took,share,paid
            1,46024,Ada,2026-01-02,2026-01-02 10:30:00,10:30:00,36:00:00,0.5,true
            2,46081,Bo,2026-02-28,2026-02-28 00:00:00,00:00:00,100:15:30,7.25,false
            3,,,,2026-03-01 23:59:59.25,23:59:59,,,
            """;

    private final Tenant tenant = Tenant.create();
    private final Api owner = tenant.browser();
    private final String lakes = "/dashboard/api/organizations/" + tenant.organization() + "/data-lakes";

    @TempDir
    private Path directory;

    private String lake(String format, byte[] bytes) throws Exception {
        JsonNode created = owner.post(lakes)
                .json(Map.of("name", "Table " + UUID.randomUUID(), "format", format))
                .send()
                .expect(201)
                .json();
        put(created.path("upload"), bytes);
        String id = created.at("/data_lake/id").asText();
        owner.post(lakes + "/" + id + "/import").send().expect(200);
        return id;
    }

    private static void put(JsonNode upload, byte[] bytes) throws Exception {
        var put = HttpRequest.newBuilder(URI.create(upload.path("upload_url").asText()))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        upload.path("headers")
                .properties()
                .forEach(header -> put.header(header.getKey(), header.getValue().asText()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(put.build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private JsonNode rows(String id) {
        return owner.get(lakes + "/" + id + "/rows").send().expect(200).json().path("rows");
    }

    @Test
    void rowsAreSearchedSortedAndPaged() throws Exception {
        String id = lake("csv", TABLE.getBytes(UTF_8));

        JsonNode found = page(id, "search=BO");
        assertThat(found.path("total").asInt()).isEqualTo(1);
        assertThat(found.at("/rows/0/name").asText()).isEqualTo("Bo");
        assertThat(page(id, "search=2026-02").path("total").asInt()).isEqualTo(1);
        assertThat(page(id, "search=nowhere").path("rows")).isEmpty();
        assertThat(page(id, "sort=name&order=desc").path("rows").findValuesAsText("id"))
                .containsExactly("2", "1", "3");
        JsonNode second = page(id, "sort=share&limit=1&offset=1");
        assertThat(second.path("total").asInt()).isEqualTo(3);
        assertThat(second.at("/rows/0/id").asInt()).isEqualTo(2);
        assertThat(page(id, "offset=3").path("rows")).isEmpty();
        for (String bad : List.of("sort=x", "order=asc", "sort=id&order=up", "offset=-1", "sort=id&offset=5000")) {
            owner.get(lakes + "/" + id + "/rows?" + bad).send().expect(400);
        }
    }

    @Test
    @Tag("all")
    void textsAreSortedWithoutRegardToCaseAndAccents() throws Exception {
        String id = lake("csv", "name\nZoë\notto\nÖstberg\nÅsa\nann\n".getBytes(UTF_8));

        assertThat(page(id, "sort=name").path("rows").findValuesAsText("name"))
                .containsExactly("ann", "Åsa", "Östberg", "otto", "Zoë");
        assertThat(page(id, "sort=name&search=o").path("rows").findValuesAsText("name"))
                .containsExactly("otto", "Zoë");
        JsonNode statistics = owner.get(lakes + "/" + id + "/statistics")
                .send()
                .expect(200)
                .json()
                .at("/columns/0");
        assertThat(statistics.path("min").asText()).isEqualTo("ann");
        assertThat(statistics.path("max").asText()).isEqualTo("Zoë");
    }

    @Test
    void rowsAreFilteredByColumn() throws Exception {
        String id = lake("csv", TABLE.getBytes(UTF_8));

        assertThat(filtered(id, "name", "contains", "BO")).containsExactly("2");
        assertThat(filtered(id, "share", "<", "7.25")).containsExactly("1");
        assertThat(filtered(id, "day", ">=", "2026-02-01")).containsExactly("2");
        assertThat(filtered(id, "at", "<", "2026-02-28T12:00:00Z")).containsExactly("1", "2");
        assertThat(filtered(id, "paid", "=", "true")).containsExactly("1");
        assertThat(filtered(id, "name", "is_null", "")).containsExactly("3");
        String both = encoded(
                "[{\"column\":\"id\",\"op\":\">\",\"value\":\"1\"}," + "{\"column\":\"name\",\"op\":\"is_not_null\"}]");
        JsonNode page = page(id, "search=2026&sort=id&filter=" + both);
        assertThat(page.path("total").asInt()).isEqualTo(1);
        assertThat(page.path("rows").findValuesAsText("id")).containsExactly("2");
        for (String bad : List.of(
                "x",
                "{}",
                "[1]",
                "[{\"column\":\"x\",\"op\":\"=\",\"value\":\"1\"}]",
                "[{\"column\":\"id\",\"op\":\"in\",\"value\":\"1\"}]",
                "[{\"column\":\"id\",\"op\":\"=\",\"value\":\"much\"}]",
                "[{\"column\":\"id\",\"op\":\"=\"}]")) {
            owner.get(lakes + "/" + id + "/rows?filter=" + encoded(bad)).send().expect(400);
        }
    }

    private List<String> filtered(String id, String column, String operator, String value) throws Exception {
        String filter = "[{\"column\":\"" + column + "\",\"op\":\"" + operator + "\",\"value\":\"" + value + "\"}]";
        JsonNode page = page(id, "filter=" + encoded(filter));
        assertThat(page.path("total").asInt()).isEqualTo(page.path("rows").size());
        return page.path("rows").findValuesAsText("id");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    @Test
    void aFileReplacesTheRowsAndKeepsTheId() throws Exception {
        String id = lake("csv", TABLE.getBytes(UTF_8));
        String replace = lakes + "/" + id + "/replace";
        owner.post(replace).json(Map.of("format", "jsonl")).send().expect(409);
        JsonNode upload = owner.post(replace + "/upload")
                .json(Map.of("format", "jsonl"))
                .send()
                .expect(200)
                .json();
        put(upload, "{\"id\": 9, \"city\": \"Graz\"}\n".getBytes(UTF_8));
        assertThat(rows(id)).hasSize(3);

        JsonNode replaced = owner.post(replace)
                .json(Map.of("format", "jsonl"))
                .send()
                .expect(200)
                .json();

        assertThat(replaced.path("id").asText()).isEqualTo(id);
        assertThat(replaced.path("format").asText()).isEqualTo("jsonl");
        assertThat(replaced.path("read_at").asText())
                .isGreaterThan(replaced.path("created_at").asText());
        assertThat(replaced.path("columns").findValuesAsText("name")).containsExactly("id", "city");
        assertThat(rows(id).findValuesAsText("city")).containsExactly("Graz");

        // A file that is not a table leaves the rows, and the next upload starts anew.
        put(
                owner.post(replace + "/upload")
                        .json(Map.of("format", "csv"))
                        .send()
                        .expect(200)
                        .json(),
                new byte[0]);
        owner.post(replace).json(Map.of("format", "csv")).send().expect(400);
        owner.post(replace).json(Map.of("format", "csv")).send().expect(409);
        assertThat(rows(id).findValuesAsText("city")).containsExactly("Graz");
    }

    private JsonNode page(String id, String query) {
        return owner.get(lakes + "/" + id + "/rows?" + query).send().expect(200).json();
    }

    @Test
    @Tag("all")
    void columnsHaveStatistics() throws Exception {
        String id = lake("jsonl", """
                {"amount": 2.5, "at": "2026-01-02T10:30:00Z", "tags": ["a"], "who": null}
                {"amount": -1, "at": "2026-03-01T00:00:00Z", "tags": [], "who": "Bo"}
                """.getBytes(UTF_8));

        JsonNode columns = owner.get(lakes + "/" + id + "/statistics")
                .send()
                .expect(200)
                .json()
                .path("columns");

        assertThat(columns.findValuesAsText("nulls")).containsExactly("0", "0", "0", "1");
        assertThat(columns.findValuesAsText("distinct")).containsExactly("2", "2", "2", "1");
        assertThat(columns.findValuesAsText("min")).containsExactly("-1.0", "2026-01-02T10:30:00.000Z", "null", "Bo");
        assertThat(columns.findValuesAsText("max")).containsExactly("2.5", "2026-03-01T00:00:00.000Z", "null", "Bo");
        assertThat(columns.findValuesAsText("mean")).containsExactly("0.75", "null", "null", "null");
        assertThat(columns.findValues("frequent")).allMatch(JsonNode::isEmpty);
    }

    @Test
    @Tag("all")
    void frequentValuesAreCounted() throws Exception {
        String id = lake("csv", """
                city,at,code
                Graz,2026-01-02T10:30:00Z,1
                Graz,2026-01-02T10:30:00Z,2
                Graz,2026-01-03T10:30:00Z,3
                Köln,,4
                Köln,,5
                Bonn,,6
                Bonn,,7
                Bern,,8
                Bern,,9
                Wien,,10
                """.getBytes(UTF_8));

        JsonNode columns = owner.get(lakes + "/" + id + "/statistics")
                .send()
                .expect(200)
                .json()
                .path("columns");

        assertThat(columns.at("/0/frequent").toString())
                .isEqualTo("[{\"value\":\"Graz\",\"count\":3},{\"value\":\"Bern\",\"count\":2},"
                        + "{\"value\":\"Bonn\",\"count\":2}]");
        assertThat(columns.at("/1/frequent").toString())
                .isEqualTo("[{\"value\":\"2026-01-02T10:30:00.000Z\",\"count\":2}]");
        assertThat(columns.at("/2/frequent")).isEmpty();
    }

    private byte[] parquet() throws Exception {
        Files.writeString(directory.resolve("0.csv"), TABLE);
        Path parquet = directory.resolve("table");
        Tenant.bean(DocumentReader.class)
                .convert(tenant.organization(), directory, List.of(""), "csv", TableOptions.DEFAULT, parquet, LIMIT);
        return Files.readAllBytes(parquet);
    }

    private static void date(Worksheet sheet, int row, int column, String format) {
        sheet.style(row, column).format(format).set();
    }

    private static byte[] xlsx() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (Workbook book = new Workbook(bytes, "Test", "1.0")) {
            Worksheet sheet = book.newWorksheet("Table");
            String[] names = TABLE.lines().findFirst().orElseThrow().split(",", -1);
            for (int column = 0; column < names.length; column++) {
                sheet.value(0, column, names[column]);
            }
            Object[][] rows = {
                {
                    1,
                    46_024,
                    "Ada",
                    LocalDate.of(2026, 1, 2),
                    LocalDateTime.of(2026, 1, 2, 10, 30),
                    0.4375,
                    1.5,
                    0.5,
                    true
                },
                {
                    2,
                    46_081,
                    "Bo",
                    LocalDate.of(2026, 2, 28),
                    LocalDateTime.of(2026, 2, 28, 0, 0),
                    0,
                    (100 * 3_600 + 15 * 60 + 30) / 86_400.0,
                    7.25,
                    false
                },
                {3, null, null, null, 46_082 + 86_399.25 / 86_400, 86_399 / 86_400.0, null, null, null}
            };
            for (int row = 0; row < rows.length; row++) {
                for (int column = 0; column < names.length; column++) {
                    switch (rows[row][column]) {
                        case Number number -> sheet.value(row + 1, column, number);
                        case LocalDate day -> sheet.value(row + 1, column, day);
                        case LocalDateTime time -> sheet.value(row + 1, column, time);
                        case Boolean flag -> sheet.value(row + 1, column, flag);
                        case String text -> sheet.value(row + 1, column, text);
                        case null, default -> {}
                    }
                }
                date(sheet, row + 1, 3, "dd/mm/yyyy");
                date(sheet, row + 1, 4, "yyyy-mm-dd hh:mm:ss");
                date(sheet, row + 1, 5, "h:mm:ss AM/PM");
                date(sheet, row + 1, 6, "[h]:mm:ss");
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void oneTableHasTheSameValuesAndTypesInEveryFormat() throws Exception {
        String csv = lake("csv", TABLE.getBytes(UTF_8));
        String parquet = lake("parquet", parquet());
        String excel = lake("xlsx", xlsx());
        JsonNode rows = rows(csv);
        assertThat(rows.at("/0/day").asText()).isEqualTo("2026-01-02");
        assertThat(rows.findValuesAsText("at"))
                .containsExactly("2026-01-02T10:30:00.000Z", "2026-02-28T00:00:00.000Z", "2026-03-01T23:59:59.250Z");
        assertThat(rows.findValuesAsText("clock")).containsExactly("10:30:00", "00:00:00", "23:59:59");
        assertThat(rows.findValuesAsText("took")).startsWith("36:00:00", "100:15:30");
        assertThat(rows.at("/0/serial").asInt()).isEqualTo(46_024);
        assertThat(rows(parquet)).isEqualTo(rows);
        assertThat(rows(excel)).isEqualTo(rows);
        JsonNode columns = columns(csv);
        assertThat(columns(parquet)).isEqualTo(columns);
        assertThat(columns(excel)).isEqualTo(columns);
    }

    private JsonNode columns(String id) {
        return owner.get(lakes + "/" + id).send().expect(200).json().path("columns");
    }

    @Test
    void typesAndNotesAreShownBeforeTheImportAndCanBeChosen() throws Exception {
        JsonNode created = owner.post(lakes)
                .json(Map.of("name", "Table " + UUID.randomUUID(), "format", "csv"))
                .send()
                .expect(201)
                .json();
        String path = lakes + "/" + created.at("/data_lake/id").asText();
        owner.post(path + "/preview").json(Map.of()).send().expect(409);
        put(created.path("upload"), "code,day,price\n007,03/04/2026,\"1,5\"\n".getBytes(UTF_8));

        JsonNode preview = owner.post(path + "/preview").send().expect(200).json();
        assertThat(preview.path("rows").asInt()).isEqualTo(1);
        assertThat(preview.path("columns").findValuesAsText("type")).containsOnly("VARCHAR");
        assertThat(preview.at("/columns/0/note").asText())
                .isEqualTo("Kept as text: '007' (line 2) has a leading zero.");
        assertThat(preview.at("/columns/2/samples/0").asText()).isEqualTo("1,5");
        for (Map<String, Object> bad : List.<Map<String, Object>>of(
                Map.of("types", Map.of("code", "money")),
                Map.of("types", Map.of("other", "text")),
                Map.of("types", Map.of("price", "number")),
                Map.of("sheet", "Orders"))) {
            owner.post(path + "/preview").json(bad).send().expect(400);
        }

        Map<String, String> types = Map.of("day", "date_month_first", "price", "number_comma");
        JsonNode imported = owner.post(path + "/import")
                .json(Map.of("types", types))
                .send()
                .expect(200)
                .json();
        assertThat(imported.path("columns").findValuesAsText("type")).containsExactly("VARCHAR", "DATE", "DOUBLE");
        assertThat(imported.at("/columns/1/chosen").asText()).isEqualTo("date_month_first");
        assertThat(imported.at("/columns/0/note").asText()).contains("leading zero");
        assertThat(imported.at("/columns/0/samples").isMissingNode()).isTrue();
        assertThat(rows(created.at("/data_lake/id").asText()).toString())
                .isEqualTo("[{\"code\":\"007\",\"day\":\"2026-03-04\",\"price\":1.5}]");
        owner.post(path + "/preview").send().expect(409);

        JsonNode upload = owner.post(path + "/replace/upload")
                .json(Map.of("format", "csv"))
                .send()
                .expect(200)
                .json();
        put(upload, "code\n12\n".getBytes(UTF_8));
        JsonNode replacement = owner.post(path + "/replace/preview")
                .json(Map.of("format", "csv", "types", Map.of("code", "text")))
                .send()
                .expect(200)
                .json();
        assertThat(replacement.at("/columns/0/type").asText()).isEqualTo("VARCHAR");
        assertThat(rows(created.at("/data_lake/id").asText())).hasSize(1);
    }

    @Test
    @Tag("all")
    void timestampsAreRfc3339AtAnyDepthAndWithTheirDigits() throws Exception {
        String id = lake("jsonl", """
                {"o": {"at": "2026-01-02T09:30:00Z", "a \\"b\\"": ["2026-01-02 10:30:00.123456"]}, "n": 1}
                {"o": {"at": "2026-01-03T10:30:00Z", "a \\"b\\"": []}, "n": 2}
                {"o": null, "n": 3}
                """.getBytes(UTF_8));
        JsonNode rows = rows(id);
        assertThat(rows.at("/0/o/at").asText()).isEqualTo("2026-01-02T09:30:00.000Z");
        assertThat(rows.at("/0/o/a \"b\"/0").asText()).isEqualTo("2026-01-02T10:30:00.123456Z");
        assertThat(rows.at("/1/o/a \"b\"").toString()).isEqualTo("[]");
        assertThat(rows.at("/2/o").isNull()).isTrue();
    }

    @ParameterizedTest
    @Tag("all")
    @CsvSource({
        "EQUAL, 2026-01-02T10:30:00.000Z, 1",
        "EQUAL, 2026-01-02T12:30:00+02:00, 1",
        "EQUAL, 2026-01-02 10:30:00, 1",
        "GREATER, 2026-02-28, 1",
        "STARTS_WITH, 2026-01-02T10, 1"
    })
    void aFilterComparesTimestampsAsMoments(RowFilter.Operator operator, String value, int rows) throws Exception {
        String id = lake("csv", TABLE.getBytes(UTF_8));
        var filter = new RowFilter.Compare("at", operator, List.of(value), null);
        assertThat(Tenant.bean(LakeReader.class)
                        .read(tenant.organization(), id, filter, List.of(), 10, Map.of(), ReaderLimits.ofTask(LIMIT))
                        .rows())
                .hasSize(rows);
    }
}
