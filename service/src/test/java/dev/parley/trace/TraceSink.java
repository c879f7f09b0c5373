package dev.parley.trace;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import dev.parley.Tenant;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A receiver of OTLP over HTTP that keeps every span, and tracing of this process that sends to it. */
final class TraceSink implements AutoCloseable {
    private final HttpServer server;
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    /** @param links the span ids of linked spans */
    record ReceivedSpan(
            String trace,
            String id,
            String parent,
            String name,
            Span.SpanKind kind,
            boolean failed,
            List<String> links,
            Map<String, String> attributes,
            Map<String, String> resource,
            String traceState,
            long nanos) {
        String get(String attribute) {
            return attributes.getOrDefault(attribute, "");
        }
    }

    TraceSink(Map<String, String> properties) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            try (exchange) {
                authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
                receive(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()));
                exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
                exchange.sendResponseHeaders(200, -1);
            }
        });
        server.start();
        Map<String, String> all = new HashMap<>(Map.of(
                "otel.exporter.otlp.endpoint",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "otel.bsp.schedule.delay",
                "50"));
        all.putAll(properties);
        Tracing.start(all);
    }

    private void receive(ExportTraceServiceRequest request) {
        request.getResourceSpansList().forEach(resource -> resource.getScopeSpansList()
                .forEach(scope -> scope.getSpansList().forEach(span -> {
                    Map<String, String> attributes = new HashMap<>();
                    span.getAttributesList().forEach(one -> attributes.put(one.getKey(), text(one.getValue())));
                    Map<String, String> of = new HashMap<>();
                    resource.getResource()
                            .getAttributesList()
                            .forEach(one -> of.put(one.getKey(), text(one.getValue())));
                    spans.add(new ReceivedSpan(
                            hex(span.getTraceId()),
                            hex(span.getSpanId()),
                            hex(span.getParentSpanId()),
                            span.getName(),
                            span.getKind(),
                            span.getStatus().getCodeValue() == 2,
                            span.getLinksList().stream()
                                    .map(link -> hex(link.getSpanId()))
                                    .toList(),
                            attributes,
                            of,
                            span.getTraceState(),
                            span.getEndTimeUnixNano() - span.getStartTimeUnixNano()));
                })));
    }

    private static String text(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> Long.toString(value.getIntValue());
            case ARRAY_VALUE ->
                value.getArrayValue().getValuesList().stream()
                        .map(TraceSink::text)
                        .toList()
                        .toString();
            default -> value.toString();
        };
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    List<ReceivedSpan> spans() {
        return spans;
    }

    List<String> authorizations() {
        return authorizations;
    }

    List<ReceivedSpan> ofTrace(String trace) {
        return spans.stream().filter(span -> span.trace().equals(trace)).toList();
    }

    ReceivedSpan await(Predicate<ReceivedSpan> wanted) {
        return Tenant.eventually(() -> spans.stream().filter(wanted).findFirst(), java.util.Optional::isPresent)
                .orElseThrow();
    }

    ReceivedSpan await(String trace, String name) {
        return await(span -> span.trace().equals(trace) && span.name().equals(name));
    }

    @Override
    public void close() {
        Tracing.stop();
        server.stop(0);
    }
}
