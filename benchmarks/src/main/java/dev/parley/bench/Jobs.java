package dev.parley.bench;

import java.util.List;

/** The names of the jobs that systems are compared by. */
final class Jobs {
    static final String ONE_TASK = "one task";
    static final String TEN_TASKS = "ten tasks";
    static final String POST = "POST /messages";
    static final String GET = "GET …/messages?limit=50";

    static final List<String> TRIGGERS = List.of(ONE_TASK, TEN_TASKS);

    private Jobs() {}
}
