package dev.parley.workflow.task.file;

/** A text cannot be rendered as the requested type. The message is for users and models. */
public final class UnrenderableTextException extends Exception {
    private static final long serialVersionUID = 1;

    UnrenderableTextException(String detail) {
        super(detail);
    }

    UnrenderableTextException(String detail, Throwable cause) {
        super(detail, cause);
    }

    public String detail() {
        return String.valueOf(getMessage());
    }
}
