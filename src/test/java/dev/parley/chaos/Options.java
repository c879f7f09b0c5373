package dev.parley.chaos;

import java.time.Duration;
import java.util.List;

/**
 * How long and how hard.
 *
 * @param seed of all random choices; the same seed injects the same faults, as far as the machine keeps pace
 * @param lease of the nodes; suspensions last longer than that
 * @param databaseFaults whether PostgreSQL is killed too
 */
record Options(Duration length, long seed, Duration lease, boolean databaseFaults) {
    /** The form for the test suite. */
    static Options shortForm(long seed) {
        return new Options(Duration.ofSeconds(20), seed, Duration.ofSeconds(3), false);
    }

    static Options parse(List<String> arguments) {
        double minutes = 5;
        long seed = System.nanoTime() & 0xFFFFFF;
        boolean databaseFaults = true;
        var left = arguments.iterator();
        while (left.hasNext()) {
            String[] option = left.next().split("=", 2);
            switch (option[0]) {
                case "--minutes" -> minutes = Double.parseDouble(option.length == 2 ? option[1] : left.next());
                case "--seed" -> seed = Long.parseLong(option.length == 2 ? option[1] : left.next());
                case "--no-database-faults" -> databaseFaults = false;
                default ->
                    throw new IllegalArgumentException("chaos does not know '" + option[0]
                            + "'; it takes --minutes N, --seed N and --no-database-faults.");
            }
        }
        // A long run has room for the lease that a real service has.
        Duration lease = Duration.ofSeconds(minutes < 2 ? 3 : 10);
        return new Options(Duration.ofMillis((long) (minutes * 60_000)), seed, lease, databaseFaults);
    }
}
