package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.Tenant;
import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import dev.parley.workflow.task.coder.sandbox.host.HostTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sandbox on machines that lack some programs. */
class SandboxIsolationTest {
    private static final String GOOD = "function main() { return { good: true }; }";

    @TempDir
    Path directory;

    @Test
    void strictRequiresBubblewrap() throws IOException {
        assertRefused(without("bwrap"), "there are only: locked interpreter, own process");
    }

    @Test
    void strictRequiresLimits() throws IOException {
        assertRefused(without("prlimit"), "which needs bubblewrap (bwrap) and prlimit");
    }

    private static void assertRefused(HostTools tools, String reason) {
        var strict = Map.of(Setting.PARLEY_CODER_SANDBOX, "strict");
        assertThatThrownBy(() -> TestSandbox.sandbox(strict, tools).close())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("PARLEY_CODER_SANDBOX")
                .hasMessageContaining(reason)
                .hasMessageMatching("[^\\n]*\\.");
    }

    @Test
    void strictStartsWhereEverythingIsThere() throws Exception {
        assumeTrue(works(HostTools.ofEnvironment()).contains("namespaces (bubblewrap)"), "no bubblewrap here");
        var strict = Map.of(Setting.PARLEY_CODER_SANDBOX, "strict");
        try (var sandbox = new Closing(TestSandbox.sandbox(strict))) {
            assertThat(sandbox.one.layers().orElseThrow()).contains("limits (prlimit)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap,unshare", "nice,setsid,setpriv,prlimit,bwrap,unshare"})
    void codeRunsAndIsStoppedWithAnyIsolation(String missing) throws Exception {
        var settings = Map.of(Setting.PARLEY_CODER_TIME_LIMIT, "1s", Setting.PARLEY_CODER_POOL, "0");
        try (var sandbox = new Closing(TestSandbox.sandbox(settings, without(missing.split(","))))) {
            assertThat(run(sandbox.one, GOOD).result()).isEqualTo("{\"good\":true}");
            SandboxRun loop = run(sandbox.one, "function main() { for (;;); }");
            assertThat(loop.failure().title()).isEqualTo("Time limit");
            assertThat(sandbox.one.running()).isZero();
        }
    }

    @Tag("all")
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "prlimit", "setsid", "setpriv", "nice"})
    void codeRunsAndIsStoppedWithoutOneProgram(String missing) throws Exception {
        codeRunsAndIsStoppedWithAnyIsolation(missing);
    }

    @Test
    void withoutBubblewrapUnshareCreatesNamespaces() throws Exception {
        assumeTrue(succeeds("setpriv", "--reuid=1900000000", "unshare", "--user", "--net", "true"), "no namespaces");
        assertThat(works(without("bwrap"))).contains("namespaces without files (unshare)", "limits (prlimit)");
    }

    /** The limit would count every thread of the service's user. */
    @Test
    void threadsAreUnlimitedWhereTheKernelWouldCountThoseOfOthers() throws Exception {
        assertThat(works(without("bwrap", "unshare", "setpriv")))
                .contains("limits without threads (prlimit)")
                .doesNotContain("own user");
    }

    /** Other programs have more threads of the user {@code nobody} than one child may have. */
    @Tag("all")
    @Test
    void threadsOfOthersDoNotCountAgainstCode() throws Exception {
        assumeTrue(succeeds("setpriv", "--reuid=65534", "true"), "not root");
        int runs = 16;
        var settings = Map.of(
                Setting.PARLEY_CODER_TIME_LIMIT, "60s",
                // One organization gets half of the permits.
                Setting.PARLEY_CODER_PARALLEL, Integer.toString(2 * runs),
                Setting.PARLEY_CODER_POOL, "0");
        Process crowd = crowdOfNobody();
        try (var sandbox = new Closing(TestSandbox.sandbox(settings, without("bwrap", "unshare")));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ends = new ArrayList<Future<SandboxRun>>();
            for (int i = 0; i < runs; i++) {
                ends.add(threads.submit(() -> run(sandbox.one, GOOD)));
            }
            for (Future<SandboxRun> end : ends) {
                assertThat(end.get().result()).isEqualTo("{\"good\":true}");
            }
            assertThat(sandbox.one.layers().orElseThrow()).contains("own user", "limits (prlimit)");
        } finally {
            crowd.descendants().forEach(ProcessHandle::destroyForcibly);
            crowd.destroyForcibly();
        }
    }

    private static Process crowdOfNobody() throws IOException {
        String sleepers = "for i in $(seq 150); do sleep 600 & done; wait";
        Process crowd = new ProcessBuilder("setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", sleepers).start();
        var _ = Tenant.eventually(() -> crowd.descendants().count(), count -> count >= 150);
        return crowd;
    }

    /** At each of these limits the system refuses a thread at another point in the life of a child, or none. */
    @Tag("all")
    @ParameterizedTest
    @CsvSource({"13, JAVASCRIPT", "15, JAVASCRIPT", "16, JAVASCRIPT", "18, PYTHON"})
    void aRefusedThreadIsNeverTheFaultOfTheCode(int threads, CodeLanguage language) throws Exception {
        assumeTrue(succeeds("setpriv", "--reuid=65534", "true"), "not root");
        HostTools tools = withPrlimit("""
                #!/bin/bash
                exec /usr/bin/prlimit "${@/--nproc=128/--nproc=%d}"
                """.formatted(threads));
        var settings = Map.of(Setting.PARLEY_CODER_TIME_LIMIT, "60s", Setting.PARLEY_CODER_POOL, "0");
        String source = language == CodeLanguage.PYTHON ? "def main(inputs):\n  return {'good': True}" : GOOD;
        try (var sandbox = new Closing(TestSandbox.sandbox(settings, tools))) {
            SandboxRun run = sandbox.one.run(TestSandbox.ORGANIZATION, language, source, "{}");
            assertThat(run.failure()).isNull();
        } catch (SandboxUnavailable e) {
            assertThat(e.detail())
                    .isIn("The sandbox could not be started.", "The machine has no threads left for the sandbox.");
        }
    }

    /** A dry run, which a client waits for; a task would wait for minutes. */
    @Test
    void codeWhoseInterpreterDoesNotStartInTimeIsNotRun() throws Exception {
        HostTools tools = withPrlimit("""
                #!/bin/bash
                case "$*" in *" run js "*) exec sleep 600;; esac
                exec /usr/bin/prlimit "$@"
                """);
        try (var sandbox = new Closing(TestSandbox.sandbox(Map.of(), tools))) {
            assertThatThrownBy(() -> sandbox.one.run(
                            TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, GOOD, "{}", Duration.ofSeconds(1)))
                    .isInstanceOf(SandboxUnavailable.class)
                    .hasMessage("The sandbox is busy with other code.");
            assertThat(sandbox.one.running()).isZero();
        }
    }

    private HostTools withPrlimit(String script) throws IOException {
        HostTools tools = without("bwrap", "prlimit");
        Path prlimit = tools.directories().getFirst().resolve("prlimit");
        Files.writeString(prlimit, script);
        Files.setPosixFilePermissions(prlimit, PosixFilePermissions.fromString("rwxr-xr-x"));
        return tools;
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException _) {
            return false; // The program is not installed.
        }
    }

    private static SandboxRun run(Sandbox sandbox, String source) throws InterruptedException, SandboxUnavailable {
        return sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{}");
    }

    /** The isolation with these programs. */
    private static List<String> works(HostTools tools) {
        try (var sandbox = new Closing(TestSandbox.sandbox(Map.of(), tools))) {
            return Tenant.eventually(sandbox.one::layers, Optional::isPresent).orElseThrow();
        }
    }

    private HostTools without(String... missing) throws IOException {
        return TestSandbox.programsExcept(directory, missing);
    }

    private record Closing(Sandbox one) implements AutoCloseable {
        @Override
        public void close() {
            one.close();
        }
    }
}
