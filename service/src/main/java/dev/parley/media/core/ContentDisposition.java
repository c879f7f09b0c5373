package dev.parley.media.core;

import java.nio.charset.StandardCharsets;

/** {@code Content-Disposition: attachment} with a file name for all clients (RFC 6266, RFC 8187). */
public final class ContentDisposition {
    private static final String UNESCAPED = "!#$&+-.^_`|~";

    private ContentDisposition() {}

    public static String attachment(String name) {
        var ascii = new StringBuilder();
        var encoded = new StringBuilder();
        name.codePoints().forEach(c -> {
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            ascii.append(c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%' ? '_' : (char) c);
            if (isLetter || (c < 127 && UNESCAPED.indexOf(c) >= 0)) {
                encoded.append((char) c);
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    encoded.append(String.format("%%%02X", b & 0xFF));
                }
            }
        });
        return "attachment; filename=\"" + ascii + "\"; filename*=UTF-8''" + encoded;
    }
}
