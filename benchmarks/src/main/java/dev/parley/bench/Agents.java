package dev.parley.bench;

import java.util.Map;
import javax.sql.DataSource;

/**
 * The cost of an agent's journal: runs with tool calls that are refused at once, compared with runs without calls. Each
 * call of the model and of the tool is one append.
 *
 * @param millisPerCall of one run at a time
 * @param walPerCall bytes of write-ahead log
 */
record Agents(double millisPerCall, double walPerCall) {
    private static final int TOOL_CALLS = 10;
    private static final int WARM_UP_RUNS = 200;
    private static final int RUNS = 200;
    private static final double NANOS_PER_MILLI = 1e6;

    /** The time and the write-ahead log of several runs. */
    private record Cost(double nanos, double wal) {}

    static Agents measure(Api api, DataSource database, String workflow) {
        String calls = "offline:call http.request {}\n".repeat(TOOL_CALLS);
        run(api, workflow, "Hello", WARM_UP_RUNS);
        run(api, workflow, calls, WARM_UP_RUNS);
        Cost without = cost(api, database, workflow, "Hello");
        Cost with = cost(api, database, workflow, calls);
        int appends = RUNS * 2 * TOOL_CALLS;
        return new Agents((with.nanos - without.nanos) / NANOS_PER_MILLI / appends, (with.wal - without.wal) / appends);
    }

    String text() {
        return "%.2f ms and %,.0f bytes of write-ahead log per call of a model or a tool, journaled before the next"
                .formatted(millisPerCall, walPerCall);
    }

    private static Cost cost(Api api, DataSource database, String workflow, String message) {
        double wal = WriteAheadLog.position(database);
        long begun = System.nanoTime();
        run(api, workflow, message, RUNS);
        return new Cost(System.nanoTime() - begun, WriteAheadLog.position(database) - wal);
    }

    private static void run(Api api, String workflow, String message, int runs) {
        for (int i = 0; i < runs; i++) {
            String status = api.call("POST", Tenant.trigger(workflow), Map.of("human_msg", message))
                    .path("status")
                    .asText();
            if (!status.equals("COMPLETED")) {
                throw new BenchException("An agent's run is " + status + ".");
            }
        }
    }
}
