package dev.parley.workflow.definition.core;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** The kinds of tasks. */
public enum TaskKind {
    AI("AI"),
    HUMAN("Human"),
    APP("App"),
    CODER("Coder");

    static final Map<String, TaskKind> WORDS = EnumNames.of(values(), TaskKind::text);

    private static final Set<String> COMMON =
            Set.of("id", "kind", "name", "instructions", "error_policy", "input_parameters", "expected_output");

    /** Minutes until a Human task's ticket is due. */
    static final String DUE_IN_MINUTES = "due_in_minutes";

    private final String text;

    TaskKind(String text) {
        this.text = text;
    }

    /** The word in the agent document. */
    public String text() {
        return text;
    }

    /** Whether the parameter lists are required; they are optional for a Human task. */
    public boolean parametersRequired() {
        return this != HUMAN;
    }

    /** The required fields that only this kind has. */
    public Set<String> ownFields() {
        return switch (this) {
            case AI, HUMAN -> Set.of();
            case APP -> Set.of("provider", "tool_name", "tool_id");
            case CODER -> Set.of("code_artifact_id");
        };
    }

    /** The optional fields that only this kind has, all of them integers. */
    public Set<String> optionalFields() {
        return this == HUMAN ? Set.of(DUE_IN_MINUTES) : Set.of();
    }

    /** Whether a task of this kind may list tools. */
    public boolean mayUseTools() {
        return this == AI;
    }

    boolean has(String field) {
        return COMMON.contains(field)
                || (mayUseTools() && field.equals("tools"))
                || ownFields().contains(field)
                || optionalFields().contains(field);
    }

    /** Whether any kind of task has this field. */
    static boolean anyHas(String field) {
        return Arrays.stream(values()).anyMatch(kind -> kind.has(field));
    }
}
