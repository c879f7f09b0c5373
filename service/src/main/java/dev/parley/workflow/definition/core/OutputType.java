package dev.parley.workflow.definition.core;

/** The types of output parameters: basic ones, and kinds of files. */
public enum OutputType {
    BOOLEAN(false),
    INTEGER(false),
    FLOAT(false),
    STRING(false),
    DATETIME(false),
    TEXT(true),
    MARKDOWN(true),
    HTML(true),
    CODE(true),
    PDF(true),
    CSV(true),
    XML(true),
    FILE(true),
    PPT(true);

    private final boolean file;

    OutputType(boolean file) {
        this.file = file;
    }

    /** Whether the value is a file, which is passed between tasks as its S3-style URI. */
    public boolean isFile() {
        return file;
    }
}
