package dev.parley.workflow.task.coder.sandbox.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * User ids without an account. Each child gets a random one: the kernel counts processes and threads per user id over
 * all containers of a machine, so a shared id such as {@code nobody} would count other processes against a child's
 * limit. Random ids need no coordination between services and no clean-up.
 */
public record UnusedUserIds(long first, long count) {
    /** Systemd's list of user ids marks this range as unused. */
    private static final UnusedUserIds HIGH = new UnusedUserIds(1_879_048_192L, 268_435_455L);

    /** For containers with a user namespace of 65,536 ids; between human accounts and those of systemd. */
    private static final UnusedUserIds LOW = new UnusedUserIds(30_000, 30_000);

    /** The range that this process can switch to; empty if its user namespace has neither. */
    public static Optional<UnusedUserIds> ofThisMachine() {
        try {
            return in(
                    Files.readAllLines(Path.of("/proc/self/uid_map")),
                    Files.readAllLines(Path.of("/proc/self/gid_map")));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Each line of a map has the first id inside the namespace, the first outside, and the count. */
    static Optional<UnusedUserIds> in(List<String> userIds, List<String> groupIds) {
        return List.of(HIGH, LOW).stream()
                .filter(range -> userIds.stream().anyMatch(range::isWithin))
                .filter(range -> groupIds.stream().anyMatch(range::isWithin))
                .findFirst();
    }

    private boolean isWithin(String line) {
        String[] numbers = line.strip().split("\\s+", -1);
        long start = Long.parseLong(numbers[0]);
        return start <= first && first + count <= start + Long.parseLong(numbers[2]);
    }

    public long next() {
        return first + ThreadLocalRandom.current().nextLong(count);
    }
}
