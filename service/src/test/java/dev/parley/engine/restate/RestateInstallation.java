package dev.parley.engine.restate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Restate server from npm, whose version and hash are pinned. */
public final class RestateInstallation {
    private static final Path SOURCES = Path.of("src", "test", "restate");
    private static final Path INSTALLED = Path.of("target", "test-restate");

    private RestateInstallation() {}

    /**
     * The server's binary, which is installed if it is missing.
     *
     * @throws IOException if npm cannot install it
     */
    public static synchronized Path binary() throws IOException, InterruptedException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        Path binary = INSTALLED
                .resolve("node_modules/@restatedev/restate-server-linux-" + arch + "/bin/restate-server")
                .toAbsolutePath();
        if (Files.isExecutable(binary)) {
            return binary;
        }
        Files.createDirectories(INSTALLED);
        for (String name : List.of("package.json", "package-lock.json")) {
            Files.copy(SOURCES.resolve(name), INSTALLED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        Path log = INSTALLED.resolve("npm.log");
        Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(INSTALLED.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = npm.waitFor(3, TimeUnit.MINUTES);
        if (!ended) {
            npm.destroyForcibly();
        }
        if (!ended || npm.exitValue() != 0 || !Files.isExecutable(binary)) {
            throw new IOException("npm could not install the Restate server; see " + log);
        }
        return binary;
    }
}
