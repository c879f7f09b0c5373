package dev.parley.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Every metric of the service, beside those of its libraries. docs/reference/metrics.md has these texts. A label has few
 * values, whatever clients send.
 */
public enum Metric {
    INSTANCES_FINISHED(
            Type.COUNTER,
            "parley.instances.finished",
            "Workflow instances that ended on this node, test runs excepted. `status` is `completed`, `failed`, `cancelled` or"
                    + " `terminated`; `workflow` is an id, or `other` beyond the first 100 workflows of a node",
            "`failed` grows faster than usual, or is most of what ends",
            "workflow",
            "status"),
    INSTANCES_RUNNING(
            Type.GAUGE,
            "parley.instances.running",
            "Workflow instances running on this node",
            "It grows while nothing ends"),
    INSTANCES_SET_ASIDE(
            Type.GAUGE,
            "parley.instances.set.aside",
            "Workflow instances of all nodes that are not run, because their handling did not return",
            "Above 0"),
    TASK_RUNS(
            Type.TIMER,
            "parley.task.runs",
            "Attempts of tasks. `outcome` is `succeeded`, `failed`, `timed_out` or `stopped`",
            "`timed_out` or `failed` grow for a kind that worked",
            "kind",
            "outcome"),
    TICKETS_OPEN(
            Type.GAUGE,
            "parley.tickets.open",
            "Tickets of all organizations that are open or in progress, counted up to 10,000",
            "It grows from day to day"),
    TICKETS_OVERDUE(
            Type.GAUGE,
            "parley.tickets.overdue",
            "Those of them whose due date has passed",
            "It stays above 0 for longer than your people's shift"),
    MESSAGES_ACCEPTED(
            Type.COUNTER,
            "parley.messages.accepted",
            "Messages of clients and users that were stored",
            "It is flat while clients send"),
    MESSAGE_PROCESSING(
            Type.TIMER,
            "parley.message.processing",
            "How long messages take in their handlers. `outcome` is `answered`, `taken` by a workflow, or `failed`",
            "`failed` grows, or the mean of `answered` exceeds what the chat model needs",
            "outcome"),
    MESSAGE_OLDEST(
            Type.GAUGE,
            "parley.message.oldest.waiting.seconds",
            "Age of the oldest message of all organizations that has no result, among the 1,000 conversations that wait"
                    + " longest. Messages behind an unfinished workflow instance do not count",
            "Above the longest reply that you expect, and above `PARLEY_LLM_RETRY_TIME`"),
    RATE_LIMIT_REFUSALS(
            Type.COUNTER,
            "parley.rate.limit.refusals",
            "Messages rejected by their organization's rate limit",
            "It grows steadily: a client ignores `Retry-After`, or needs a higher limit"),
    MODEL_CALLS(
            Type.TIMER,
            "parley.model.calls",
            "Calls of chat models, retries included. `provider` is `installation`, or the kind of an organization's"
                    + " provider, whose models share the label `organization`. `outcome` is `answered`,"
                    + " `transient_fault`, `permanent_fault`, `interrupted` or `error`",
            "Faults are more than a few percent of a provider's calls",
            "provider",
            "model",
            "outcome"),
    MODEL_TOKENS(
            Type.COUNTER,
            "parley.model.tokens",
            "Tokens that chat models read (`prompt`) and wrote (`completion`), as they count them",
            "It grows faster than the messages: compare with the [budgets](budgets.md)",
            "provider",
            "model",
            "direction"),
    MODEL_FAILING(
            Type.GAUGE,
            "parley.model.failing.seconds",
            "Time since the installation's chat model began to fail at every call; 0 while it replies",
            "Above a few minutes",
            "model"),
    MODEL_REPLIES_POSTPONED(
            Type.COUNTER,
            "parley.model.replies.postponed",
            "Chat replies postponed while the model is unavailable",
            "It grows steadily"),
    MODEL_REPLIES_ABANDONED(
            Type.COUNTER,
            "parley.model.replies.abandoned",
            "Chat replies given up because the model is unavailable",
            "Any growth: people got no reply"),
    WEBHOOK_DELIVERIES(
            Type.COUNTER,
            "parley.webhook.deliveries",
            "Results of webhooks. `outcome` is `delivered`, `retrying` after a failed attempt, `failed` after the last one,"
                    + " or `cancelled`",
            "Any growth of `failed`; `retrying` is more than a few percent",
            "outcome"),
    MAILS(
            Type.COUNTER,
            "parley.mails",
            "Results of emails. `outcome` is `sent`, `retrying` after a failed attempt, `failed`, or `uncertain` if the"
                    + " server may have accepted it",
            "Any growth of `failed` or `uncertain`",
            "outcome"),
    WORK_KEYS(
            Type.GAUGE,
            "parley.work.keys",
            "Keys with a worker on this node; a `kind` of work is `message`, `instance`, `webhook` or `mail`",
            "",
            "kind"),
    WORK_RUNNING(Type.GAUGE, "parley.work.running", "Workers that run", "", "kind"),
    WORK_WAITING(
            Type.GAUGE,
            "parley.work.waiting",
            "Workers that wait for their turn",
            "It stays high: the node, or the database, is too small",
            "kind"),
    SSE_SUBSCRIBERS(Type.GAUGE, "parley.sse.subscribers", "Subscribers of live events on this node", ""),
    DATABASE_CONNECTIONS(
            Type.GAUGE,
            "parley.database.connections",
            "Connections of this node's pool, `active` or `idle`, and threads that wait for one (`waited_for`)",
            "`waited_for` stays above 0",
            "state"),
    GROUP_COMMIT_ROWS(Type.SUMMARY, "parley.group.commit.rows", "Rows written by one transaction", "", "queue"),
    GROUP_COMMIT_WAITING(
            Type.GAUGE,
            "parley.group.commit.waiting",
            "Rows waiting to be written",
            "It stays high: the database's disk is too slow",
            "queue"),
    HTTP_BODIES_WAITING(
            Type.GAUGE,
            "parley.http.bodies.waiting",
            "Requests waiting for the heap budget of request bodies",
            "It stays above 0: the heap is too small for what clients upload"),
    HTTP_UNSENT_BYTES(
            Type.GAUGE,
            "parley.http.unsent.bytes",
            "Bytes of responses waiting for clients that do not read",
            "It nears a tenth of the heap"),
    HTTP_SLOW_READERS_CLOSED(
            Type.COUNTER,
            "parley.http.slow.readers.closed",
            "Connections closed because their clients did not read responses",
            "It grows steadily");

