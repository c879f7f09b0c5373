package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Tenant;
import dev.parley.id.OrganizationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of {@code src/test/resources/hostile}, each of which tries to escape, to explore the machine, to exhaust
 * resources, or to forge a result. One that succeeds returns {@code escaped}.
 */
class HostileCodeTest {
    private static final int EVERY = 10;
    private static final Path TRACE = Path.of("/tmp/parley-escaped");
    private static final Sandbox SANDBOX = TestSandbox.shared();

    @BeforeAll
    static void deleteTrace() throws IOException {
        Files.deleteIfExists(TRACE);
    }

    static Stream<Arguments> everyTenth() throws IOException {
        return programs(index -> index % EVERY == 0);
    }

    static Stream<Arguments> theOthers() throws IOException {
        return programs(index -> index % EVERY != 0);
    }

    private static Stream<Arguments> programs(IntPredicate chosen) throws IOException {
        List<Arguments> tools = new ArrayList<>();
        for (CodeLanguage language : CodeLanguage.values()) {
            int index = 0;
            for (Map.Entry<String, String> one : programs(language).entrySet()) {
                if (chosen.test(index++)) {
                    tools.add(Arguments.of(language, Named.of(one.getKey(), one.getValue())));
                }
            }
        }
        return tools.stream();
    }

    @ParameterizedTest
    @MethodSource("everyTenth")
    void isContained(CodeLanguage language, String source) throws Exception {
        SandboxRun run = SANDBOX.run(TestSandbox.ORGANIZATION, language, source, "{}");
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
        assertThat(TRACE).doesNotExist();
    }

    @Tag("all")
    @ParameterizedTest
    @MethodSource("theOthers")
    void isContainedToo(CodeLanguage language, String source) throws Exception {
        isContained(language, source);
    }

    @Test
    void thereAreManyInBothLanguages() throws IOException {
        assertThat(programs(CodeLanguage.JAVASCRIPT)).hasSizeGreaterThanOrEqualTo(40);
        assertThat(programs(CodeLanguage.PYTHON)).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void harmlessCodeOfAnotherOrganizationRunsBesideLoops() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                var _ = threads.submit(() -> run(TestSandbox.ORGANIZATION, "function main() { for (;;); }"));
            }
            // Half of the five places.
            Tenant.eventually(SANDBOX::running, running -> running == 2);
            assertThat(run(OrganizationId.next(), "function main() { return { good: true }; }")
                            .result())
                    .isEqualTo("{\"good\":true}");
            threads.shutdownNow();
        }
        Tenant.eventually(SANDBOX::running, running -> running == 0);
    }

    private static SandboxRun run(OrganizationId organization, String source) throws Exception {
        return SANDBOX.run(organization, CodeLanguage.JAVASCRIPT, source, "{}");
    }

    private static Map<String, String> programs(CodeLanguage language) throws IOException {
        Map<String, String> tools = new LinkedHashMap<>();
        String all = Files.readString(Path.of("src/test/resources/hostile/" + language.text() + ".txt"));
        for (String part : all.split("(?m)^### ", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.split("\n", 2);
                tools.put(lines[0], lines[1]);
            }
        }
        return tools;
    }
}
