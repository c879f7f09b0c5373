package dev.parley.workflow.task.coder.sandbox;

/** Code was not run, for a reason that is not the code's: another time it may be. The sentence is for clients. */
public final class SandboxUnavailable extends Exception {
    private static final long serialVersionUID = 1;

    SandboxUnavailable(String sentence) {
        super(sentence);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
