package dev.parley.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.parley.egress.EgressRequest;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without an endpoint, tracing costs no memory and loads nothing of OpenTelemetry's SDK. */
class TracingOffTest {
    /** Enough for what the JVM itself allocates for the thread, and far less than one object for each round. */
    private static final int NOISE_BYTES = 50_000;

    private static final int ROUNDS = 100_000;

    @TempDir
    Path directory;

    @Test
    void spansAreNotAllocated() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        rounds();
        long before = threads.getCurrentThreadAllocatedBytes();
        rounds();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(NOISE_BYTES);
    }

    private static void rounds() {
        EgressRequest request = EgressRequest.get("http://127.0.0.1/");
        for (int i = 0; i < ROUNDS; i++) {
            try (TraceSpan span = Tracing.client("chat", "model");
                    TraceSpan inner = Tracing.consumer("process message", span.context())) {
                inner.set(SpanAttributes.TASK, "task").set(SpanAttributes.TASK_ATTEMPT, i);
                assertNothing(Tracing.context(), Tracing.beginRun(Instant.EPOCH));
            }
            if (!request.withTraceContext().headers().isEmpty()) {
                throw new AssertionError("changed");
            }
        }
    }

    private static void assertNothing(String context, String run) {
        if (context != null || run != null) {
            throw new AssertionError("a context");
        }
    }

    /** A program of its own, because tests load the SDK. */
    public static final class Program {
        public static void main(String[] args) {
            Tracing.start();
            rounds();
            Tracing.stop();
        }
    }

    @Test
    void theSdkIsNotLoaded() throws IOException, InterruptedException {
        Path loaded = directory.resolve("classes");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + loaded,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .inheritIO()
                .start();
        assertThat(program.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(program.exitValue()).isZero();

        assertThat(Files.readString(loaded))
                .contains("dev.parley.trace.Tracing ")
                .doesNotContain("io.opentelemetry.");
    }

    @ParameterizedTest
    @CsvSource({
        "otel.exporter.otlp.protocol, grpc, must be http/protobuf",
        "otel.exporter.otlp.headers, a secret, variables are invalid",
        "otel.traces.sampler, sometimes, variables are invalid"
    })
    void invalidVariablesAreNamed(String property, String value, String message) {
        assertThatThrownBy(() ->
                        Tracing.start(Map.of("otel.exporter.otlp.endpoint", "http://127.0.0.1:1", property, value)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("a secret");
        assertThat(Tracing.isOn()).isFalse();
    }
}
