package dev.parley.chaos;

import java.time.Duration;
import java.util.List;

/**
 * The duration and intensity of a run.
 *
 * @param seed of all random choices; the same seed injects the same faults if the machine keeps pace
 * @param lease of the nodes; suspensions last longer
 * @param databaseFaults whether PostgreSQL is killed too
 * @param embedded one node with an embedded PostgreSQL, instead of two on a shared one
 * @param restate a cluster of Restate runs the instances
 * @param kills the number of faults of a run on Restate; 0 if its duration ends it
 */
record ChaosOptions(
        Duration length,
        long seed,
        Duration lease,
        boolean databaseFaults,
        boolean embedded,
        boolean restate,
        int kills) {
    private static final Duration SHORT_EMBEDDED = Duration.ofSeconds(8);

    /** The form for the test suite. */
    static ChaosOptions shortForm(long seed) {
        return new ChaosOptions(Duration.ofSeconds(20), seed, Duration.ofSeconds(3), false, false, false, 0);
    }

    /** The form for the test suite on Restate: each kind of fault once. */
    static ChaosOptions shortRestate(long seed) {
        return new ChaosOptions(
                Duration.ofSeconds(20), seed, Duration.ofSeconds(3), false, false, true, FaultInjector.IN_TURN.size());
    }

    /** The form for the test suite of a node with an embedded PostgreSQL. */
    static ChaosOptions shortEmbedded(long seed) {
        return new ChaosOptions(SHORT_EMBEDDED, seed, Duration.ofSeconds(3), true, true, false, 0);
    }

    /** The second part of a run: a fifth of its time for a node with an embedded PostgreSQL. */
    ChaosOptions forEmbedded() {
        Duration fifth = length.dividedBy(5);
        return new ChaosOptions(
                fifth.compareTo(SHORT_EMBEDDED) < 0 ? SHORT_EMBEDDED : fifth, seed, lease, true, true, false, 0);
    }

    /** Further JVM flags of the nodes: in a short run they are killed before compilation by C2 pays off. */
    List<String> javaFlags() {
        return length.compareTo(Duration.ofMinutes(1)) < 0 ? List.of("-XX:TieredStopAtLevel=1") : List.of();
    }

    /** What runs, in words. */
    String setup() {
        return restate
                ? "two nodes and three servers of Restate"
                : embedded ? "one node with an embedded PostgreSQL" : "two nodes on one PostgreSQL";
    }

    /** How long it runs, in words. */
    String extent() {
        return kills > 0 ? kills + " faults" : length.toSeconds() + " s of faults";
    }

    static ChaosOptions parse(List<String> arguments) {
        double minutes = 5;
        long seed = System.nanoTime() & 0xFFFFFF;
        boolean databaseFaults = true;
        boolean embedded = false;
        boolean restate = false;
        int kills = 0;
        var left = arguments.iterator();
        while (left.hasNext()) {
            String[] option = left.next().split("=", 2);
            switch (option[0]) {
                case "--minutes" -> minutes = Double.parseDouble(option.length == 2 ? option[1] : left.next());
                case "--seed" -> seed = Long.parseLong(option.length == 2 ? option[1] : left.next());
                case "--no-database-faults" -> databaseFaults = false;
                case "--embedded" -> embedded = true;
                case "--kills" -> kills = Integer.parseInt(option.length == 2 ? option[1] : left.next());
                case "--engine" -> restate = isRestate(option.length == 2 ? option[1] : left.next());
                default ->
                    throw new IllegalArgumentException("chaos does not know '" + option[0]
                            + "'; it takes --minutes N, --seed N, --no-database-faults and --embedded, or"
                            + " --engine restate with --minutes N or --kills N, and --seed N.");
            }
        }
        if (restate ? embedded : kills > 0) {
            throw new IllegalArgumentException("--engine restate goes without --embedded, --kills only with it.");
        }
        // A long run can use the production lease.
        Duration lease = Duration.ofSeconds(minutes < 2 ? 3 : 10);
        return new ChaosOptions(
                Duration.ofMillis((long) (minutes * 60_000)),
                seed,
                lease,
                databaseFaults && !restate,
                embedded,
                restate,
                kills);
    }

    private static boolean isRestate(String engine) {
        return switch (engine) {
            case "restate" -> true;
            case "local" -> false;
            default -> throw new IllegalArgumentException("--engine takes local or restate.");
        };
    }
}
