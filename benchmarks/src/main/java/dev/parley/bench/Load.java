package dev.parley.bench;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that {@code wrk} sends over and over: each connection sends its next one when it has its answer. wrk costs
 * little beside what it measures, which counts on a machine where both share the cores.
 *
 * @param urls base URLs; the connections are spread evenly over them
 * @param path with @c for a conversation and @n for a number of its own
 * @param body likewise; empty for none
 */
record Load(
        List<String> urls,
        String method,
        String path,
        String body,
        Map<String, String> headers,
        List<String> conversations,
        int connections) {
    private static final Pattern REPORT =
            Pattern.compile("BENCH (\\d+) (\\d+) ([\\d.]+) ([\\d.]+) ([\\d.]+) (\\d+) (\\d+)");

    /** What wrk measured; times in milliseconds. */
    record Result(long requests, double seconds, double p50, double p99, double max) {
        double rate() {
            return requests / seconds;
        }
    }

    static Map<String, String> bearer(String key) {
        return Map.of("Authorization", "Bearer " + key);
    }

    /** Runs for so long; every answer must be a success. */
    Result run(int seconds) {
        var builder = new ProcessBuilder(
                "wrk",
                "-t" + urls.size(),
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "30s",
                "-s",
                "benchmarks/wrk/load.lua",
                urls.getFirst());
        builder.environment().put("BENCH_METHOD", method);
        builder.environment().put("BENCH_PATH", path);
        builder.environment().put("BENCH_URLS", String.join(",", urls));
        List<String> lines = headers.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue())
                .toList();
        builder.environment().put("BENCH_HEADERS", String.join("\n", lines));
        builder.environment().put("BENCH_CONVERSATIONS", String.join(",", conversations));
        if (!body.isEmpty()) {
            builder.environment().put("BENCH_BODY", body);
        }
        String output = Children.output(builder);
        Matcher report = REPORT.matcher(output);
        if (!report.find()) {
            throw new BenchException("wrk said what is not understood:\n" + output);
        }
        long failed = Long.parseLong(report.group(6)) + Long.parseLong(report.group(7));
        if (failed > 0) {
            throw new BenchException(
                    method + " " + path + ": " + failed + " of " + report.group(1) + " requests failed.");
        }
        return new Result(
                Long.parseLong(report.group(1)),
                Long.parseLong(report.group(2)) / 1e6,
                Double.parseDouble(report.group(3)),
                Double.parseDouble(report.group(4)),
                Double.parseDouble(report.group(5)));
    }
}
