package dev.parley.openai.request;

import dev.parley.llm.ChatFile;
import dev.parley.openai.request.InputContent.InputFile;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The content of a {@code data:} URL in Base64. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DataUrl(String contentType, byte[] bytes) {
    private static final String SCHEME = "data:";
    private static final String BASE64 = ";base64";
    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    /** Empty for other URLs; a 400 if it is malformed. */
    public static Optional<DataUrl> of(InputFile file) {
        String url = file.url();
        if (!url.startsWith(SCHEME)) {
            return Optional.empty();
        }
        int comma = url.indexOf(',');
        String head = comma < 0 ? "" : url.substring(SCHEME.length(), comma);
        try {
            if (!head.endsWith(BASE64)) {
                throw new IllegalArgumentException("not Base64");
            }
            String type = head.substring(0, head.length() - BASE64.length());
            int parameters = type.indexOf(';');
            byte[] bytes = Base64.getDecoder().decode(url.substring(comma + 1));
            return Optional.of(new DataUrl(
                    (parameters < 0 ? type : type.substring(0, parameters)).toLowerCase(Locale.ROOT), bytes));
        } catch (IllegalArgumentException _) {
            throw file.unreadable("It must be data:<type>;base64,<Base64>.");
        }
    }

    /** An image or a text as a model gets it; other files have to be uploaded first. */
    public ChatFile forModel(InputFile file) {
        if (IMAGES.contains(contentType) && bytes.length > 0) {
            return ChatFile.image(file.name(), contentType, bytes);
        }
        if (contentType.startsWith("text/")) {
            return ChatFile.text(file.name(), contentType, new String(bytes, StandardCharsets.UTF_8));
        }
        throw file.unreadable(
                "Only images (PNG, JPEG, GIF, WebP) and texts can be inline; upload other files and send their s3: URL.");
    }
}
