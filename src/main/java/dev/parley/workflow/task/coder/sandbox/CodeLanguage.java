package dev.parley.workflow.task.coder.sandbox;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What code may be written in. */
public enum CodeLanguage {
    JAVASCRIPT("js"),
    PYTHON("python");

    private final String engine;

    CodeLanguage(String engine) {
        this.engine = engine;
    }

    /** As the API and the database write it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public static Optional<CodeLanguage> of(@Nullable String text) {
        return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
    }

    /** The interpreter's own name. */
    String engine() {
        return engine;
    }
}
