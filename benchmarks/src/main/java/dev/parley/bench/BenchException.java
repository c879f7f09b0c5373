package dev.parley.bench;

/** Why the bench cannot go on, in words for whoever started it. */
final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BenchException(String message) {
        super(message);
    }
}
