package dev.parley.workflow.definition.core;

/** The source of an input parameter's value. */
public enum InputSource {
    /** The definition's own {@code value}. */
    TASK_CONFIG("task_config"),
    /** A connection from another task, or a system value by its name. */
    SYSTEM_GENERATED("system_generated"),
    /** The trigger's {@code inputs}, its {@code human_msg}, or a question to the user. */
    HUMAN_INPUT("human_input");

    private final String text;

    InputSource(String text) {
        this.text = text;
    }

    /** The word in the agent document. */
    public String text() {
        return text;
    }
}
