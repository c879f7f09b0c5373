package dev.parley.workflow.definition.core;

/** How large an agent document and the values in it may be. Lengths of text are in Unicode code points. */
public final class DefinitionLimits {
    /** Tasks of one workflow. */
    public static final int TASKS = 1_000;

    /** Names of workflows, tasks, parameters, providers and tools, and ids that are text. */
    public static final int NAME = 200;

    /** Tools that the model of one task may use. */
    public static final int TOOLS = 32;

    /** Instructions of a task. */
    public static final int INSTRUCTIONS = 65_536;

    /** Descriptions of workflows and of parameters. */
    public static final int DESCRIPTION = 10_000;

    /** How deep {@code items} may be nested in {@code items}. */
    public static final int ITEMS_DEPTH = 16;

    /** How deep a value of any shape may be nested, as deep as the API reads JSON at all. */
    public static final int VALUE_DEPTH = 64;

    /** Digits of an INTEGER, and of a number in a value of any shape. */
    public static final int DIGITS = 1_000;

    /** Minutes after which a Human task's ticket may be due: a year. */
    public static final int DUE_IN_MINUTES = 525_600;

    private DefinitionLimits() {}

    /** Whether a text has so many code points at most; it is counted only where that is not clear at once. */
    public static boolean allow(String text, int most) {
        return text.length() <= most || text.codePointCount(0, text.length()) <= most;
    }
}
