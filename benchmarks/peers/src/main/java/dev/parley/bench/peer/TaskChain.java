package dev.parley.bench.peer;

/** The work of a task and the result of a workflow, the same for all peers. */
final class TaskChain {
    private TaskChain() {}

    /** Repeats its text, as Parley's offline model does for the tasks of the example workflows. */
    static String runTask(String text) {
        return "[" + text.replace("[", "").replace("]", "") + "]";
    }

    static String result(String id, String output) {
        return "{\"id\":\"" + id + "\",\"status\":\"COMPLETED\",\"output\":{\"text\":\"" + output + "\"}}";
    }
}
