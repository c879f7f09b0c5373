package dev.parley.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/reference/metrics.md the metrics of the service. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MetricReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/metrics.md");
    private static final Pattern LABEL = Pattern.compile("[{,](\\w+)=\"");
    private static final String NOT_ALWAYS = "Not served before the first";

    private static final String LIBRARIES = """
            | `http_server_requests_seconds` | timer | seconds | `method`, `outcome`, `status`, `uri` | Requests by route. `uri` is `UNAUTHENTICATED` for 401. Not served before the first request. | 5xx are more than a few in a thousand. |
            | `http_server_active_connections` | gauge |  |  | Open connections of clients. | It nears the limit of open files. |
            | `http_server_active_requests` | gauge |  | `url_scheme` | Requests in progress. | It grows while the rate of requests does not. |
            | `http_server_connections_seconds` | timer | seconds |  | Open connections and how long they have been open. |  |
            | `http_server_errors_total` | counter |  | `class` | Errors of connections, such as resets by clients. Not served before the first error. |  |
            | `http_server_bytes_read` | summary | bytes |  | Bytes of request bodies. |  |
            | `http_server_bytes_written` | summary | bytes |  | Bytes of response bodies. |  |
            | `jvm_memory_used_bytes` | gauge | bytes | `area`, `id` | Memory in use by pool. | The heap stays above 95 % of its maximum. |
            | `jvm_memory_committed_bytes` | gauge | bytes | `area`, `id` | Memory that the JVM has from the system. |  |
            | `jvm_memory_max_bytes` | gauge | bytes | `area`, `id` | The limit of each pool; -1 for none. |  |
            | `jvm_memory_usage_after_gc` | gauge |  | `area`, `pool` | Share of the long-lived pool in use after the last collection. | Above 0.8. |
            | `jvm_gc_pause_seconds` | timer | seconds | `action`, `cause`, `gc` | Pauses of the garbage collector. Not served before the first collection. | Pauses above a second. |
            | `jvm_gc_concurrent_phase_time_seconds` | timer | seconds | `action`, `cause`, `gc` | Concurrent phases of G1. Not served before the first collection. |  |
            | `jvm_gc_overhead` | gauge |  |  | Share of the processor time for garbage collection. | Above 0.2. |
            | `jvm_gc_live_data_size_bytes` | gauge | bytes |  | Size of the long-lived pool after a full collection. |  |
            | `jvm_gc_max_data_size_bytes` | gauge | bytes |  | The limit of the long-lived pool. |  |
            | `jvm_gc_memory_allocated_bytes_total` | counter | bytes |  | Bytes allocated in the young pools. |  |
            | `jvm_gc_memory_promoted_bytes_total` | counter | bytes |  | Bytes moved to the long-lived pool. |  |
            | `jvm_buffer_count_buffers` | gauge | buffers | `id` | Buffers outside the heap. |  |
            | `jvm_buffer_memory_used_bytes` | gauge | bytes | `id` | Memory of buffers outside the heap. | It nears `PARLEY_DIRECT_MEMORY`. |
            | `jvm_buffer_total_capacity_bytes` | gauge | bytes | `id` | Capacity of these buffers. |  |
            | `jvm_classes_loaded_classes` | gauge | classes |  | Loaded classes. | It grows for days. |
            | `jvm_classes_loaded_count_classes_total` | counter | classes |  | Classes loaded since the start. |  |
            | `jvm_classes_unloaded_classes_total` | counter | classes |  | Classes unloaded since the start. |  |
            | `jvm_info_total` | counter |  | `runtime`, `vendor`, `version` | Version of the JVM; always 1. |  |
            | `jvm_threads_live_threads` | gauge | threads |  | Platform threads. | It grows for days. |
            | `jvm_threads_daemon_threads` | gauge | threads |  | Daemon threads among them. |  |
            | `jvm_threads_peak_threads` | gauge | threads |  | The most threads since the start. |  |
            | `jvm_threads_started_threads_total` | counter | threads |  | Threads started since the start. |  |
            | `jvm_threads_states_threads` | gauge | threads | `state` | Threads by state. | `blocked` stays high. |
            | `netty_allocator_memory_used` | gauge | bytes | `allocator_type`, `name`, `memory_type` | Memory of network buffers. |  |
            | `netty_allocator_memory_pinned` | gauge | bytes | `allocator_type`, `name`, `memory_type` | The part in use. |  |
            | `netty_allocator_pooled_arenas` | gauge |  | `allocator_type`, `name`, `memory_type` | Arenas of pooled buffers. |  |
            | `netty_allocator_pooled_cache_size` | gauge | bytes | `allocator_type`, `cache_type`, `name` | Caches of pooled buffers. |  |
            | `netty_allocator_pooled_chunk_size` | gauge | bytes | `allocator_type`, `name` | Size of a chunk of pooled buffers. |  |
            | `netty_allocator_pooled_threadlocal_caches` | gauge |  | `allocator_type`, `name` | Threads with a cache of pooled buffers. |  |
            | `netty_eventexecutor_tasks_pending` | gauge |  | `name` | Tasks that wait for an event loop. | It stays above 0. |
            | `netty_eventexecutor_workers` | gauge |  |  | Event loops. |  |
            | `process_cpu_usage` | gauge |  |  | Share of the processors that the service uses. | Above 0.9 for minutes. |
            | `process_cpu_time_ns_total` | counter | nanoseconds |  | Processor time of the service. |  |
            | `process_files_open_files` | gauge | files |  | Open files and connections. | It nears the maximum. |
            | `process_files_max_files` | gauge | files |  | The limit of open files. |  |
            | `process_start_time_seconds` | gauge | seconds |  | Start of the process, since 1970. | It changes without a restart of yours. |
            | `process_uptime_seconds` | gauge | seconds |  | Time since the start. |  |
            | `system_cpu_count` | gauge |  |  | Processors of the machine or its cgroup. |  |
            | `system_cpu_usage` | gauge |  |  | Share of the machine's processors in use. | Above 0.9 for minutes. |
            | `system_load_average_1m` | gauge |  |  | Load average of a minute. | It stays above twice the processors. |
            | `worker_pool_active` | gauge |  | `pool_name`, `pool_type` | Busy threads of Quarkus' pools. |  |
            | `worker_pool_idle` | gauge |  | `pool_name`, `pool_type` | Idle threads. |  |
            | `worker_pool_ratio` | gauge |  | `pool_name`, `pool_type` | Share of busy threads. | It stays at 1. |
            | `worker_pool_queue_size` | gauge |  | `pool_name`, `pool_type` | Tasks that wait for a thread. | It stays above 0. |
            | `worker_pool_queue_delay_seconds` | timer | seconds | `pool_name`, `pool_type` | How long tasks wait for a thread. |  |
            | `worker_pool_usage_seconds` | timer | seconds | `pool_name`, `pool_type` | How long threads are busy. |  |
            | `worker_pool_completed_total` | counter |  | `pool_name`, `pool_type` | Completed tasks. |  |
            | `worker_pool_rejected_total` | counter |  | `pool_name`, `pool_type` | Rejected tasks. | Any growth. |
            """;

    @Test
    void thePageListsEveryMetric() throws Exception {
        String page = page();
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as("docs/reference/metrics.md; -Dparley.write-docs=true writes it")
                .isEqualTo(page);
    }

    @Test
    void everyServedMetricIsOnThePageAndTheReverse() {
        Tenant tenant = Tenant.create();
        tenant.send(tenant.conversation(), "hello").expect(200);
        Map<String, Set<String>> listed = rows();
        Set<String> always = rows().keySet();
        // A meter with labels is served once one of its events has happened.
        Arrays.stream(Metric.values())
                .filter(metric -> !metric.labels().isEmpty() && metric.type() != Metric.Type.GAUGE)
                .forEach(metric -> always.remove(family(metric)));
        LIBRARIES.lines().filter(row -> row.contains(NOT_ALWAYS)).forEach(row -> always.remove(name(row)));

        Map<String, Set<String>> served = Tenant.eventually(
                MetricReferenceTest::served, families -> families.keySet().containsAll(always));

        assertThat(listed.keySet()).containsAll(served.keySet());
        served.forEach((name, labels) -> assertThat(listed.get(name)).as(name).containsAll(labels));
    }

    @Test
    void labelsAreGivenInTheirOrder() {
        assertThat(Metric.MODEL_TOKENS.labels()).containsExactly("provider", "model", "direction");
        assertThatThrownBy(() -> Metric.MODEL_TOKENS.counter("openai"))
                .hasMessage("parley.model.tokens has the labels [provider, model, direction]");
    }

    /** The labels of each metric of the page. */
    static Map<String, Set<String>> rows() {
        return page().lines()
                .filter(line -> line.startsWith("| `"))
                .collect(Collectors.toMap(
                        MetricReferenceTest::name,
                        row -> Pattern.compile("`(\\w+)`")
                                .matcher(row.split("\\|", -1)[4])
                                .results()
                                .map(label -> label.group(1))
                                .collect(Collectors.toSet()),
                        (one, _) -> one,
                        TreeMap::new));
    }

    private static String name(String row) {
        return row.substring(3, row.indexOf('`', 3));
    }

    /** The labels of each metric that the service has now. */
    private static Map<String, Set<String>> served() {
        Map<String, Set<String>> labels = new TreeMap<>();
        String family = "";
        String text = new Api()
                .get("/metrics")
                .header("Accept", "text/plain")
                .send()
                .expect(200)
                .body();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                // A summary has a family of its own for the maximum.
                family = line.split(" ", 4)[2].replaceFirst("_max$", "");
            } else if (!line.startsWith("#")) {
                Set<String> names = labels.computeIfAbsent(family, _ -> new TreeSet<>());
                LABEL.matcher(line).results().forEach(label -> names.add(label.group(1)));
            }
        }
        return labels;
    }

    /** The name that Prometheus has. */
    static String family(Metric metric) {
        String name = metric.id().replace('.', '_');
        return switch (metric.type()) {
            case COUNTER -> name + "_total";
            case TIMER -> name + "_seconds";
            case GAUGE, SUMMARY -> name;
        };
    }

    private static String unit(Metric metric) {
        String name = family(metric);
        return name.endsWith("_seconds") ? "seconds" : name.endsWith("_bytes") ? "bytes" : "";
    }

    private static String page() {
        return """
                # Metrics

                `/metrics` has these metrics in the format of Prometheus or OpenMetrics, by the `Accept` header. `-Dparley.write-docs=true` writes this page from `dev.parley.metrics.Metric`. [Alerts](../runbook.md) use some of them.

                Each node counts its own work: add the nodes up. What is counted "of all organizations" or "of all nodes" is the same on every node: take the maximum. It is read from the database when a node is scraped, at most every 15 seconds, and is `NaN` while the database does not respond within five seconds.

                A *timer* and a *summary* are served as `_count`, `_sum` and `_max`; the maximum is that of the last minutes. Labels have few values, whatever clients send.

                | Metric | Type | Unit | Labels | Meaning | Worry when |
                |---|---|---|---|---|---|
                %s
                ## Of the libraries

                | Metric | Type | Unit | Labels | Meaning | Worry when |
                |---|---|---|---|---|---|
                %s""".formatted(
                        rows(Arrays.stream(Metric.values())
                                .map(metric -> row(
                                        family(metric),
                                        metric.type().name().toLowerCase(Locale.ROOT),
                                        unit(metric),
                                        metric.labels(),
                                        metric.meaning() + ".",
                                        metric.worry()))),
                        LIBRARIES);
    }

    private static String row(
            String name, String type, String unit, List<String> labels, String meaning, String worry) {
        String names = labels.isEmpty() ? "" : "`" + String.join("`, `", labels) + "`";
        String worries = worry.isEmpty() ? "" : worry + ".";
        return "| `%s` | %s | %s | %s | %s | %s |".formatted(name, type, unit, names, meaning, worries);
    }

    private static String rows(Stream<String> rows) {
        return rows.collect(Collectors.joining("\n", "", "\n"));
    }
}
