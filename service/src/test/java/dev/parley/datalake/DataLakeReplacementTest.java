package dev.parley.datalake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A new file for a data lake is read with the choices of the last import. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class DataLakeReplacementTest {
    private final Tenant tenant = Tenant.create();
    private final Api owner = tenant.browser();
    private final String lake = lake();

    private String lake() {
        String lakes = "/dashboard/api/organizations/" + tenant.organization() + "/data-lakes";
        String uri = TestFiles.sent(tenant, "t.csv", "text/csv", TestFiles.CSV).text("/metadata/file/uri");
        return lakes + "/"
                + owner.post(lakes)
                        .json(Map.of("name", "Table", "format", "csv", "file_url", uri))
                        .send()
                        .expect(201)
                        .text("/data_lake/id");
    }

    private Api.Answer replaced(String format, byte[] bytes, Map<String, Object> options) {
        TestFiles.put(
                owner.post(lake + "/replace/upload")
                        .json(Map.of("format", format))
                        .send()
                        .expect(200),
                bytes);
        return again(format, options);
    }

    /** Replaces the rows by the file that was uploaded before. */
    private Api.Answer again(String format, Map<String, Object> options) {
        Map<String, Object> body = new HashMap<>(options);
        body.put("format", format);
        return owner.post(lake + "/replace").json(body).send();
    }

    private static byte[] csv(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] workbook(String... sheets) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (Workbook book = new Workbook(bytes, "Test", "1.0")) {
            for (String name : sheets) {
                Worksheet sheet = book.newWorksheet(name);
                if (!name.equals("Empty")) {
                    sheet.value(0, 0, "id of " + name);
                    sheet.value(1, 0, 7);
                }
            }
        }
        return bytes.toByteArray();
    }

    @Test
    @Tag("all")
    void newFileHasTheTypesThatWereChosenBefore() {
        Map<String, String> types = Map.of("day", "date_month_first", "price", "number_comma");
        replaced("csv", csv("day,price\n03/04/2026,\"1,5\"\n"), Map.of("types", types))
                .expect(200);

        JsonNode next = replaced("csv", csv("price,day\n\"2,5\",05/06/2026\n"), Map.of())
                .expect(200)
                .json();
        assertThat(next.path("columns").findValuesAsText("chosen")).containsExactly("number_comma", "date_month_first");
        assertThat(owner.get(lake + "/rows").send().json().path("rows").toString())
                .isEqualTo("[{\"price\":2.5,\"day\":\"2026-05-06\"}]");
    }

    @Test
    void newFileThatDoesNotAllowTheTypesIsRefusedAndStaysForOthers() {
        Map<String, String> types = Map.of("day", "date_month_first", "price", "number_comma");
        replaced("csv", csv("day,price\n03/04/2026,\"1,5\"\n"), Map.of("types", types))
                .expect(200);

        assertThat(replaced("csv", csv("day,price\n03/04/2026,1.5\n"), Map.of())
                        .expect(400)
                        .text("/detail"))
                .startsWith("Line 2: '1.5' in the column 'price' is not a number with a decimal comma");
        assertThat(owner.get(lake + "/rows").send().json().at("/rows/0/price").asDouble())
                .isEqualTo(1.5);
        again("csv", Map.of("types", Map.of("day", "date_month_first"))).expect(200);
        assertThat(replaced("csv", csv("price\n1.5\n"), Map.of()).expect(400).text("/detail"))
                .isEqualTo("A type was chosen for the column 'day', which the table does not have.");
        JsonNode none = again("csv", Map.of("types", Map.of())).expect(200).json();
        assertThat(none.path("columns").findValuesAsText("chosen")).containsExactly("null");
    }

    @Test
    @Tag("all")
    void refusedWorkbookHasItsSheetsAndTheChosenOneIsKept() throws Exception {
        Api.Answer refused =
                replaced("xlsx", workbook("Empty", "Orders"), Map.of()).expect(400);
        assertThat(refused.text("/detail")).isEqualTo("The sheet is empty: it has no header row.");
        assertThat(refused.json().path("sheets").toString()).isEqualTo("[\"Empty\",\"Orders\"]");
        Map<String, Object> sheet = Map.of("sheet", "Orders");
        replaced("xlsx", workbook("Empty", "Orders"), sheet).expect(200);

        JsonNode next = replaced("xlsx", workbook("Other", "Orders"), Map.of())
                .expect(200)
                .json();
        assertThat(next.path("sheet").asText()).isEqualTo("Orders");
        assertThat(next.at("/columns/0/name").asText()).isEqualTo("id of Orders");
        refused = replaced("xlsx", workbook("Other", "More"), Map.of()).expect(400);
        assertThat(refused.text("/detail")).startsWith("The workbook has no sheet 'Orders'.");
        assertThat(refused.json().path("sheets").toString()).isEqualTo("[\"Other\",\"More\"]");
        replaced("csv", csv("id\n1\n"), Map.of()).expect(200);
    }
}
