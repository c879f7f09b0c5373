package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The peers as {@code ./parley bench --peers} has built and installed them. */
record PeerInstallation(String classPath) {
    /** A larger heap than the service's, so that no peer is slowed down by its garbage collector. */
    static final List<String> JVM_FLAGS = List.of("-Xmx256m", "-XX:ReservedCodeCacheSize=128m");

    private static final Path DIRECTORY = Path.of("benchmarks/peers");
    private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    static PeerInstallation find() {
        try {
            Path target = DIRECTORY.resolve("target");
            return new PeerInstallation(target.resolve("classes") + ":"
                    + Files.readString(target.resolve("classpath.txt")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String restateServer() {
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return DIRECTORY
                .resolve(
                        "restate/node_modules/@restatedev/restate-server-linux-" + architecture + "/bin/restate-server")
                .toString();
    }

    String serverVersion() {
        return Children.output(new ProcessBuilder(restateServer(), "--version"))
                .strip()
                .replaceAll("(?s)^\\D*([\\d.]+).*", "$1");
    }

    String versions() {
        return "DBOS Transact for Java %s; Restate server %s with its Java SDK %s"
                .formatted(jarVersion("transact"), serverVersion(), jarVersion("sdk-api"));
    }

    private String jarVersion(String artifact) {
        Matcher version = Pattern.compile("/" + artifact + "-(\\d[^/:]*)\\.jar").matcher(classPath);
        return version.find() ? version.group(1) : "?";
    }

    /** Repeats a request until it succeeds, which says that the peer is ready. */
    static void awaitSuccess(Process process, Path log, String url, String method, String path, String body) {
        var api = new Api(url);
        long deadline = System.nanoTime() + START_LIMIT_NANOS;
        String last = "";
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                Api.Answer answer = api.send(method, path, body);
                if (answer.status() < 300) {
                    return;
                }
                last = answer.text();
            } catch (BenchException e) {
                last = e.getMessage();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        throw new BenchException("A peer did not start; " + log + " says why. " + last);
    }
}
