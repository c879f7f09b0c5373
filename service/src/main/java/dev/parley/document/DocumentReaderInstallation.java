package dev.parley.document;

import dev.parley.disk.MarkedProcesses;
import dev.parley.disk.ProgramDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of the document reader program, in a directory of the installation: its jars and the table engine, whose
 * native library the build unpacked. Otherwise each start would unpack its seventy megabytes from the jar.
 */
final class DocumentReaderInstallation {
    private static final String MAIN = "dev.parley.reader.DocumentReaderMain";

    /** Present on every usual system. */
    private static final List<String> NICE = Stream.of("/usr/bin/nice", "/bin/nice")
            .filter(program -> Files.isExecutable(Path.of(program)))
            .findFirst()
            .map(program -> List.of(program, "-n", "10"))
            .orElse(List.of());

    private DocumentReaderInstallation() {}

    /**
     * The command that reads or renders one document. It has a lower priority than the service.
     *
     * @param cpuTime after which the service kills the process
     * @param directory for temporary files, in that of the service
     */
    static List<String> command(int heapMegabytes, Duration cpuTime, ReaderJars libraries, Path directory)
            throws IOException {
        Path home = ProgramDirectory.of("reader");
        Path parent = Objects.requireNonNull(directory.getParent());
        List<String> command = new ArrayList<>(NICE);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-Xss8m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:MaxMetaspaceSize=128m",
                "-XX:MaxDirectMemorySize=32m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-Xshare:auto",
                "-Djava.awt.headless=true",
                "-Djava.io.tmpdir=" + directory,
                // The cache of system fonts is shared by all readers.
                "-Dpdfbox.fontcache=" + parent,
                MarkedProcesses.marker(parent),
                "-Dparley.parent=" + ProcessHandle.current().pid(),
                "-Dparley.cpu-seconds=" + cpuTime.toSeconds(),
                "-Duser.timezone=UTC",
                "--enable-native-access=ALL-UNNAMED"));
        String classPath = jars(home);
        switch (libraries) {
            case PARSERS -> {}
            case RENDERERS -> classPath += ":" + jars(home.resolve("render"));
            case TABLES -> {
                command.add("-Djava.library.path=" + library(home));
                classPath += ":" + home.resolve("engine");
            }
        }
        command.addAll(List.of("-cp", classPath, MAIN));
        return command;
    }

    private static String jars(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(":"));
        }
    }

    private static Path library(Path home) throws IOException {
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        Path library = home.resolve("engine/native").resolve(machine.equals("aarch64") ? "arm64" : machine);
        if (!Files.isDirectory(library)) {
            throw new IOException("there is no table engine for " + machine);
        }
        return library;
    }
}
