package dev.parley.reader.render;

import java.nio.charset.StandardCharsets;

/** A format that takes a library to render. */
public enum RenderedFormat {
    HTML,
    PDF,
    SLIDES;

    /**
     * Renders a text.
     *
     * @param title of the document, if the text has none
     */
    public byte[] render(String title, String text) throws UnrenderableText {
        try {
            return switch (this) {
                case HTML -> SafeHtml.document(title, text).getBytes(StandardCharsets.UTF_8);
                case PDF -> PdfRenderer.of(title, text);
                case SLIDES -> SlideRenderer.of(title, text);
            };
        } catch (StackOverflowError e) {
            throw new UnrenderableText("The text is nested too deeply.", e);
        }
    }
}
