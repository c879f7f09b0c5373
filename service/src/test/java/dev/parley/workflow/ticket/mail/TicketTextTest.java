package dev.parley.workflow.ticket.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TicketTextTest {
    @Test
    void aPreviewHasTheValuesOfListsAndObjectsWithoutJson() {
        Map<String, Object> line = Map.of("article", "A-1005");
        assertThat(TicketText.preview(Map.of("order_lines", List.of(line, Map.of("quantity", 12_000)))))
                .isEqualTo("order_lines: A-1005, 12000");
        assertThat(TicketText.preview(Map.of("scans", List.of("s3://files/acme/scan_7.pdf", "s3://files/b.pdf"))))
                .isEqualTo("scans: scan_7.pdf, b.pdf");
    }

    @Test
    void aPreviewHasReadableDatetimesInUtc() {
        assertThat(TicketText.preview(Map.of("due", "2026-12-18T00:00:00.000Z")))
                .isEqualTo("due: 18 Dec 2026, 00:00 UTC");
        assertThat(TicketText.preview(Map.of("days", List.of("2026-09-01T23:59:00.000Z"))))
                .isEqualTo("days: 1 Sep 2026, 23:59 UTC");
        for (String text : List.of("2026-12-18", "on 2026-12-18T00:00:00.000Z", "2026-02-31T00:00:00.000Z")) {
            assertThat(TicketText.preview(Map.of("text", text))).isEqualTo("text: " + text);
        }
    }

    @Test
    void inputsOfMailsHaveTheLabelsOfTheDashboard() {
        Map<String, Object> inputs = new LinkedHashMap<>();
        inputs.put("unit_price", 12.5);
        inputs.put("vat_id", "DE 1");
        inputs.put("none", null);
        inputs.put("_", List.of("s3://files/acme/scan_7.pdf"));
        assertThat(TicketText.labelled(inputs).toString()).isEqualTo("{Unit price=12.5, VAT ID=DE 1, _=scan_7.pdf}");
    }
}
