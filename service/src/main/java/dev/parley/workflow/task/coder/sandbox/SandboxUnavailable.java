package dev.parley.workflow.task.coder.sandbox;

/** The code was not run, for a reason other than the code; it may run later. Clients may see the message. */
public final class SandboxUnavailable extends Exception {
    private static final long serialVersionUID = 1;

    SandboxUnavailable(String detail) {
        super(detail);
    }

    public String detail() {
        return String.valueOf(getMessage());
    }
}
