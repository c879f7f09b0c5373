package dev.parley.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;

/**
 * The latency of other organizations while one runs work at its limits: 10,000 items of one task, 5 tasks of
 * 5,000 items, conditions over long lists, and PDF files that take long to read. Code is measured by {@link Hostile}.
 */
final class BigWork {
    private static final int PAIRS = 5;
    private static final int SECONDS = 10;
    private static final int SETTLE_SECONDS = 4;
    private static final int WARM_UP_SECONDS = 12;
    private static final int PARALLEL_CONDITIONS = 8;

    private final Service service;
    private final Tenant others;
    private final Api api;
    private final String dashboard;

    private BigWork(Service service, Tenant others) {
        this.service = service;
        this.others = others;
        this.api = new Api(service.url());
        Tenant big = Tenant.createEmpty(api);
        this.dashboard = "/dashboard/api/organizations/" + big.organization();
    }

    /** The latencies by the kind of work. */
    static Map<String, LatencyPairs> measure(Service service, Tenant others) {
        return new BigWork(service, others).measure();
    }

    private Map<String, LatencyPairs> measure() {
        PacedRequests paced = Hostile.others(service, others);
        paced.run(WARM_UP_SECONDS);
        Map<String, LatencyPairs> found = new LinkedHashMap<>();
        found.put("10,000 items of one task", beside(paced, 1, run(List.of(items("a")), texts(10_000))));
        found.put(
                "5 tasks of 5,000 items",
                beside(
                        paced,
                        1,
                        run(IntStream.range(0, 5).mapToObj(i -> items("t" + i)).toList(), texts(5_000))));
        found.put("conditions over long lists", beside(paced, PARALLEL_CONDITIONS, conditions()));
        found.put("PDF files that take long", beside(paced, 2, documents()));
        return found;
    }

    private static LatencyPairs beside(PacedRequests paced, int callers, Runnable work) {
        return LatencyPairs.measure(
                paced, PAIRS, SECONDS, SETTLE_SECONDS, () -> new RepeatedWork(callers, work, new AtomicBoolean(true)));
    }

    /** Several callers that repeat the work; closing waits for the calls in progress. */
    private static final class RepeatedWork implements LatencyPairs.RunningLoad {
        private final AtomicBoolean on;
        private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

        RepeatedWork(int count, Runnable work, AtomicBoolean on) {
            this.on = on;
            for (int i = 0; i < count; i++) {
                callers.execute(() -> {
                    while (on.get()) {
                        work.run();
                    }
                });
            }
        }

        @Override
        public void close() {
            on.set(false);
            callers.close();
        }
    }

