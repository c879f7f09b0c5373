package dev.parley.workflow.task.coder.sandbox;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The supported languages. */
public enum CodeLanguage {
    JAVASCRIPT("js"),
    PYTHON("python");

    private final String engine;

    CodeLanguage(String engine) {
        this.engine = engine;
    }

    /** The name in the API and the database. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<CodeLanguage> of(@Nullable String text) {
        return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
    }

    /** The interpreter's name for it. */
    String engine() {
        return engine;
    }
}
