package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/**
 * CPU seconds that the service and its database have used so far, user and system together, as /proc counts them (in
 * hundredths of a second). What the bench's own connections cost, which count the messages, is left out.
 */
record Usage(double service, double database) {
    private static final double TICKS_PER_SECOND = 100;

    static Usage of(Service service, Set<Long> driver) {
        return new Usage(process(service.pid()), database(service, driver));
    }

    /** CPU seconds of a process. */
    static double process(long pid) {
        return own(Stat.read(pid)) / TICKS_PER_SECOND;
    }

    /** CPU seconds of the database that a service has started, without those of the bench's own connections. */
    static double database(Service service, Set<Long> driver) {
        return database(service.databasePid(), driver) / TICKS_PER_SECOND;
    }

    Usage minus(Usage earlier) {
        return new Usage(service - earlier.service, database - earlier.database);
    }

    /** The postmaster, the backends that live, and those that ended, which the postmaster has inherited. */
    private static long database(long postmaster, Set<Long> driver) {
        Stat main = Stat.read(postmaster);
        long ticks = own(main) + main.children;
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return ticks
                    + processes
                            .map(path -> path.getFileName().toString())
                            .filter(name -> name.chars().allMatch(Character::isDigit))
                            .mapToLong(Long::parseLong)
                            .filter(pid -> !driver.contains(pid))
                            .mapToObj(Stat::read)
                            .filter(stat -> stat.parent == postmaster)
                            .mapToLong(Usage::own)
                            .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long own(Stat stat) {
        return stat.own;
    }

    /** A line of /proc/&lt;pid&gt;/status in MiB, such as VmRSS (memory now) or VmHWM (the most it ever had). */
    static long memory(long pid, String line) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(one -> one.startsWith(line + ":"))
                    .mapToLong(one -> Long.parseLong(one.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What /proc/&lt;pid&gt;/stat says, times in ticks; zeros for a process that has ended. */
    private record Stat(long parent, long own, long children) {
        static Stat read(long pid) {
            try {
                String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
                // The name in parentheses may hold blanks.
                String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                return new Stat(
                        Long.parseLong(fields[1]),
                        Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                        Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
            } catch (IOException e) {
                return new Stat(0, 0, 0);
            }
        }
    }
}
