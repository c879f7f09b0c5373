package dev.parley.workflow.task.file;

/** A text cannot be rendered as the requested type. The message is for users and models. */
public final class UnrenderableTextException extends Exception {
    private static final long serialVersionUID = 1;

    UnrenderableTextException(String sentence) {
        super(sentence);
    }

    UnrenderableTextException(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
