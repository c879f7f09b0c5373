package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts a Java program with the same JVM flags as the service. */
final class JavaProcess {
    private JavaProcess() {}

    /** Later flags win over the service's. */
    static Process start(
            List<String> flags,
            String classPath,
            String mainClass,
            List<String> arguments,
            Map<String, String> environment,
            Path log) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(System.getenv("BENCH_JAVA_FLAGS").lines().toList());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return Children.start(builder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
