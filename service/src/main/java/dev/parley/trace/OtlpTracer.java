package dev.parley.trace;

import dev.parley.id.UuidV7;
import dev.parley.settings.SettingsException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** OpenTelemetry's SDK, configured by its own variables. Loaded only if tracing is on. */
final class OtlpTracer implements AutoCloseable {
    private static final int STOP_SECONDS = 5;

    /** Of lower precedence than the environment. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "parley",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.attribute.value.length.limit", "32768");

    /** Other signals are not sent, and other propagators would pass on the baggage of clients. */
    private static final Map<String, String> FIXED = Map.of(
            "otel.traces.exporter", "otlp",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none",
            "otel.propagators", "tracecontext");

    private static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> carrier) {
            return carrier.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
            return carrier == null ? null : carrier.get(key);
        }
    };

    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;
    private final boolean recordsContents;

    private OtlpTracer(OpenTelemetrySdk sdk, boolean recordsContents) {
        this.sdk = sdk;
        this.tracer = sdk.getTracer("dev.parley");
        this.recordsContents = recordsContents;
    }

    static OtlpTracer create(Map<String, String> properties, boolean recordsContents) {
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .setServiceClassLoader(OtlpTracer.class.getClassLoader())
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(_ -> {
                        Map<String, String> all = new HashMap<>(properties);
                        all.putAll(FIXED);
                        return all;
                    })
                    .addResourceCustomizer((resource, _) -> Resource.builder()
                            .put("service.instance.id", UuidV7.text(UuidV7.next()))
                            .build()
                            .merge(resource))
                    .addTracerProviderCustomizer((builder, _) -> builder.setIdGenerator(new RunIds()))
                    .disableShutdownHook()
                    .build()
                    .getOpenTelemetrySdk();
            return new OtlpTracer(sdk, recordsContents);
        } catch (ConfigurationException | IllegalArgumentException e) {
            // What follows an equals sign may be a secret header.
            throw new SettingsException("The OTEL variables are invalid: "
                    + String.valueOf(e.getMessage()).replaceFirst("(?s)=.*", "=…"));
        }
    }

    boolean recordsContents() {
        return recordsContents;
    }

    static String newSpanId() {
        return IdGenerator.random().generateSpanId();
    }

    static void set(Span span, String attribute, List<String> values) {
        span.setAttribute(AttributeKey.stringArrayKey(attribute), values);
    }

    Span start(SpanKind kind, String name, @Nullable String parent) {
        return builder(name, kind, parent).startSpan();
    }

    Span since(Instant start, String name, @Nullable String parent) {
        return builder(name, SpanKind.INTERNAL, parent).setStartTimestamp(start).startSpan();
    }

    /** The span whose id the context of the run has. */
    Span ofRun(TraceText part, String name) {
        SpanBuilder builder = builder(name, SpanKind.INTERNAL, part.parent()).setStartTimestamp(part.start());
        String before = part.before();
        if (before != null) {
            builder.addLink(Span.fromContext(context(before)).getSpanContext());
        }
        RunIds.NEXT.set(part.spanId());
        try {
            return builder.startSpan();
        } finally {
            RunIds.NEXT.remove();
        }
    }

    private SpanBuilder builder(String name, SpanKind kind, @Nullable String parent) {
        return tracer.spanBuilder(name).setSpanKind(kind).setParent(parent == null ? Context.root() : context(parent));
    }

    private static Context context(String stored) {
        return W3CTraceContextPropagator.getInstance()
                .extract(Context.root(), TraceText.of(stored).headers(), GETTER);
    }

    Map<String, String> headers(Span span) {
        Map<String, String> headers = new HashMap<>();
        W3CTraceContextPropagator.getInstance().inject(Context.root().with(span), headers, (into, name, value) -> {
            if (into != null) {
                into.put(name, value);
            }
        });
        return headers;
    }

    @Override
    public void close() {
        var _ = sdk.shutdown().join(STOP_SECONDS, TimeUnit.SECONDS);
    }

    /** Random ids, and the ids of runs, whose contexts are stored before their spans exist. */
    private static final class RunIds implements IdGenerator {
        static final ThreadLocal<String> NEXT = new ThreadLocal<>();

        private final IdGenerator random = IdGenerator.random();

        @Override
        public String generateSpanId() {
            String next = NEXT.get();
            return next == null ? random.generateSpanId() : next;
        }

        @Override
        public String generateTraceId() {
            return random.generateTraceId();
        }
    }
}
