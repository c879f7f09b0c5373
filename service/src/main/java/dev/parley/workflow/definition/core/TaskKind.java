package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The kinds of tasks, the properties that only tasks of each kind have, and what these tasks may do. */
public enum TaskKind {
    AI("AI", false, false, true, false),
    HUMAN("Human", true, true, false, false),
    APP("App", false, true, false, false),
    CODER("Coder", false, true, false, true);

    public static final Map<String, TaskKind> BY_TEXT = EnumNames.of(values(), TaskKind::text);

    private final String text;
    private final boolean opensTicket;
    private final boolean mayFetchAnyUrl;
    private final boolean knowsEarlierOutputs;
    private final boolean hasConsole;

    TaskKind(
            String text, boolean opensTicket, boolean mayFetchAnyUrl, boolean knowsEarlierOutputs, boolean hasConsole) {
        this.text = text;
        this.opensTicket = opensTicket;
        this.mayFetchAnyUrl = mayFetchAnyUrl;
        this.knowsEarlierOutputs = knowsEarlierOutputs;
        this.hasConsole = hasConsole;
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

    /** Whether its runs write to a console, which is stored with the attempt. */
    public boolean hasConsole() {
        return hasConsole;
    }

    /** The word in the agent document. */
    public String text() {
        return text;
    }

    /** Whether the parameter lists are required; a person may need none. */
    public boolean requiresParameters() {
        return !opensTicket;
    }

    /** The properties that only tasks of this kind have. */
    public List<DocumentProperty<?>> ownProperties() {
        return switch (this) {
            case AI ->
                List.of(
                        AiTask.TOOLS,
                        UsageLimits.LIMITS,
                        ModelChoice.MODEL,
                        ModelChoice.FALLBACKS,
                        ModelChoice.TEMPERATURE,
                        ModelChoice.OUTPUT_TOKENS,
                        ModelChoice.REASONING_EFFORT);
            case HUMAN -> List.of(HumanTask.DUE_IN_MINUTES);
            case APP -> List.of(AppTask.PROVIDER, AppTask.TOOL_ID, AppTask.TOOL_NAME);
            case CODER -> List.of(CoderTask.CODE_ARTIFACT_ID);
        };
    }

    /** Reads the own properties, to be completed with the basics; null if one of them is missing or invalid. */
    public @Nullable Function<TaskBasics, Task> read(
            ObjectReader fields,
            @Nullable KnownReferences known,
            ControlFlow flow,
            List<ReadTask.ReadInput> inputs,
            List<ReadTask.ReadOutput> outputs) {
        return switch (this) {
            case AI -> AiTask.read(fields, known);
            case HUMAN -> HumanTask.read(fields);
            case APP -> AppTask.read(fields, known, flow, inputs, outputs);
            case CODER -> CoderTask.read(fields, known, inputs);
        };
    }
}
