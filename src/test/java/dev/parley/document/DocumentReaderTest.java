package dev.parley.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.TestSize;
import dev.parley.disk.TempFiles;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers leave no files on the disk, and the table engine is stored once. */
class DocumentReaderTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    @TempDir
    private Path work;

    private DocumentReader reader;
    private Set<Path> before;

    @BeforeEach
    void start() throws IOException {
        reader = new DocumentReader(
                new TempFiles(Settings.of(Map.of(Setting.PARLEY_DATA, data.toString()))
                        .storage()),
                TestSize.SMALLEST);
        before = temporary();
    }

    /** At each of these limits the system refuses a thread to another part of the JVM. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void aRefusedThreadIsNotTheFaultOfTheFile(int threads) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=1900000001", "prlimit", "--nproc=" + threads));
        command.addAll(DocumentReaderInstallation.command(64, 60, false, work));
        command.addAll(List.of("pdf", work.resolve("missing.pdf").toString(), "1", "1"));
        assumeTrue(canRun("setpriv", "--reuid=1900000001", "prlimit", "--nproc=2", "true"), "not root");

        Process process = new ProcessBuilder(command)
                .redirectError(work.resolve("stderr").toFile())
                .start();
        byte[] said = process.getInputStream().readAllBytes();

        assertThat(DocumentReader.refused(process.waitFor(), said, Files.readAllBytes(work.resolve("stderr"))))
                .hasMessage("The machine has no threads left to read the file.")
                .matches(DocumentException::isTransient);
    }

    private static boolean canRun(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException _) {
            return false; // The program is not installed.
        }
    }

    @Test
    void anImportLeavesNothing() throws Exception {
        assertThat(imported()).exists();
        assertNothingIsLeft();
    }

    @Test
    void aQueryLeavesNothing() throws Exception {
        Path table = imported();
        assertThat(reader.rows(table, "SELECT to_json({'a': a}) FROM lake", List.of(), 1_000, LONG))
                .containsExactly("{\"a\":1}", "{\"a\":2}");
        assertNothingIsLeft();
    }

    @Test
    void oneThatIsKilledLeavesNothing() throws Exception {
        Path table = imported();
        assertThatThrownBy(() -> reader.rows(
                        table,
                        "SELECT sum(hash(r.range))::VARCHAR FROM range(100000000000) r, lake",
                        List.of(),
                        1_000,
                        Duration.ofSeconds(3)))
                .isInstanceOf(DocumentException.class)
                .hasMessage("Reading the file took too long.");
        assertNothingIsLeft();
    }

    /** A reader with the library on its class path would unpack it each time. */
    @Test
    void theEngineIsUnpackedOnceByTheBuild() throws Exception {
        Path home = Path.of("target", "reader");
        try (Stream<Path> files = Files.walk(home)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("libduckdb")))
                    .containsExactlyInAnyOrder(
                            home.resolve("native/amd64/libduckdb_java.so"),
                            home.resolve("native/arm64/libduckdb_java.so"));
        }
        try (Stream<Path> jars = Files.list(home)) {
            assertThat(jars).noneMatch(file -> file.getFileName().toString().startsWith("duckdb"));
        }
    }

    private Path imported() throws Exception {
        Files.writeString(work.resolve("0.csv"), "a,b\n1,x\n2,y\n");
        Path table = work.resolve("table");
        reader.convert(work, List.of(""), "csv", table, LONG);
        return table;
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .containsExactly("leases");
        }
        try (Stream<Path> files = Files.walk(data)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("reader"));
        }
        assertThat(temporary()).isEqualTo(before);
    }

    private static Set<Path> temporary() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("libduckdb"))
                    .collect(Collectors.toSet());
        }
    }
}
