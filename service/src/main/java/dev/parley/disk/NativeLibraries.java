package dev.parley.disk;

import java.util.Optional;

/**
 * The directory of {@code libstdc++} in a release, which PostgreSQL and the table engine need and some systems lack. The
 * launcher names it in {@code LD_LIBRARY_PATH}; programs that start with an empty environment get it from here.
 */
public final class NativeLibraries {
    private static final String VARIABLE = "LD_LIBRARY_PATH";

    private NativeLibraries() {}

    public static void addTo(ProcessBuilder builder) {
        Optional.ofNullable(System.getenv(VARIABLE))
                .ifPresent(path -> builder.environment().put(VARIABLE, path));
    }
}
