package dev.parley.workflow.task.coder.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Lets a child run behind everything else: in a control group for idle times where there can be one, and else in the last
 * place among the kernel's groups of processes. {@code nice} alone does not: where the kernel groups processes by
 * session (autogroups, the default outside of control groups), it only counts within a session, and each child with a
 * session of its own would get as much of the processor as the whole service. The group has a nice value of its own,
 * which this sets. Where there are no such groups, {@code nice} does it.
 */
final class LowPriority {
    private static final String LAST = "19";
    private static final Optional<IdleCgroup> IDLE = IdleCgroup.open();
    private static final Path OWN = Path.of("/proc/self/autogroup");

    /** The child needs a moment for its session, and the kernel takes ten settings a second of an ordinary user. */
    private static final int TRIES = 60;

    private static final Duration PAUSE = Duration.ofMillis(25);

    private LowPriority() {}

    /** Does so at the child's start, or beside it. */
    static void take(Process process) {
        if (IDLE.isPresent() && IDLE.get().take(process)) {
            return;
        }
        if (Files.isReadable(OWN)) {
            Thread.ofVirtual().start(() -> {
                for (int i = 0; i < TRIES && process.isAlive() && !isDone(process); i++) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            });
        }
    }

    private static boolean isDone(Process process) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .anyMatch(handle -> isMoved(Path.of("/proc/" + handle.pid() + "/autogroup")));
    }

    /** Never touches the group that the service itself is in, where the child is until it has its own session. */
    private static boolean isMoved(Path group) {
        try {
            if (name(group).equals(name(OWN))) {
                return false;
            }
            Files.writeString(group, LAST, StandardOpenOption.WRITE);
            return true;
        } catch (IOException | RuntimeException _) {
            // A RuntimeException when the kernel asks an ordinary user to try again: no byte was written.
            return false;
        }
    }

    private static String name(Path group) throws IOException {
        return Files.readString(group).split(" ", 2)[0];
    }
}
