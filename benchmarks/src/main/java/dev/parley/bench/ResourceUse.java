package dev.parley.bench;

/**
 * What a system has used so far, or for a load.
 *
 * @param service CPU seconds of Parley's nodes or of another engine's worker
 * @param server CPU seconds of an engine's own server
 * @param database CPU seconds of PostgreSQL
 * @param wal bytes of PostgreSQL's write-ahead log
 */
record ResourceUse(double service, double server, double database, double wal) {
    private static final double MILLIS = 1_000;

    ResourceUse minus(ResourceUse earlier) {
        return new ResourceUse(
                service - earlier.service, server - earlier.server, database - earlier.database, wal - earlier.wal);
    }

    /** The same for one of so many requests, CPU in milliseconds. */
    ResourceUse perRequest(long requests) {
        return new ResourceUse(
                MILLIS * service / requests, MILLIS * server / requests, MILLIS * database / requests, wal / requests);
    }

    double cpu() {
        return service + server + database;
    }
}
