package dev.parley.console;

import dev.parley.http.StaticFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the built dashboard by path, compressed in memory (about a megabyte). The build lists them in
 * {@code files.txt}; a service built without the dashboard has none.
 */
final class PageFiles {
    private static final String LIST = "/files.txt";

    private final Map<String, PageFile> files;

    /**
     * A file of the dashboard.
     *
     * @param hashed whether the name changes with the content
     */
    record PageFile(StaticFile content, boolean hashed) {}

    private PageFiles(Map<String, PageFile> files) {
        this.files = files;
    }

    static PageFiles inClassPath(String root) {
        Map<String, PageFile> files = new LinkedHashMap<>();
        byte[] list = read(root + LIST);
        if (list != null) {
            new String(list, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .forEach(name -> {
                        byte[] content = read(root + "/" + name);
                        if (content == null) {
                            throw new IllegalStateException("the dashboard's file " + name + " is not in the jar");
                        }
                        files.put(
                                "/" + name,
                                new PageFile(new StaticFile(content, type(name)), name.startsWith("assets/")));
                    });
        }
        return new PageFiles(files);
    }

    @Nullable
    PageFile find(String path) {
        return files.get(path);
    }

    private static byte @Nullable [] read(String name) {
        try (InputStream found = PageFiles.class.getResourceAsStream(name)) {
            return found == null ? null : found.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "woff2" -> "font/woff2";
            case "md" -> "text/plain; charset=utf-8";
            case "json", "webmanifest" -> "application/json";
            default -> "application/octet-stream";
        };
    }
}
