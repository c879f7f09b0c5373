package dev.parley.llm;

/**
 * A file for a model: a picture to look at, what could be read of it as text, or only the reason why it gets neither.
 *
 * @param text empty for a picture, and for a file that was not read
 * @param image empty for all but a picture; not copied, and must not be changed
 * @param fault a sentence that says why the file was not read; empty where it was
 */
@SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
public record ChatFile(String name, String contentType, String text, byte[] image, String fault) {
    private static final byte[] NONE = {};

    public static ChatFile text(String name, String contentType, String text) {
        return new ChatFile(name, contentType, text, NONE, "");
    }

    public static ChatFile image(String name, String contentType, byte[] image) {
        return new ChatFile(name, contentType, "", image, "");
    }

    public static ChatFile unread(String name, String contentType, String fault) {
        return new ChatFile(name, contentType.isEmpty() ? "unknown type" : contentType, "", NONE, fault);
    }

    public boolean isImage() {
        return image.length > 0;
    }

    public boolean isRead() {
        return fault.isEmpty();
    }

    /** The text with the file's name around it; of a picture the name alone. */
    public String shown() {
        String named = "File '" + name + "' (" + contentType + ")";
        if (!isRead()) {
            return named + " was not read: " + fault;
        }
        return isImage() ? named : named + ":\n" + text + "\n[End of the file '" + name + "']";
    }
}
