package dev.parley.console;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the built dashboard, by their paths, kept compressed in memory (about a megabyte). The build lists them
 * in {@code files.txt}; a service that was built without the dashboard has none.
 */
final class PageFiles {
    private static final String LIST = "/files.txt";
    private static final int ETAG_BYTES = 12;

    private final Map<String, File> files;

    /**
     * A file as it is sent.
     *
     * @param etag in quotes
     * @param hashed whether the name changes with the content
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
    record File(byte[] packed, String type, String etag, boolean hashed) {
        byte[] plain() {
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private PageFiles(Map<String, File> files) {
        this.files = files;
    }

    static PageFiles inClassPath(String root) {
        Map<String, File> files = new LinkedHashMap<>();
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
                                new File(pack(content), type(name), etag(content), name.startsWith("assets/")));
                    });
        }
        return new PageFiles(files);
    }

    @Nullable
    File find(String path) {
        return files.get(path);
    }

    private static byte @Nullable [] read(String name) {
        try (InputStream found = PageFiles.class.getResourceAsStream(name)) {
            return found == null ? null : found.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] pack(byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static String etag(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(hash, 0, ETAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "woff2" -> "font/woff2";
            case "json", "webmanifest" -> "application/json";
            default -> "application/octet-stream";
        };
    }
}
