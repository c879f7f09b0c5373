package dev.parley.reader.render;

/** A text cannot be rendered. The message is for users and models. */
public final class UnrenderableText extends Exception {
    private static final long serialVersionUID = 1;

    UnrenderableText(String detail) {
        super(detail);
    }

    UnrenderableText(String detail, Throwable cause) {
        super(detail, cause);
    }
}
