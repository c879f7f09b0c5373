package dev.parley.llm;

/**
 * A file in a request: an image, extracted text, or the reason why the file could not be read.
 *
 * @param text empty for an image and for an unreadable file
 * @param image empty unless the file is an image; not copied, and must not be modified
 * @param fault a sentence with the reason; empty for a readable file
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

    /** The file as a text for the model: its name and type, followed by its text or the reason. */
    public String promptText() {
        String named = "File '" + name + "' (" + contentType + ")";
        if (!isRead()) {
            return named + " was not read: " + fault;
        }
        return isImage() ? named : named + ":\n" + text + "\n[End of the file '" + name + "']";
    }
}
