package dev.parley.settings;

/** The memory, the connections and the log of the embedded PostgreSQL. */
public record PostgresSize(int sharedBuffersMegabytes, int connections, int maxWalMegabytes) {}
