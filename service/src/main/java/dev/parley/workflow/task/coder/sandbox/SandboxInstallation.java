package dev.parley.workflow.task.coder.sandbox;

import dev.parley.disk.DirectoryLocks;
import dev.parley.disk.FileTrees;
import dev.parley.disk.MarkedProcesses;
import dev.parley.disk.ProgramDirectory;
import dev.parley.disk.TempFiles;
import dev.parley.workflow.task.coder.sandbox.host.HostTools;
import dev.parley.workflow.task.coder.sandbox.host.LowPriority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The files of a child process: its jars, in a directory of the installation; Python's library, unpacked once; and the
 * JVM's AOT cache of an earlier start, which halves the start time. The last two are created in the data directory when
 * a language is first used.
 */
public final class SandboxInstallation {
    private static final Logger LOG = Logger.getLogger(SandboxInstallation.class);
    private static final String PROGRAM = "sandbox";
    private static final String MAIN = "dev.parley.sandbox.SandboxChild";
    private static final Pattern UNFINISHED = Pattern.compile("^unpacking|[.]new-");

    /** Generous, because these processes have a low priority too. */
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(20);

    private final Path java;
    private final Path jars;
    private final DirectoryLocks leases;
    private final Path own;
    private final int memoryMegabytes;
    private final List<String> launcher;
    private final String marker;
    private @Nullable FutureTask<@Nullable Void> unpacking;

    private SandboxInstallation(
            Path java, Path jars, DirectoryLocks leases, Path own, int memoryMegabytes, List<String> launcher)
            throws IOException {
        this.java = java;
        this.jars = jars;
        this.leases = leases;
        this.own = own;
        this.memoryMegabytes = memoryMegabytes;
        this.launcher = launcher;
        this.marker = MarkedProcesses.marker(own);
    }

    static SandboxInstallation open(Path data, SandboxLimits limits, HostTools tools) throws IOException {
        Path jars = ProgramDirectory.of(PROGRAM);
        // Other releases of the service, JDKs or memory settings have their own files.
        String key = Integer.toHexString(
                (jars + System.getProperty("java.vm.version") + stamp(jars) + limits.memoryMegabytes()).hashCode());
        var leases = new DirectoryLocks(data.resolve("coder"));
        Path own = leases.acquire(key, SandboxInstallation::cleanUp);
        // A child may run as a different user than the service.
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path java = Path.of(System.getProperty("java.home")).toRealPath();
        List<String> launcher = Stream.of(
                        LowPriority.nice(tools),
                        SandboxIsolation.session(tools),
                        SandboxIsolation.diesWithService(tools))
                .flatMap(List::stream)
                .toList();
        return new SandboxInstallation(java, jars, leases, own.toRealPath(), limits.memoryMegabytes(), launcher);
    }

