package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Tenant;
import dev.parley.id.OrganizationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of {@code src/test/resources/hostile}, each of which tries to escape, to explore the machine, to exhaust
 * resources, or to forge a result. One that succeeds returns {@code escaped}. Running all of them takes minutes ({@code
 * -Dparley.hostile=all}); every tenth runs in every build.
 */
class HostileCodeTest {
    private static final int AT_ONCE = 3;
    private static final int EVERY = 10;

    /** Includes the start, and waiting for the processor at the lowest priority. */
    private static final Duration MAX_DURATION = Duration.ofSeconds(90);

    private static final Map<String, Future<Ended>> RUNS = new LinkedHashMap<>();
    private static final Path TRACE = Path.of("/tmp/parley-escaped");

    private static Sandbox sandbox;
    private static ExecutorService threads;

    private record Ended(SandboxRun run, Duration took) {}

    @BeforeAll
    static void runAll() throws IOException {
        Files.deleteIfExists(TRACE);
        sandbox = TestSandbox.sandbox(Map.of());
        TestSandbox.awaitReady(sandbox);
        threads = Executors.newFixedThreadPool(AT_ONCE);
        for (CodeLanguage language : CodeLanguage.values()) {
            chosen(language)
                    .forEach((name, source) ->
                            RUNS.put(language.text() + ": " + name, threads.submit((Callable<Ended>) () -> {
                                long begun = System.nanoTime();
                                SandboxRun run = sandbox.run(TestSandbox.ORGANIZATION, language, source, "{}");
                                return new Ended(run, Duration.ofNanos(System.nanoTime() - begun));
                            })));
        }
    }

    @AfterAll
    static void close() {
        threads.shutdownNow();
        sandbox.close();
    }

    static List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        for (CodeLanguage language : CodeLanguage.values()) {
            chosen(language).keySet().forEach(name -> names.add(language.text() + ": " + name));
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("names")
    void isContained(String name) throws Exception {
        Ended ended = RUNS.get(name).get();
        SandboxRun run = ended.run();
        if (run.result() != null) {
            assertThat(run.result()).doesNotContain("escaped").startsWith("{");
        } else {
            assertThat(run.failure().title())
                    .isIn("Code error", "Time limit", "Memory limit", "Output limit", "Invalid output");
            assertThat(run.failure().detail())
                    .doesNotContain("dev.parley", "org.graalvm", "com.oracle", "/work", "PARLEY_")
                    .hasSizeLessThan(3_000);
        }
        assertThat(run.console().length()).isLessThanOrEqualTo(Sandbox.CONSOLE_BYTES);
        assertThat(ended.took()).isLessThan(MAX_DURATION);
        assertThat(TRACE).doesNotExist();
    }

    @Test
    void thereAreManyInBothLanguages() throws IOException {
        assertThat(programs(CodeLanguage.JAVASCRIPT)).hasSizeGreaterThanOrEqualTo(40);
        assertThat(programs(CodeLanguage.PYTHON)).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void harmlessCodeRunsDuringAndAfterThem() throws Exception {
        // Another organization does not wait for those loops.
        SandboxRun run =
                good(OrganizationId.next(), CodeLanguage.JAVASCRIPT, "function main() { return { good: true }; }");
        assertThat(run.result()).isEqualTo("{\"good\":true}");
        for (Future<Ended> one : RUNS.values()) {
            one.get();
        }
        Tenant.eventually(() -> sandbox.running(), running -> running == 0);
        assertThat(good(TestSandbox.ORGANIZATION, CodeLanguage.PYTHON, "def main(inputs): return {'good': True}")
                        .result())
                .isEqualTo("{\"good\": true}");
    }

    private static SandboxRun good(OrganizationId organization, CodeLanguage language, String source) throws Exception {
        return TestSandbox.run(sandbox, organization, language, source, "{}");
    }

    private static Map<String, String> chosen(CodeLanguage language) throws IOException {
        Map<String, String> all = programs(language);
        if ("all".equals(System.getProperty("parley.hostile"))) {
            return all;
        }
        Map<String, String> chosen = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, String> one : all.entrySet()) {
            if (number++ % EVERY == 0) {
                chosen.put(one.getKey(), one.getValue());
            }
        }
        return chosen;
    }

    private static Map<String, String> programs(CodeLanguage language) throws IOException {
        Map<String, String> programs = new LinkedHashMap<>();
        String all = Files.readString(Path.of("src/test/resources/hostile/" + language.text() + ".txt"));
        for (String part : all.split("(?m)^### ", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.split("\n", 2);
                programs.put(lines[0], lines[1]);
            }
        }
        return programs;
    }
}