    private static List<String> texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "item " + i).toList();
    }

    private static Map<String, Object> input(String name, String items) {
        return Map.of(
                "name",
                name,
                "type",
                "ARRAY",
                "items",
                Map.of("type", items),
                "description",
                "Values",
                "required",
                true,
                "source",
                "human_input");
    }

    private static Map<String, Object> task(String id, String items) {
        return new LinkedHashMap<>(Map.of(
                "id",
                id,
                "kind",
                "AI",
                "name",
                "Task " + id,
                "instructions",
                "Answer.",
                "input_parameters",
                List.of(input("values", items)),
                "expected_output",
                List.of(Map.of("name", "text", "type", "STRING", "description", "Text"))));
    }

    private static Map<String, Object> items(String id) {
        Map<String, Object> task = task(id, "STRING");
        task.put("for_each", Map.of("input", "values", "max_parallel", 100));
        return task;
    }

    /** A run of a published agent of these tasks, all after the first. */
    private Runnable run(List<Map<String, Object>> tasks, List<?> values) {
        List<Map<String, Object>> all = new ArrayList<>(tasks);
        List<Map<String, String>> order = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            order.add(Map.of("from", "first", "to", (String) all.get(i).get("id")));
        }
        all.set(0, new LinkedHashMap<>(all.getFirst()));
        all.getFirst().put("id", "first");
        JsonNode saved = api.call(
                "POST",
                dashboard + "/workflows",
                Map.of("name", "Big work", "assignment_rules", List.of(rule()), "tasks", all, "dependencies", order));
        String id = saved.get("id").asText();
        api.call("POST", dashboard + "/workflows/" + id + "/publish", null);
        Map<String, Object> inputs = Map.of("inputs", Map.of("values", values));
        return () -> api.send("POST", "/developer/api/workflows/" + id + "/trigger/sync?wait_seconds=50", inputs);
    }

    private Map<String, String> rule() {
        String team = api.call("POST", dashboard + "/teams", Map.of("name", "Team " + System.nanoTime()))
                .get("id")
                .asText();
        return Map.of("rule_type", "Human Feedback", "assignment_type", "Team", "assignee_id", team);
    }

    private Runnable conditions() {
        Map<String, Object> task = task("a", "INTEGER");
        task.put("when", "inputs.values.exists(x, x < 0) || (-1 in inputs.values)");
        return run(List.of(task), IntStream.range(0, 19_000).boxed().toList());
    }

    /** A message with the file in a new conversation, and its reply. */
    private Runnable documents() {
        byte[] pdf = slowPdf();
        return () -> {
            String conversation = api.call("POST", "/developer/api/conversations", Map.of())
                    .get("id")
                    .asText();
            String stored = upload(unique(pdf));
            api.call(
                    "POST",
                    "/developer/api/messages",
                    Map.of("conversation_id", conversation, "content_type", "application/pdf", "filename", stored));
            String newest = "/developer/api/conversations/" + conversation + "/messages?limit=1";
            for (int i = 0; i < 600; i++) {
                if (api.send("GET", newest, null).text().contains("AGENT_RESPONSE")) {
                    return;
                }
                pause();
            }
        };
    }

    /** The service does not read a file again that it could not read. */
    private static byte[] unique(byte[] pdf) {
        byte[] comment = ("%" + System.nanoTime()).getBytes(StandardCharsets.US_ASCII);
        byte[] file = Arrays.copyOf(pdf, pdf.length + comment.length);
        System.arraycopy(comment, 0, file, pdf.length, comment.length);
        return file;
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new BenchException("interrupted");
        }
    }

    private String upload(byte[] bytes) {
        JsonNode presigned = api.call(
                "POST",
                "/developer/api/media/presigned-url",
                Map.of("filename", "slow.pdf", "content_type", "application/pdf"));
        HttpRequest.Builder put = HttpRequest.newBuilder(
                        URI.create(presigned.get("upload_url").asText()))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        presigned
                .get("headers")
                .properties()
                .forEach(header -> put.header(header.getKey(), header.getValue().asText()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(put.build(), HttpResponse.BodyHandlers.discarding());
            return presigned.get("filename").asText();
        } catch (IOException e) {
            throw new BenchException("upload: " + e);
        } catch (InterruptedException e) {
            throw new BenchException("interrupted");
        }
    }

    /** 200 pages that share one content stream of 50 MB, 110 KB compressed. */
    private static byte[] slowPdf() {
        var content = new ByteArrayOutputStream();
        try (var compressed = new DeflaterOutputStream(content)) {
            byte[] operators = "q 1 0 0 1 0 0 cm Q\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < (50 << 20) / operators.length; i++) {
                compressed.write(operators);
            }
        } catch (IOException e) {
            throw new BenchException("pdf: " + e);
        }
        var pdf = new ByteArrayOutputStream();
        pdf.writeBytes(
                "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".getBytes(StandardCharsets.US_ASCII));
        String kids = IntStream.range(0, 200).mapToObj(i -> (i + 4) + " 0 R").reduce("", (a, b) -> a + " " + b);
        pdf.writeBytes(("2 0 obj\n<< /Type /Pages /Count 200 /Kids [" + kids + "] >>\nendobj\n3 0 obj\n<< /Length "
                        + content.size() + " /Filter /FlateDecode >>\nstream\n")
                .getBytes(StandardCharsets.US_ASCII));
        pdf.writeBytes(content.toByteArray());
        pdf.writeBytes("\nendstream\nendobj\n".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 200; i++) {
            pdf.writeBytes(
                    (i + 4 + " 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 3 0 R >>\nendobj\n")
                            .getBytes(StandardCharsets.US_ASCII));
        }
        pdf.writeBytes("trailer\n<< /Root 1 0 R >>\n%%EOF\n".getBytes(StandardCharsets.US_ASCII));
        return pdf.toByteArray();
    }
}
