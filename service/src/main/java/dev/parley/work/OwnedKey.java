package dev.parley.work;

/**
 * A key with work that a node owns.
 *
 * @param version increases when another node adds work; 0 if that is signalled in another way
 */
public record OwnedKey<K>(K key, WorkGroup group, int version) {}
