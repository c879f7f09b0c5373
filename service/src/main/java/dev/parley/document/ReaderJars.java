package dev.parley.document;

/** The libraries that a process loads, which decide how long it takes to start. */
enum ReaderJars {
    PARSERS,
    TABLES,
    RENDERERS
}