    private final Type type;
    private final String id;
    private final String meaning;
    private final String worry;

    /** With commas between them; an enum must be immutable. */
    private final String labels;

    /** How its samples are read. */
    public enum Type {
        COUNTER,
        GAUGE,
        TIMER,
        SUMMARY
    }

    Metric(Type type, String id, String meaning, String worry, String... labels) {
        this.type = type;
        this.id = id;
        this.meaning = meaning;
        this.worry = worry;
        this.labels = String.join(",", labels);
    }

    public Type type() {
        return type;
    }

    /** The name of its meters. */
    public String id() {
        return id;
    }

    public String meaning() {
        return meaning;
    }

    /** When an operator should worry; empty if it only explains others. */
    public String worry() {
        return worry;
    }

    public List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(",", -1));
    }

    /** The counter with these values of the labels. */
    public Counter counter(String... values) {
        return Counter.builder(id).description(meaning).tags(tags(values)).register(Metrics.globalRegistry);
    }

    public Timer timer(String... values) {
        return Timer.builder(id).description(meaning).tags(tags(values)).register(Metrics.globalRegistry);
    }

    public DistributionSummary summary(String... values) {
        return DistributionSummary.builder(id)
                .description(meaning)
                .tags(tags(values))
                .register(Metrics.globalRegistry);
    }

    /**
     * Replaces the gauge of an earlier object, such as that of a service stopped in this process.
     *
     * @param object not kept from being collected
     */
    public <T> void gauge(T object, ToDoubleFunction<T> value, String... values) {
        List<Tag> tags = tags(values);
        Metrics.globalRegistry.find(id).tags(tags).gauges().forEach(Metrics.globalRegistry::remove);
        Gauge.builder(id, object, value).description(meaning).tags(tags).register(Metrics.globalRegistry);
    }

    private List<Tag> tags(String... values) {
        List<String> names = labels();
        if (values.length != names.size()) {
            throw new IllegalArgumentException(id + " has the labels " + names);
        }
        return IntStream.range(0, values.length)
                .mapToObj(i -> Tag.of(names.get(i), values[i]))
                .toList();
    }
}
