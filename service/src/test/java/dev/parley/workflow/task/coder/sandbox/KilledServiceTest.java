package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Tenant;
import dev.parley.settings.Setting;
import dev.parley.workflow.task.coder.sandbox.host.HostTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The children of a service that is killed, in every part of their lives. */
class KilledServiceTest {
    private static final String CHILD = "SandboxChild run";

    /** In whose command a stopped child is found, in its files too. */
    @TempDir
    Path directory;

    private Process service;

    @AfterEach
    void endEverything() {
        if (service != null) {
            service.destroyForcibly();
        }
        children("").forEach(ProcessHandle::destroyForcibly);
    }

    /** A stopped process is one that gets no CPU time before the service is killed. */
    @ParameterizedTest
    @CsvSource({"JAVASCRIPT, SandboxChild run"})
    void aChildInItsStartEndsWithTheService(CodeLanguage language, String stage) throws Exception {
        killServiceWhenStopped(HostTools.ofEnvironment(), language, stage);
        assertAllEnd();
    }

    @Tag("all")
    @ParameterizedTest
    @CsvSource({
        "JAVASCRIPT, AOTMode=record",
        "JAVASCRIPT, AOTMode=create",
        "PYTHON, SandboxChild unpack",
        "PYTHON, SandboxChild run"
    })
    void aChildInItsStartEndsWithTheServiceToo(CodeLanguage language, String stage) throws Exception {
        aChildInItsStartEndsWithTheService(language, stage);
    }

    /** Without these programs the kernel kills no child, and a stopped one does not notice the end of its input. */
    @Test
    void theNextServiceEndsChildrenThatSurvived() throws Exception {
        HostTools tools = TestSandbox.programsExcept(directory, "bwrap", "unshare", "setpriv");
        killServiceWhenStopped(tools, CodeLanguage.JAVASCRIPT, CHILD);
        assertThat(children(CHILD)).isNotEmpty();
        Sandbox other = TestSandbox.sandbox(Map.of());
        other.close();
        assertThat(children(CHILD)).as("that of another data directory").isNotEmpty();
        Sandbox next = TestSandbox.sandbox(settings(directory));
        try {
            assertAllEnd();
        } finally {
            next.close();
        }
    }

    /** The end of its input is all that it notices. */
    @Test
    void runningCodeEndsWithTheService() throws Exception {
        HostTools tools = TestSandbox.programsExcept(directory, "bwrap", "unshare", "setpriv");
        start(tools, CodeLanguage.JAVASCRIPT);
        Tenant.eventually(
                () -> children(CHILD).stream()
                        .filter(KilledServiceTest::isLooping)
                        .count(),
                looping -> looping > 0);
        service.destroyForcibly();
        assertAllEnd();
    }

    private static boolean isLooping(ProcessHandle child) {
        return child.info()
                .totalCpuDuration()
                .map(used -> used.toSeconds() >= 2)
                .orElse(false);
    }

    private void assertAllEnd() {
        Tenant.eventually(() -> children(""), List::isEmpty);
    }

    private void start(HostTools tools, CodeLanguage language) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Service.class.getName(),
                        directory.toString(),
                        language.name())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .put(
                        "PATH",
                        String.join(
                                ":",
                                tools.directories().stream().map(Path::toString).toList()));
        service = builder.start();
    }

    private void killServiceWhenStopped(HostTools tools, CodeLanguage language, String stage) throws Exception {
        start(tools, language);
        // Before that, the programs around the child have not yet told the kernel to kill it.
        Optional<ProcessHandle> stopped = Tenant.eventually(
                () -> children(stage).stream()
                        .filter(child -> command(child).split(" ", 2)[0].endsWith("/bin/java"))
                        .findFirst(),
                Optional::isPresent);
        // The sandbox may be starting the next child, which this test must not stop so early.
        while (stopped.isPresent() && children("").contains(stopped.get())) {
            new ProcessBuilder("kill", "-STOP", Long.toString(stopped.get().pid()))
                    .start()
                    .waitFor();
            stopped = stopped.get().parent();
        }
        service.destroyForcibly();
        assertThat(service.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    private static Map<Setting, String> settings(Path directory) {
        return Map.of(Setting.PARLEY_DATA, directory.resolve("data").toString());
    }

    /** The processes that have the service's data directory in their command. */
    private List<ProcessHandle> children(String stage) {
        return ProcessHandle.allProcesses()
                .filter(process -> service == null || process.pid() != service.pid())
                .filter(process -> {
                    String command = command(process);
                    return command.contains(directory.resolve("data").toString()) && command.contains(stage);
                })
                .toList();
    }

    private static String command(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid(), "cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException _) {
            return ""; // It has ended.
        }
    }

    /** A service that runs endless code in a new data directory. */
    static final class Service {
        public static void main(String[] args) throws Exception {
            CodeLanguage language = CodeLanguage.valueOf(args[1]);
            Sandbox sandbox = TestSandbox.sandbox(Map.of(
                    Setting.PARLEY_DATA,
                    Path.of(args[0], "data").toString(),
                    Setting.PARLEY_CODER_TIME_LIMIT,
                    "10m",
                    Setting.PARLEY_CODER_POOL,
                    "1")); // Only a pool has a class cache.
            sandbox.expect(language);
            var _ = sandbox.run(
                    TestSandbox.ORGANIZATION,
                    language,
                    language == CodeLanguage.PYTHON
                            ? "def main(inputs):\n  while True: pass"
                            : "function main() { for (;;); }",
                    "{}");
        }
    }
}
