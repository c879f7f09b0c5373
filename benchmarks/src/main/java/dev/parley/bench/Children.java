package dev.parley.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes that the bench starts and the directory that it uses. Both are gone when it ends, in whatever way: at
 * Ctrl-C by the hook, and when it is killed by the kernel's death signal, where the system has {@code setpriv}.
 */
final class Children {
    private static final ConcurrentLinkedDeque<Process> STARTED = new ConcurrentLinkedDeque<>();
    private static final int PATIENCE_SECONDS = 30;

    private Children() {}

    /** Makes the hook that ends all processes and deletes the directory. */
    static void endWith(Path directory) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            STARTED.forEach(Process::destroy);
            STARTED.forEach(Children::await);
            delete(directory);
        }));
    }

    /** Starts a process that lasts; only the main thread may, since the kernel's signal comes when that ends. */
    static Process start(ProcessBuilder builder) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
            command.addAll(List.of("/usr/bin/setpriv", "--pdeathsig", "TERM"));
        }
        command.addAll(builder.command());
        Process process = builder.command(command).start();
        STARTED.add(process);
        return process;
    }

    static void stop(Process process) {
        process.destroy();
        await(process);
        STARTED.remove(process);
    }

    /** Runs a command to its end; its output, or the bench's end when it fails. */
    static String output(ProcessBuilder builder) {
        try {
            Process process = start(builder.redirectErrorStream(true));
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            int code = process.waitFor();
            STARTED.remove(process);
            if (code != 0) {
                throw new BenchException(String.join(" ", builder.command()) + " ended with " + code + ":\n" + output);
            }
            return output;
        } catch (IOException | InterruptedException e) {
            throw new BenchException(String.join(" ", builder.command()) + ": " + e.getMessage());
        }
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    private static void delete(Path directory) {
        // The database lives a moment longer than the service, and may still write.
        for (int attempt = 0; Files.exists(directory) && attempt < 100; attempt++) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | java.io.UncheckedIOException e) {
                java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }
}
