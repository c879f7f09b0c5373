package dev.parley.document;

import dev.parley.document.child.Reader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The files of the program that reads documents: its jars, which came with the service in a directory of their own, and
 * the table engine's native library, unpacked once beside the service's other data.
 */
final class ReaderHome {
    private static final String JARS = "document";
    private static final String LIBRARY = "libduckdb_java.so";

    private final Path data;

    ReaderHome(Path data) {
        this.data = data;
    }

    /** The command that reads one document in at most so many seconds. */
    List<String> command(int heapMegabytes, long seconds, boolean tables) throws IOException {
        Path jars = jars();
        List<String> command = new ArrayList<>(List.of(
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
                "-Dparley.seconds=" + seconds,
                "-Duser.timezone=UTC",
                "--enable-native-access=ALL-UNNAMED"));
        if (tables) {
            command.add("-Djava.library.path=" + library(jars).getParent());
        }
        command.addAll(List.of("-cp", classPath(jars), Reader.class.getName()));
        return command;
    }

    /** Beside the service's own classes: {@code quarkus-app/document}, or {@code target/document} in a build. */
    private static Path jars() throws IOException {
        try {
            Path classes = Path.of(Reader.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (Path above = classes.getParent(); above != null; above = above.getParent()) {
                if (Files.isRegularFile(above.resolve(JARS).resolve("parley-reader.jar"))) {
                    return above.resolve(JARS).toRealPath();
                }
            }
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException(e);
        }
        throw new IOException("the directory '" + JARS + "' with the reader's jars is not beside the service");
    }

    private static List<Path> list(Path jars) throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static String classPath(Path jars) throws IOException {
        return list(jars).stream().map(Path::toString).collect(Collectors.joining(":"));
    }

    /** The library would else unpack its seventy megabytes at each start. */
    private synchronized Path library(Path jars) throws IOException {
        Path jar = list(jars).stream()
                .filter(file -> file.getFileName().toString().startsWith("duckdb_jdbc"))
                .findFirst()
                .orElseThrow(() -> new IOException("the table engine's jar is missing"));
        Path own =
                Files.createDirectories(data.toAbsolutePath().resolve(JARS).resolve(Long.toHexString(Files.size(jar))));
        Path library = own.resolve(LIBRARY);
        if (Files.exists(library)) {
            return library;
        }
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String arch = machine.equals("aarch64") || machine.equals("arm64") ? "arm64" : "amd64";
        Path partial = Files.createTempFile(own, "unpacking", ".so");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry entry = zip.getEntry(LIBRARY + "_linux_" + arch);
            if (entry == null) {
                throw new IOException("there is no table engine for " + machine);
            }
            try (InputStream bytes = zip.getInputStream(entry)) {
                Files.copy(bytes, partial, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(partial, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
        }
        return library;
    }
}
