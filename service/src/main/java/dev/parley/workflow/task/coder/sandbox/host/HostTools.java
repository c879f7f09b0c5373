package dev.parley.workflow.task.coder.sandbox.host;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds programs of the operating system in the service's {@code PATH}, which the operator sets.
 *
 * @param directories absolute paths
 */
public record HostTools(List<Path> directories) {
    private static final String USUAL = "/usr/bin:/bin:/usr/sbin:/sbin";

    public HostTools {
        directories = List.copyOf(directories);
    }

    public static HostTools ofEnvironment() {
        String path = Optional.ofNullable(System.getenv("PATH"))
                .filter(text -> !text.isBlank())
                .orElse(USUAL);
        return new HostTools(Arrays.stream(path.split(File.pathSeparator))
                .filter(directory -> directory.startsWith("/"))
                .map(Path::of)
                .toList());
    }

    public Optional<String> find(String program) {
        return directories.stream()
                .map(directory -> directory.resolve(program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
