package dev.parley.workflow.task.coder.sandbox.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A control group for all children, with two fifths of the usual weight. Unlike groups with
 * {@code cpu.idle}, it gets a share on a busy machine too, and the kernel preempts its processes as readily
 * (docs/decisions/0070). Requires permission to create control groups (root, outside of containers); shared by all
 * services of a machine, and not removed.
 */
public final class LowWeightCgroup {
    private static final String NAME = "parley-code";

    /** Relative to 100 in version 2, and to 1024 in version 1. */
    private static final Map<String, String> WEIGHTS = Map.of("cpu.weight", "40", "cpu.shares", "410");

    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** The separator in a line of mountinfo; file system type, source and options follow. */
    private static final String SEPARATOR = " - ";

    private final Path processes;

    private LowWeightCgroup(Path processes) {
        this.processes = processes;
    }

    /** The group, created if necessary; empty if that is not possible. */
    public static Optional<LowWeightCgroup> open() {
        try {
            return open(Files.readAllLines(OWN), Files.readAllLines(MOUNTS));
        } catch (IOException | RuntimeException _) {
            return Optional.empty();
        }
    }

    private static Optional<LowWeightCgroup> open(List<String> own, List<String> mounts) {
        return Stream.of(directory(own, mounts, "cgroup", "cpu"), directory(own, mounts, "cgroup2", null))
                .flatMap(Optional::stream)
                .map(LowWeightCgroup::make)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * The directory of the service's own control group.
     *
     * @param kind of the file system
     * @param controller of the hierarchy; null for the unified one
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

    private static Optional<LowWeightCgroup> make(Path parent) {
        Path group = parent.resolve(NAME);
        try {
            Files.createDirectories(group);
        } catch (IOException _) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> weight : WEIGHTS.entrySet()) {
            try {
                // Fails if the file does not exist, since it must not be created.
                Files.writeString(group.resolve(weight.getKey()), weight.getValue(), StandardOpenOption.WRITE);
                return Optional.of(new LowWeightCgroup(group.resolve("cgroup.procs")));
            } catch (IOException _) {
                // The file of the other version.
            }
        }
        leave(group);
        return Optional.empty();
    }

    /** Removes the group if it is unusable, for example because its parent does not distribute CPU time. */
    private static void leave(Path group) {
        try {
            Files.delete(group);
        } catch (IOException _) {
            // Another service uses it.
        }
    }

    /**
     * Moves a process and its descendants; later descendants inherit the group. False if the process could not be
     * moved.
     */
    boolean take(Process process) {
        boolean moved = move(process.pid());
        if (moved) {
            // Repeated for descendants started just before the move, which may start others just after it.
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
            return false; // It has already exited, or must not be moved.
        }
    }
}
