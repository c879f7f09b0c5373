package dev.parley.workflow.task.coder.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A control group whose processes get the processor when nobody else wants it ({@code cpu.idle}), and lose it at once to
 * whoever does. The last place by {@code nice} is no match: the kernel lets even such a process finish its turn of some
 * milliseconds, and one request waits for many turns (docs/decisions/0070). Needs a service that may make control groups:
 * root, outside of containers. It is one for all services of a machine, and stays when they end.
 */
final class IdleCgroup {
    private static final String NAME = "parley-coder";
    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** Behind the separator in a line of mounts: the kind of file system, its source, its options. */
    private static final String SEPARATOR = " - ";

    private final Path processes;

    private IdleCgroup(Path processes) {
        this.processes = processes;
    }

    /** The group, made if there is none; empty where that is not possible. */
    static Optional<IdleCgroup> open() {
        try {
            return open(Files.readAllLines(OWN), Files.readAllLines(MOUNTS));
        } catch (IOException | RuntimeException _) {
            return Optional.empty();
        }
    }

    private static Optional<IdleCgroup> open(List<String> own, List<String> mounts) {
        return Stream.of(directory(own, mounts, "cgroup", "cpu"), directory(own, mounts, "cgroup2", null))
                .flatMap(Optional::stream)
                .map(IdleCgroup::made)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * Where the service's own control group lies.
     *
     * @param kind of the file system
     * @param controller whose hierarchy it is, null for the one that all share
     */
    private static Optional<Path> directory(
            List<String> own, List<String> mounts, String kind, @Nullable String controller) {
        Optional<String> path = own.stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> controller == null
                        ? parts[1].isEmpty()
                        : Arrays.asList(parts[1].split(",", -1)).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
        Optional<String> root = mounts.stream()
                .filter(line -> isMount(line.substring(line.indexOf(SEPARATOR) + SEPARATOR.length()), kind, controller))
                .map(line -> line.split(" ", 6)[4])
                .findFirst();
        return path.flatMap(inner -> root.map(mount -> Path.of(mount + inner).normalize()));
    }

    private static boolean isMount(String described, String kind, @Nullable String controller) {
        String[] parts = described.split(" ", 3);
        return parts[0].equals(kind)
                && (controller == null || Arrays.asList(parts[2].split(",", -1)).contains(controller));
    }

    private static Optional<IdleCgroup> made(Path parent) {
        Path group = parent.resolve(NAME);
        try {
            Files.createDirectories(group);
        } catch (IOException _) {
            return Optional.empty();
        }
        try {
            Files.writeString(group.resolve("cpu.idle"), "1", StandardOpenOption.WRITE);
            return Optional.of(new IdleCgroup(group.resolve("cgroup.procs")));
        } catch (IOException _) {
            leave(group);
            return Optional.empty();
        }
    }

    /** Nothing is left where the group cannot be used, as where its parent does not share the processor out. */
    private static void leave(Path group) {
        try {
            Files.delete(group);
        } catch (IOException _) {
            // It is another service's.
        }
    }

    /**
     * Moves a process and what it has started until now; what it starts from now on is in the group by itself. False when
     * it could not be moved.
     */
    boolean take(Process process) {
        boolean moved = move(process.pid());
        if (moved) {
            // Those that were started a moment before, and by them the moment after.
            process.descendants().forEach(one -> move(one.pid()));
            process.descendants().forEach(one -> move(one.pid()));
        }
        return moved;
    }

    private boolean move(long pid) {
        try {
            Files.writeString(processes, Long.toString(pid), StandardOpenOption.WRITE);
            return true;
        } catch (IOException _) {
            return false; // It has ended already, or must not be moved.
        }
    }
}
