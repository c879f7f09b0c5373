package dev.parley.document;

/** A format that takes a library to render; the reader program knows it by its name. */
public enum RenderedFormat {
    HTML,
    PDF,
    SLIDES
}
