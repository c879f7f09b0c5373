package dev.parley.console.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files of {@code examples/} in the jar. */
final class ExampleFiles {
    private ExampleFiles() {}

    static String read(String name) {
        try (InputStream found = ExampleFiles.class.getResourceAsStream("/examples/" + name)) {
            if (found == null) {
                throw new IllegalStateException("the example " + name + " is not in the jar");
            }
            return new String(found.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
