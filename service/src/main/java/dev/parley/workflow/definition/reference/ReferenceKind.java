package dev.parley.workflow.definition.reference;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The entities of an organization that documents reference by their ids. */
public enum ReferenceKind {
    TOOL("tool"),
    CODE_ARTIFACT("code artifact"),
    DATA_LAKE("data lake"),
    TEAM("team");

    private final String noun;

    ReferenceKind(String noun) {
        this.noun = noun;
    }

    /** As in the database and the API. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    String noun() {
        return noun;
    }

    static Optional<ReferenceKind> of(String text) {
        return Stream.of(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
}
