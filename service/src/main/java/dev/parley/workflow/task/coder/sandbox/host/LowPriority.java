package dev.parley.workflow.task.coder.sandbox.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Gives children a low share of the CPU: by a control group if possible, else by the nice value of their autogroup.
 * {@code nice} alone is not enough: with autogroups (the default outside of control groups) it counts only within a
 * session, and each child in its own session would get as much CPU time as the whole service. Without autogroups,
 * {@code nice} is used.
 */
public final class LowPriority {
    /** A tenth of the weight of the default, 0, for each child. */
    public static final String NICE = "10";

    private static final Optional<LowWeightCgroup> GROUP = LowWeightCgroup.open();
    private static final Path OWN = Path.of("/proc/self/autogroup");

    /**
     * The child needs a moment to create its session, and the kernel allows an unprivileged user ten changes per
     * second.
     */
    private static final int MAX_ATTEMPTS = 60;

    private static final Duration PAUSE = Duration.ofMillis(25);

    private LowPriority() {}

    /** The program for machines without any groups. */
    public static List<String> nice(HostTools tools) {
        return tools.find("nice").map(program -> List.of(program, "-n", NICE)).orElse(List.of());
    }

    /** Sets the priority at the child's start, or concurrently to it. */
    public static void take(Process process) {
        if (GROUP.isPresent() && GROUP.get().take(process)) {
            return;
        }
        if (Files.isReadable(OWN)) {
            Thread.ofVirtual().start(() -> {
                for (int i = 0; i < MAX_ATTEMPTS && process.isAlive() && !isDone(process); i++) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            });
        }
    }

    private static boolean isDone(Process process) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .anyMatch(handle -> isMoved(Path.of("/proc/" + handle.pid() + "/autogroup")));
    }

    /** Never changes the service's own autogroup, in which the child is until it has its own session. */
    private static boolean isMoved(Path group) {
        try {
            if (name(group).equals(name(OWN))) {
                return false;
            }
            Files.writeString(group, NICE, StandardOpenOption.WRITE);
            return true;
        } catch (IOException | RuntimeException _) {
            // The kernel asks an unprivileged user to try again by an error without a written byte, which is a
            // RuntimeException here.
            return false;
        }
    }

    private static String name(Path group) throws IOException {
        return Files.readString(group).split(" ", 2)[0];
    }
}
