package dev.parley.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The duration and intensity of a run.
 *
 * @param seed of all random choices; the same seed injects the same faults if the machine keeps pace
 * @param lease of the nodes; suspensions last longer
 * @param databaseFaults whether PostgreSQL is killed too
 * @param embedded one node with an embedded PostgreSQL, instead of two on a shared one
 * @param restate a cluster of Restate runs the instances
 * @param kills the number of faults of a run on Restate; 0 if its duration ends it
 * @param upgradeFrom where the build of the previous release is, if nodes are upgraded from it to this one and back;
 *     {@link #THIS_BUILD} to upgrade this one to a release that only has more migrations
 */
record ChaosOptions(
        Duration length,
        long seed,
        Duration lease,
        boolean databaseFaults,
        boolean embedded,
        boolean restate,
        int kills,
        @Nullable Path upgradeFrom) {
    private static final Duration SHORT_EMBEDDED = Duration.ofSeconds(8);
    private static final Path THIS_BUILD = Path.of("");

    ChaosOptions(
            Duration length,
            long seed,
            Duration lease,
            boolean databaseFaults,
            boolean embedded,
            boolean restate,
            int kills) {
        this(length, seed, lease, databaseFaults, embedded, restate, kills, null);
    }

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

    /** The form for the test suite of a rolling upgrade; {@code -Dparley.chaos.upgrade-from=DIR} names another build. */
    static ChaosOptions shortUpgrade(long seed) {
        Path from = Path.of(System.getProperty("parley.chaos.upgrade-from", ""));
        return new ChaosOptions(Duration.ofSeconds(40), seed, Duration.ofSeconds(3), false, false, false, 0, from);
    }

    /** The build that the first nodes run. */
    ChaosBuild build() {
        return upgradeFrom == null ? ChaosBuild.current() : ChaosBuild.in(upgradeFrom);
    }

    /** The build that replaces it in an upgrade. */
    ChaosBuild next() {
        return THIS_BUILD.equals(upgradeFrom) ? ChaosBuild.next() : ChaosBuild.current();
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
                : embedded
                        ? "one node with an embedded PostgreSQL"
                        : upgradeFrom == null
                                ? "two nodes on one PostgreSQL"
                                : "two nodes on one PostgreSQL, upgraded from " + build().jar();
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
        Path upgradeFrom = null;
        var left = arguments.iterator();
        while (left.hasNext()) {
            String[] option = left.next().split("=", 2);
            switch (option[0]) {
                case "--minutes" -> minutes = Double.parseDouble(option.length == 2 ? option[1] : left.next());
                case "--seed" -> seed = Long.parseLong(option.length == 2 ? option[1] : left.next());
                case "--no-database-faults" -> databaseFaults = false;
                case "--embedded" -> embedded = true;
                case "--upgrade" -> upgradeFrom = THIS_BUILD;
                case "--upgrade-from" -> upgradeFrom = Path.of(option.length == 2 ? option[1] : left.next());
                case "--kills" -> kills = Integer.parseInt(option.length == 2 ? option[1] : left.next());
                case "--engine" -> restate = isRestate(option.length == 2 ? option[1] : left.next());
                default ->
                    throw new IllegalArgumentException("chaos does not know '" + option[0]
                            + "'; it takes --minutes N, --seed N, --no-database-faults, --embedded, --upgrade and"
                            + " --upgrade-from DIR, or --engine restate with --minutes N or --kills N, and --seed N.");
            }
        }
        if (upgradeFrom != null && (restate || embedded)) {
            throw new IllegalArgumentException("--upgrade goes without --engine restate and --embedded.");
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
                databaseFaults && !restate && upgradeFrom == null,
                embedded,
                restate,
                kills,
                upgradeFrom);
    }

    private static boolean isRestate(String engine) {
        return switch (engine) {
            case "restate" -> true;
            case "local" -> false;
            default -> throw new IllegalArgumentException("--engine takes local or restate.");
        };
    }
}
