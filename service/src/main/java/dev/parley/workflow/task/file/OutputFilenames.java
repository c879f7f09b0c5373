package dev.parley.workflow.task.file;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Names files after the output, with a common extension. */
final class OutputFilenames {
    private static final Pattern ENDING = Pattern.compile(".*\\.[A-Za-z0-9]{1,8}");
    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("application/pdf", ".pdf"),
            Map.entry("image/png", ".png"),
            Map.entry("image/jpeg", ".jpg"),
            Map.entry("image/gif", ".gif"),
            Map.entry("image/webp", ".webp"),
            Map.entry("image/svg+xml", ".svg"),
            Map.entry("audio/mpeg", ".mp3"),
            Map.entry("audio/wav", ".wav"),
            Map.entry("video/mp4", ".mp4"),
            Map.entry("text/plain", ".txt"),
            Map.entry("text/csv", ".csv"),
            Map.entry("text/html", ".html"),
            Map.entry("text/markdown", ".md"),
            Map.entry("application/json", ".json"),
            Map.entry("application/xml", ".xml"),
            Map.entry("text/xml", ".xml"),
            Map.entry("application/zip", ".zip"));

    private OutputFilenames() {}

    static String extension(String contentType) {
        int end = contentType.indexOf(';');
        String bare = (end < 0 ? contentType : contentType.substring(0, end)).strip();
        return EXTENSIONS.getOrDefault(bare.toLowerCase(Locale.ROOT), ".bin");
    }

    /** The file name. An existing extension such as {@code main.py} is kept if the type is plain text. */
    static String of(String output, String extension) {
        boolean text = extension.equals(".txt") || extension.equals(".bin");
        return output.toLowerCase(Locale.ROOT).endsWith(extension)
                        || (text && ENDING.matcher(output).matches())
                ? output
                : output + extension;
    }
}
