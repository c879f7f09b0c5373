package dev.parley.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The cores and the memory that this process may use: those of the machine, or less where its cgroup or one of the
 * groups above it has a limit. Reads cgroups of version 2 and of version 1 at their usual mount points.
 */
public record MachineSize(int cores, int memoryMegabytes) {
    /** The size for which the service was measured first, and the smallest that it adapts to. */
    public static final MachineSize SMALLEST = new MachineSize(2, 1_024);

    private static final Path GROUPS = Path.of("sys/fs/cgroup");

    /** The size of this machine or container. */
    public static MachineSize detect() {
        return read(Path.of("/"), Runtime.getRuntime().availableProcessors());
    }

    /**
     * Reads the limits from the files of the kernel.
     *
     * @param root the directory that contains {@code proc} and {@code sys}
     * @param processors the processors that this process may run on
     */
    static MachineSize read(Path root, int processors) {
        long cores = processors;
        long bytes = total(root.resolve("proc/meminfo")).orElse((long) SMALLEST.memoryMegabytes << 20);
        for (Path group : groups(root)) {
            bytes = Math.min(bytes, memory(group).orElse(bytes));
            cores = Math.min(cores, processors(group).orElse(cores));
        }
        return new MachineSize(Math.max(1, (int) cores), (int) Math.max(1, bytes >> 20));
    }

    /** The directories of this process's cgroups and of all groups above them. */
    private static List<Path> groups(Path root) {
        List<Path> groups = new ArrayList<>();
        // hierarchy:controllers:path; version 2 has the hierarchy 0 and no controllers.
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            Path mount = root.resolve(GROUPS).resolve(parts[1]);
            // A container may see the path of its host, but has only the root of that hierarchy.
            Path group = mount.resolve(parts[2].replaceFirst("^/+", "")).normalize();
            for (Path each = group; each != null && each.startsWith(mount); each = each.getParent()) {
                groups.add(each);
            }
        }
        return groups;
    }

    private static OptionalLong memory(Path group) {
        return Stream.of("memory.max", "memory.limit_in_bytes")
                .map(file -> number(group.resolve(file), 0))
                .filter(OptionalLong::isPresent)
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    /** A quota of one and a half processors counts as two. */
    private static OptionalLong processors(Path group) {
        OptionalLong quota = number(group.resolve("cpu.max"), 0);
        OptionalLong period = number(group.resolve("cpu.max"), 1);
        if (quota.isEmpty()) {
            quota = number(group.resolve("cpu.cfs_quota_us"), 0);
            period = number(group.resolve("cpu.cfs_period_us"), 0);
        }
        return quota.isEmpty() || period.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.ceilDiv(quota.getAsLong(), period.getAsLong()));
    }

    private static OptionalLong total(Path meminfo) {
        return lines(meminfo).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst();
    }

    /** A word of a file's first line as a positive number; empty for {@code max}, {@code -1} and a missing file. */
    private static OptionalLong number(Path file, int word) {
        Optional<String[]> words =
                lines(file).stream().findFirst().map(line -> line.strip().split("\\s+", -1));
        return words.filter(found -> word < found.length && found[word].matches("[1-9]\\d{0,18}"))
                .map(found -> OptionalLong.of(positive(found[word])))
                .orElse(OptionalLong.empty());
    }

    private static long positive(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException _) {
            return List.of();
        }
    }
}