    /** Ends what is left of a killed service: its children, and their incomplete files. */
    private static void cleanUp(Path own) throws IOException {
        MarkedProcesses.kill(own);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                own, file -> UNFINISHED.matcher(file.getFileName().toString()).find())) {
            for (Path file : files) {
                FileTrees.delete(file);
            }
        }
    }

    /** Deletes files of earlier releases and settings that no process uses. */
    void sweep() {
        leases.sweep(MarkedProcesses::kill);
    }

    private static long stamp(Path jars) throws IOException {
        return Files.getLastModifiedTime(ProgramDirectory.jar(jars, PROGRAM)).toMillis();
    }

    /** Everything that a child reads, except the system's libraries. */
    List<Path> readable() {
        return List.of(java, jars, own);
    }

    /** A command that exits with 0 if a child could start. */
    List<String> check() {
        List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString(), "-Xshare:auto", "-Xmx32m"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", ProgramDirectory.jar(jars, PROGRAM).toString(), MAIN));
        command.addAll(List.of("check", own.toString()));
        return command;
    }

    /** The command of a child. */
    List<String> run(CodeLanguage language, int consoleBytes, SandboxLimits limits) {
        List<String> command = java();
        if (Files.isRegularFile(cache(language))) {
            command.add("-XX:AOTCache=" + cache(language));
        }
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
        command.addAll(main(language));
        command.addAll(List.of("run", language.engine(), Integer.toString(consoleBytes)));
        command.addAll(List.of(
                Integer.toString(limits.resultBytes()),
                Long.toString(limits.time().toMillis())));
        return command;
    }

    /** Unpacks the files that a language needs before its first child starts, in the background. */
    void unpack(CodeLanguage language, Duration patience) throws IOException, InterruptedException, TimeoutException {
        if (language == CodeLanguage.PYTHON) {
            try {
                unpacking().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
    }

    private synchronized Future<@Nullable Void> unpacking() {
        FutureTask<@Nullable Void> current = unpacking;
        if (current == null || current.state() == Future.State.FAILED) {
            current = new FutureTask<>(() -> {
                unpackLibrary();
                return null;
            });
            unpacking = current;
            Thread.ofVirtual().name("coder-unpack").start(current);
        }
        return current;
    }

    private void unpackLibrary() throws IOException, InterruptedException {
        Path library = library();
        if (Files.isDirectory(library.resolve("python"))) {
            return;
        }
        Path partial = Files.createTempDirectory(own, "unpacking");
        Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> command = java();
        command.addAll(main(CodeLanguage.PYTHON));
        command.addAll(List.of("unpack", partial.toString()));
        try {
            prepare(command);
            // Another node with the same data directory may have been faster.
            if (!Files.isDirectory(library.resolve("python"))) {
                FileTrees.delete(library);
                Files.move(partial, library);
            }
        } finally {
            FileTrees.delete(partial);
        }
    }

    /** Creates the AOT cache. Children also start without it, only more slowly. */
    void train(CodeLanguage language) throws InterruptedException {
        Path cache = cache(language);
        if (Files.exists(cache)) {
            return;
        }
        // Another node with the same data directory may create one too.
        Path partial = cache.resolveSibling(
                cache.getFileName() + ".new-" + ProcessHandle.current().pid());
        Path recording = partial.resolveSibling(partial.getFileName() + ".config");
        try {
            // Two steps: in a single one, the JVM would start a process that outlives it.
            List<String> record = java();
            record.addAll(List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recording));
            record.addAll(main(language));
            record.addAll(List.of("train", language.engine()));
            prepare(record);
            List<String> create = java();
            create.addAll(List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording));
            create.add("-XX:AOTCache=" + partial);
            create.addAll(List.of("-cp", classPath(language)));
            prepare(create);
            Files.move(partial, cache, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warnf("Children for %s start without an AOT cache: %s", language.text(), e.getMessage());
        } finally {
            TempFiles.delete(partial);
            TempFiles.delete(recording);
        }
    }

    private Path cache(CodeLanguage language) {
        return own.resolve(language.text() + ".aot");
    }

    private Path library() {
        return own.resolve("library");
    }

    /** The same flags for every start of a language, as the AOT cache requires. */
    private List<String> java() {
        List<String> command = new ArrayList<>(List.of(
                java.resolve("bin/java").toString(),
                "-Xmx" + memoryMegabytes + "m",
                "-Xss4m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:CompressedClassSpaceSize=128m",
                "-XX:MaxMetaspaceSize=256m",
                "-XX:MaxDirectMemorySize=16m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "-XX:-CreateCoredumpOnCrash",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dpolyglotimpl.AttachLibraryFailureAction=ignore",
                "-Dpolyglot.engine.resourcePath=" + library(),
                "-Duser.home=/tmp",
                "-Duser.timezone=UTC"));
        command.add(marker);
        return command;
    }

    private List<String> main(CodeLanguage language) {
        return List.of("-cp", classPath(language), MAIN);
    }

    /** JavaScript children do not have Python's jars. */
    private String classPath(CodeLanguage language) {
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> language == CodeLanguage.PYTHON
                            || !file.getFileName().toString().startsWith("python-"))
                    .sorted(Comparator.comparing(Path::toString))
                    .map(Path::toString)
                    .collect(Collectors.joining(":"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a child without user code outside the sandbox, because it writes files. */
    private void prepare(List<String> java) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(java);
        Process process = ChildProcess.startPreparation(command);
        try {
            if (process.waitFor(PREPARE_LIMIT.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0) {
                return;
            }
        } finally {
            process.destroyForcibly();
        }
        throw new IOException("a preparation did not succeed");
    }
}
