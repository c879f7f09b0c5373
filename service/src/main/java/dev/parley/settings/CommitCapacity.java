package dev.parley.settings;

/**
 * How much a queue of rows for the database takes.
 *
 * @param writers transactions at the same time
 * @param rows that may wait
 * @param characters of these rows together; they are in the heap
 */
public record CommitCapacity(int writers, int rows, long characters) {
    public CommitCapacity withWriters(int number) {
        return new CommitCapacity(number, rows, characters);
    }
}
