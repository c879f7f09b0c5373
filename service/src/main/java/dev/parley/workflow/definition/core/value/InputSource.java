package dev.parley.workflow.definition.core.value;

import dev.parley.workflow.definition.core.document.EnumNames;

/** The source of an input parameter's value. */
public enum InputSource {
    /** The definition's own {@code value}. */
    TASK_CONFIG,
    /** A connection from another task, or a system value by its name. */
    SYSTEM_GENERATED,
    /** The trigger's {@code inputs}, its {@code human_msg}, or a question to the user. */
    HUMAN_INPUT;

    /** The word in the agent document. */
    public String text() {
        return EnumNames.lowerCase(this);
    }
}
