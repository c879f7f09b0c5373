package dev.parley.workflow.definition.core.document;

/** Limits of an agent document and the values in it. Text is measured in Unicode code points. */
public final class DefinitionLimits {
    /** Tasks of one workflow. */
    public static final int TASKS = 1_000;

    /** Names of workflows, tasks, parameters, providers and tools, and ids that are text. */
    public static final int NAME = 200;

    /** Tools that the model of one task may call. */
    public static final int TOOLS = 32;

    /** Instructions of a task. */
    public static final int INSTRUCTIONS = 65_536;

    /** Descriptions of workflows and of parameters. */
    public static final int DESCRIPTION = 10_000;

    /** Nesting of {@code items}. */
    public static final int ITEMS_DEPTH = 16;

    /** Nesting of a value of any shape; equal to the API's limit for JSON. */
    public static final int VALUE_DEPTH = 64;

    /** Digits of an INTEGER, and of a number in a value of any shape. */
    public static final int DIGITS = 1_000;

    /** Minutes until a Human task's ticket is due: at most a year. */
    public static final int DUE_IN_MINUTES = 525_600;

    /** Items that a task may run for. */
    public static final int ITEMS = 10_000;

    /** Items of a task that may be in progress at the same time. */
    public static final int PARALLEL_ITEMS = 100;

    /** The same, if the definition does not say. */
    public static final int DEFAULT_PARALLEL_ITEMS = 10;

    /** Runs of a task that repeats until a condition holds. */
    public static final int ITERATIONS = 1_000;

    private DefinitionLimits() {}

    /** Whether a text has at most so many code points. Counts them only if the length in chars leaves it open. */
    public static boolean allow(String text, int max) {
        return text.length() <= max || text.codePointCount(0, text.length()) <= max;
    }
}
