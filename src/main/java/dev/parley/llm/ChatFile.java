package dev.parley.llm;

/**
 * A file that a model is given: a picture to look at, or what could be read of it as text.
 *
 * @param text empty for a picture
 * @param image empty for a text; not copied, and must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
public record ChatFile(String name, String contentType, String text, byte[] image) {
    private static final byte[] NONE = {};

    public static ChatFile text(String name, String contentType, String text) {
        return new ChatFile(name, contentType, text, NONE);
    }

    public static ChatFile image(String name, String contentType, byte[] image) {
        return new ChatFile(name, contentType, "", image);
    }

    public boolean isImage() {
        return image.length > 0;
    }

    /** The text with the file's name around it; of a picture the name alone. */
    public String shown() {
        return isImage()
                ? "File '" + name + "' (" + contentType + ")"
                : "File '" + name + "' (" + contentType + "):\n" + text + "\n[End of the file '" + name + "']";
    }
}
