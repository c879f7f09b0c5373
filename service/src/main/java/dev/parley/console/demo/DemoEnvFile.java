package dev.parley.console.demo;

import dev.parley.disk.AtomicFile;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code demo.env} in the data directory, which a shell can source: the service's address and the credentials of the
 * demo organization. Readable only by its owner, and always replaced atomically.
 */
public record DemoEnvFile(Path path) {
    static final String URL = "PARLEY_URL";
    public static final String API_KEY = "PARLEY_API_KEY";
    static final String ORGANIZATION = "PARLEY_ORGANIZATION_ID";
    static final String WORKFLOW = "PARLEY_WORKFLOW_ID";
    public static final String EMAIL = "PARLEY_EMAIL";
    public static final String PASSWORD = "PARLEY_PASSWORD";

    static DemoEnvFile in(Path data) {
        return new DemoEnvFile(data.resolve("demo.env"));
    }

    boolean exists() {
        return Files.exists(path);
    }

    /** Replaces the file with these lines, in the map's order. */
    void write(Map<String, String> values) {
        replace(values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n", "", "\n")));
    }

    /** Updates the service's address; keeps all other lines. */
    void pointTo(String url) {
        try {
            List<String> lines = Files.readAllLines(path);
            List<String> now = lines.stream()
                    .map(line -> line.startsWith(URL + "=") ? URL + "=" + url : line)
                    .toList();
            if (!now.equals(lines)) {
                replace(String.join("\n", now) + "\n");
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** The value of a line; empty if there is none. */
    public Optional<String> read(String name) {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> line.startsWith(name + "="))
                    .map(line -> line.substring(name.length() + 1))
                    .filter(value -> !value.isEmpty())
                    .findFirst();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private void replace(String text) {
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            AtomicFile.write(path, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private SettingsException unusable(IOException e) {
        return new SettingsException("The file " + path + " cannot be used: " + e.getMessage() + ".");
    }
}
