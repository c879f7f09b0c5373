package dev.parley.budget.usage;

/** The groupings of a report of usage, in SQL. */
enum UsageGrouping {
    MODEL("u.model", "NULL::text", "cost_micros DESC"),
    WORKFLOW("replace(u.workflow_id::text, '-', '')", "w.name", "cost_micros DESC"),
    API_KEY("replace(u.api_key_id::text, '-', '')", "k.name", "cost_micros DESC"),
    DAY("to_char(u.day, 'YYYY-MM-DD')", "NULL::text", "key");

    final String key;
    final String name;
    final String order;

    UsageGrouping(String key, String name, String order) {
        this.key = key;
        this.name = name;
        this.order = order;
    }
}
