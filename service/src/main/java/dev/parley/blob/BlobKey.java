package dev.parley.blob;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The name of a file within a store: parts separated by slashes, none of them empty, {@code .} or {@code ..}, without
 * control characters, at most 1,024 bytes of UTF-8. It is the path of the file's S3-style URI.
 */
public record BlobKey(String text) {
    private static final int MAX_BYTES = 1_024;

    public BlobKey {
        if (!isValid(text)) {
            throw new IllegalArgumentException("not a key of a file");
        }
    }

    /** Whether an untrusted text is a valid key. */
    public static boolean isValid(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
                && text.chars().noneMatch(c -> Character.isISOControl(c) || c == '\\')
                && List.of(text.split("/", -1)).stream()
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    public List<String> parts() {
        return List.of(text.split("/", -1));
    }

    @Override
    public String toString() {
        return text;
    }
}
