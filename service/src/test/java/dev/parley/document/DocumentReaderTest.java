package dev.parley.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.TestSize;
import dev.parley.disk.MarkedProcesses;
import dev.parley.disk.TempFiles;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers leave no files on the disk, and the table engine is stored once. */
class DocumentReaderTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ReaderLimits LIMITS = ReaderLimits.ofTask(LONG);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final OrganizationId ORGANIZATION = OrganizationId.next();

    /** Not deleted, because the sweep of old files may still run in the background. */
    @TempDir(cleanup = CleanupMode.NEVER)
    private Path data;

    @TempDir(cleanup = CleanupMode.NEVER)
    private Path work;

    private DocumentReader reader;

    @BeforeEach
    void start() {
        reader = new DocumentReader(tempFiles(data), TestSize.SMALLEST);
    }

    /** Sweeps the directory in the background. */
    private static TempFiles tempFiles(Path data) {
        return new TempFiles(
                Settings.of(Map.of(Setting.PARLEY_DATA, data.toString())).storage());
    }

    /** At each of these limits the system refuses a thread to another part of the JVM. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void aRefusedThreadIsNotTheFaultOfTheFile(int threads) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=1900000001", "prlimit", "--nproc=" + threads));
        command.addAll(DocumentReaderInstallation.command(64, LONG, ReaderJars.PARSERS, work));
        command.addAll(List.of("pdf", work.resolve("missing.pdf").toString(), "1", "1"));
        assumeTrue(canRun("setpriv", "--reuid=1900000001", "prlimit", "--nproc=2", "true"), "not root");

        Process process = new ProcessBuilder(command)
                .redirectError(work.resolve("stderr").toFile())
                .start();
        byte[] said = process.getInputStream().readAllBytes();

        assertThat(DocumentReader.refused(process.waitFor(), said, Files.readAllBytes(work.resolve("stderr")), "x"))
                .hasMessage("The machine has too little memory, disk space or threads left.")
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
        assertThat(reader.rows(ORGANIZATION, table, "SELECT to_json({'a': a}) FROM lake", List.of(), 1_000, LIMITS))
                .containsExactly("{\"a\":1}", "{\"a\":2}");
        assertNothingIsLeft();
    }

    @Test
    void oneThatIsKilledLeavesNothing() throws Exception {
        Path table = imported();
        assertThatThrownBy(() -> reader.rows(
                        ORGANIZATION,
                        table,
                        "SELECT sum(hash(r.range))::VARCHAR FROM range(100000000000) r, lake",
                        List.of(),
                        1_000,
                        ReaderLimits.ofTask(Duration.ofSeconds(3))))
                .isInstanceOf(DocumentException.class)
                .hasMessage("Reading the file took too long.");
        assertNothingIsLeft();
    }

    /** The layout takes longer than in proportion to the length of a word, a line or a row. */
    @ParameterizedTest
    @ValueSource(strings = {"<", "a", "*a "})
    void slowTextEndsWithASentenceWhenItsCpuTimeIsUsed(String part) {
        assertThatThrownBy(() -> reader.render(ORGANIZATION, RenderedFormat.PDF, "t", part.repeat(400_000), SHORT))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("Rendering the text took too long.")
                .matches(e -> !((DocumentException) e).isTransient());
    }

    /** Its pages share a stream of 50 MB. */
    @ParameterizedTest
    @Tag("all")
    @ValueSource(
            strings = {"q Q\n", "BT /F1 1 Tf 1 0 0 1 9 9 Tm (x) Tj ET\n", "1 2 m 3 4 l S\n", "BT /F1 1 Tf <78> Tj ET "})
    void longPdfIsReadInPart(String content) throws Exception {
        Path file = work.resolve("long.pdf");
        try (var document = new PDDocument()) {
            byte[] bytes = content.repeat(50_000_000 / content.length()).getBytes(UTF_8);
            var stream = new PDStream(document, new ByteArrayInputStream(bytes), COSName.FLATE_DECODE);
            var resources = new PDResources();
            resources.put(COSName.getPDFName("F1"), new PDType1Font(Standard14Fonts.FontName.HELVETICA));
            for (int i = 0; i < 200; i++) {
                var page = new PDPage();
                page.setContents(stream);
                page.setResources(resources);
                document.addPage(page);
            }
            document.save(file.toFile());
        }

        DocumentReader.DocumentText read = reader.pdf(ORGANIZATION, file, 60, 60_000, Duration.ofSeconds(6));
        assertThat(read.cpuTime()).isBetween(Duration.ofMillis(200), Duration.ofSeconds(6));
        assertThat(read.text()).startsWith("[Page 1 of 200]").endsWith("[The rest is omitted.]\n");
    }

    @Test
    void oneOrganizationDoesNotOccupyAllReaders() throws Exception {
        String slow = "a".repeat(400_000);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> running = Stream.generate(() -> threads.submit(
                            () -> reader.render(ORGANIZATION, RenderedFormat.PDF, "t", slow, Duration.ofSeconds(4))))
                    .limit(5)
                    .toList();
            byte[] other = reader.render(OrganizationId.next(), RenderedFormat.PDF, "t", "words", LONG);

            assertThat(other).startsWith('%', 'P', 'D', 'F');
            assertThat(running).filteredOn(Future::isDone).hasSizeLessThan(3);
            running.forEach(task -> task.cancel(true));
        }
    }

    @Test
    void readerExitsWithItsService() throws Exception {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", "exec 3<&0; \"$@\" <&3 >/dev/null 2>&1 & echo $!", "sh"));
        command.addAll(DocumentReaderInstallation.command(64, LONG, ReaderJars.RENDERERS, work));
        command.addAll(List.of("render", "HTML"));
        Process service = new ProcessBuilder(command).start();
        // The reader waits for its input, which is never written.
        try (OutputStream input = service.getOutputStream()) {
            long pid = Long.parseLong(service.inputReader().readLine());
            ProcessHandle.of(pid)
                    .ifPresent(reader ->
                            reader.onExit().orTimeout(2, TimeUnit.MINUTES).join());
            input.flush();
        }
    }

    /** Another container may use the same path for another directory. */
    @Test
    void hangingReadersOfKilledServicesAreKilledAndOthersAreNot() throws Exception {
        Process orphan = waiting(Files.createDirectories(work.resolve("killed/scratch/0badcafe")));
        Process other = waiting(Files.createDirectories(work.resolve("other/scratch/0badcafe")));
        var _ = tempFiles(work.resolve("killed"));
        assertThat(orphan.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(other.isAlive()).isTrue();
        other.destroyForcibly();
    }

    private Process waiting(Path directory) throws IOException {
        String temp = "-Djava.io.tmpdir=" + data.resolve("scratch/0badcafe/reader1");
        return new ProcessBuilder(
                        "sh",
                        "-c",
                        "read line; true",
                        "sh",
                        temp,
                        "-Dparley.parent=1",
                        MarkedProcesses.marker(directory))
                .start();
    }

    @Test
    void importsOfSeveralOrganizationsLeaveAReaderToOthers() throws Exception {
        // The engine waits for a writer of the pipe.
        assertThat(new ProcessBuilder("mkfifo", work.resolve("0.csv").toString())
                        .start()
                        .waitFor())
                .isZero();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> imports = Stream.generate(() -> threads.submit(() -> reader.convert(
                            OrganizationId.next(),
                            work,
                            List.of(""),
                            "csv",
                            TableOptions.DEFAULT,
                            work.resolve("table"),
                            LONG)))
                    .limit(3)
                    .toList();
            for (int i = 0; i < 3; i++) {
                assertThat(reader.render(ORGANIZATION, RenderedFormat.HTML, "t", "words", LONG))
                        .isNotEmpty();
            }
            assertThat(imports).noneMatch(Future::isDone);
            imports.forEach(task -> task.cancel(true));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "137, '', true",
        "143, '', true",
        "9, '', true",
        "1, Could not reserve enough space for 262144KB object heap, true",
        "1, # There is insufficient memory for the Java Runtime Environment to continue., true",
        "1, # A fatal error has been detected by the Java Runtime Environment: SIGBUS (0x7), true",
        "1, # A fatal error has been detected by the Java Runtime Environment: SIGSEGV (0xb), false",
        "3, java.lang.OutOfMemoryError: Java heap space, false",
        "3, java.lang.OutOfMemoryError: unable to create native thread, true",
        "134, terminate called, false",
        "7, a sentence that long warnings cut off, false",
        "8, java.lang.NullPointerException, false"
    })
    void exitThatTheDocumentDidNotCauseIsTransient(int exit, String report, boolean isTransient) {
        assertThat(DocumentReader.refused(exit, report.getBytes(UTF_8), new byte[0], "x"))
                .matches(e -> e.isTransient() == isTransient);
    }

    @Test
    void tasksWaitLongForABusyMachineAndRequestsDoNot() {
        ReaderLimits task = ReaderLimits.ofTask(Duration.ofSeconds(30));
        assertThat(task.wallTime()).isEqualTo(Duration.ofMinutes(5));
        assertThat(ReaderLimits.ofTask(Duration.ofSeconds(60)).wallTime()).isEqualTo(Duration.ofMinutes(10));
        ReaderLimits request = ReaderLimits.ofRequest(Duration.ofSeconds(25));
        assertThat(request.permitTime().plus(request.wallTime())).isEqualTo(Duration.ofSeconds(100));
    }

    /** A reader with the library on its class path would unpack it each time. */
    @Test
    void theEngineIsUnpackedOnceByTheBuild() throws Exception {
        Path home = Path.of("../reader/target/program");
        try (Stream<Path> files = Files.walk(home)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("libduckdb")))
                    .containsExactlyInAnyOrder(
                            home.resolve("engine/native/amd64/libduckdb_java.so"),
                            home.resolve("engine/native/arm64/libduckdb_java.so"));
        }
        try (Stream<Path> jars = Files.list(home)) {
            assertThat(jars).noneMatch(file -> file.getFileName().toString().startsWith("duckdb"));
        }
    }

    private Path imported() throws Exception {
        Files.writeString(work.resolve("0.csv"), "a,b\n1,x\n2,y\n");
        Path table = work.resolve("table");
        reader.convert(ORGANIZATION, work, List.of(""), "csv", TableOptions.DEFAULT, table, LONG);
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
    }
}
