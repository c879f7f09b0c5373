package dev.parley.workflow.ticket;

import static org.assertj.core.api.Assertions.assertThat;

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
}
