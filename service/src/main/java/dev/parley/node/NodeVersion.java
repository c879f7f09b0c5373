package dev.parley.node;

/**
 * What this process runs, for other nodes, operators and logs.
 *
 * @param version the release
 * @param schema the number of its last migration
 */
public record NodeVersion(String version, int schema) {}
