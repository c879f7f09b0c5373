package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Log lines contain their request and organization on every kind of thread. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LogFieldsTest {
    private record Line(String message, Map<String, String> fields) {}

    @ParameterizedTest
    @CsvSource({"/virtual, from a virtual thread", "/loop, from the event loop"})
    void aLineNamesItsRequestAndOrganization(String path, String message) {
        Tenant tenant = Tenant.create();
        List<Line> lines = linesOf(() -> {
            for (int i = 0; i < 20; i++) {
                new Api()
                        .get("/developer/api/log-probe" + path)
                        .key(tenant.key())
                        .header("X-Request-Id", "request-" + i)
                        .send()
                        .expect(200);
            }
        });
        for (int i = 0; i < 20; i++) {
            assertThat(lines)
                    .contains(new Line(
                            message,
                            Map.of(
                                    "requestId",
                                    "request-" + i,
                                    "organizationId",
                                    tenant.organization().text())));
        }
    }

    private static List<Line> linesOf(Runnable work) {
        List<Line> lines = new CopyOnWriteArrayList<>();
        Logger root = LogManager.getLogManager().getLogger("");
        var handler = new ExtHandler() {
            @Override
            protected void doPublish(ExtLogRecord line) {
                lines.add(new Line(String.valueOf(line.getMessage()), Map.copyOf(line.getMdcCopy())));
            }

            @Override
            public boolean isLoggable(LogRecord line) {
                return true;
            }
        };
        root.addHandler(handler);
        try {
            work.run();
        } finally {
            root.removeHandler(handler);
        }
        return lines;
    }
}
