package dev.parley.workflow.definition.core;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** The kinds of tasks, and what tasks of each kind may do. */
public enum TaskKind {
    AI("AI", false, false, true),
    HUMAN("Human", true, true, false),
    APP("App", false, true, false),
    CODER("Coder", false, true, false);

    static final Map<String, TaskKind> WORDS = EnumNames.of(values(), TaskKind::text);

    private static final Set<String> COMMON =
            Set.of("id", "kind", "name", "instructions", "error_policy", "input_parameters", "expected_output");

    /** Minutes until a Human task's ticket is due. */
    static final String DUE_IN_MINUTES = "due_in_minutes";

    private final String text;
    private final boolean opensTicket;
    private final boolean mayFetchAnyUrl;
    private final boolean knowsEarlierOutputs;

    TaskKind(String text, boolean opensTicket, boolean mayFetchAnyUrl, boolean knowsEarlierOutputs) {
        this.text = text;
        this.opensTicket = opensTicket;
        this.mayFetchAnyUrl = mayFetchAnyUrl;
        this.knowsEarlierOutputs = knowsEarlierOutputs;
    }

    /** Whether a person does the task by a ticket; other kinds have an executor. */
    public boolean opensTicket() {
        return opensTicket;
    }

    /**
     * Whether the service fetches a file output from any URL that the task names. A model may have read what an attacker
     * wrote, so its tasks may name only URLs that they were given.
     */
    public boolean mayFetchAnyUrl() {
        return mayFetchAnyUrl;
    }

    /** Whether each run is given the outputs of earlier instances of the conversation. */
    public boolean knowsEarlierOutputs() {
        return knowsEarlierOutputs;
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
