package dev.parley.trace;

import dev.parley.settings.SettingsException;
import io.opentelemetry.api.trace.SpanKind;
import io.smallrye.common.vertx.ContextLocals;
import io.smallrye.common.vertx.VertxContext;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Starts spans, and knows the current one: that of the thread, or else that of the request. Without
 * {@code OTEL_EXPORTER_OTLP_ENDPOINT} nothing of OpenTelemetry is loaded, and every span is one that does nothing
 * (docs/decisions/0197-trace-by-hand-with-opentelemetrys-sdk.md).
 */
public final class Tracing {
    private static final String REQUEST = "parley.trace";
    private static final int MAX_STATE = 512;
    private static final String PROTOCOL = "http/protobuf";
    private static final ThreadLocal<TraceSpan> CURRENT = new ThreadLocal<>();

    private static volatile @Nullable OtlpTracer tracer;

    private Tracing() {}

    /** Starts tracing if the environment has an endpoint. */
    public static void start() {
        start(Map.of());
    }

    /** @param properties in the form of Java system properties, which override the environment */
    static void start(Map<String, String> properties) {
        boolean isWanted =
                !setting(properties, "OTEL_EXPORTER_OTLP_ENDPOINT", "").isEmpty()
                        || !setting(properties, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
                                .isEmpty();
        if (!isWanted || setting(properties, "OTEL_SDK_DISABLED", "false").equalsIgnoreCase("true")) {
            return;
        }
        String protocol = setting(
                properties,
                "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
                setting(properties, "OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOL));
        if (!protocol.equals(PROTOCOL)) {
            throw new SettingsException(
                    "OTEL_EXPORTER_OTLP_PROTOCOL must be " + PROTOCOL + ", not '" + protocol + "'.");
        }
        boolean contents = setting(properties, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "false")
                .equalsIgnoreCase("true");
        tracer = OtlpTracer.create(properties, contents);
    }

    /** Sends what was recorded, and ends tracing. */
    public static void stop() {
        OtlpTracer running = tracer;
        tracer = null;
        if (running != null) {
            running.close();
        }
    }

    private static String setting(Map<String, String> properties, String variable, String missing) {
        String property = variable.toLowerCase(Locale.ROOT).replace('_', '.');
        String value = properties.getOrDefault(property, System.getProperty(property, System.getenv(variable)));
        return value == null || value.isBlank() ? missing : value.strip();
    }

    public static boolean isOn() {
        return tracer != null;
    }

    /** Whether spans have the texts for models and tools, and their replies. */
    public static boolean recordsContents() {
        OtlpTracer running = tracer;
        return running != null && running.recordsContents();
    }

    /** The span of this thread, or else of the request that it handles. */
    public static TraceSpan current() {
        if (tracer == null) {
            return TraceSpan.NONE;
        }
        TraceSpan span = CURRENT.get();
        if (span == null && VertxContext.isOnDuplicatedContext()) {
            span = ContextLocals.<TraceSpan>get(REQUEST).orElse(null);
        }
        return span == null ? TraceSpan.NONE : span;
    }

    /** The context of the current span, to be stored; null without one. */
    public static @Nullable String context() {
        return current().context();
    }

    /** The span of a request, current on every thread that handles it. Its context is that of the headers, if valid. */
    public static TraceSpan request(String method, @Nullable String traceparent, List<String> tracestate) {
        OtlpTracer running = tracer;
        if (running == null) {
            return TraceSpan.NONE;
        }
        String state = String.join(",", tracestate);
        String context = traceparent == null ? null : traceparent + "\n" + (state.length() > MAX_STATE ? "" : state);
        var span = new TraceSpan(running, running.start(SpanKind.SERVER, method, context));
        if (VertxContext.isOnDuplicatedContext()) {
            ContextLocals.put(REQUEST, span);
        }
        log(span);
        return span;
    }

    /** Work of this process within the current span. */
    public static TraceSpan internal(String operation, String subject) {
        return tracer == null ? TraceSpan.NONE : internal(operation, subject, context());
    }

    /** @param parent a stored context; null for a trace of its own */
    public static TraceSpan internal(String operation, String subject, @Nullable String parent) {
        OtlpTracer running = tracer;
        return running == null
                ? TraceSpan.NONE
                : new TraceSpan(running, running.start(SpanKind.INTERNAL, operation + ' ' + subject, parent)).enter();
    }

    /** A call of another service within the current span. */
    public static TraceSpan client(String operation, String subject) {
        return tracer == null ? TraceSpan.NONE : client(operation, subject, context());
    }

    /** @param parent a stored context; null for a trace of its own */
    public static TraceSpan client(String operation, String subject, @Nullable String parent) {
        OtlpTracer running = tracer;
        return running == null
                ? TraceSpan.NONE
                : new TraceSpan(running, running.start(SpanKind.CLIENT, operation + ' ' + subject, parent)).enter();
    }

    /** The processing of something that was queued with a context. */
    public static TraceSpan consumer(String name, @Nullable String parent) {
        OtlpTracer running = tracer;
        return running == null
                ? TraceSpan.NONE
                : new TraceSpan(running, running.start(SpanKind.CONSUMER, name, parent)).enter();
    }

    /** A span that began in the past; it is not current. */
    public static TraceSpan since(Instant start, String operation, String subject, @Nullable String parent) {
        OtlpTracer running = tracer;
        return running == null
                ? TraceSpan.NONE
                : new TraceSpan(running, running.since(start, operation + ' ' + subject, parent));
    }

    /** The context of a run that starts in the current span; null without one. Its span is made when the run ends. */
    public static @Nullable String beginRun(Instant now) {
        return tracer == null ? null : part(context(), null, now);
    }

    /**
     * The context of the part of a run that follows a pause.
     *
     * @param before the context of the part before, which the new one is linked to; null if the run has none
     * @param by the context of what ended the pause; null continues the trace
     */
    public static @Nullable String continueRun(@Nullable String before, @Nullable String by, Instant now) {
        return tracer == null || before == null ? before : part(by == null ? before : by, before, now);
    }

    private static @Nullable String part(@Nullable String parent, @Nullable String before, Instant now) {
        return parent == null ? null : TraceText.of(parent).part(OtlpTracer.newSpanId(), now, before);
    }

    /** The span of a run, or of a part of one, that ended. */
    public static TraceSpan ofRun(@Nullable String context, String operation, String subject) {
        OtlpTracer running = tracer;
        if (running == null || context == null) {
            return TraceSpan.NONE;
        }
        TraceText part = TraceText.of(context);
        return part.isPart() ? new TraceSpan(running, running.ofRun(part, operation + ' ' + subject)) : TraceSpan.NONE;
    }

    /** The trace of a stored context; null without one. */
    public static @Nullable String traceId(@Nullable String context) {
        return context == null ? null : TraceText.of(context).traceId();
    }

    static @Nullable TraceSpan swap(TraceSpan span) {
        TraceSpan outer = CURRENT.get();
        CURRENT.set(span);
        log(span);
        return outer;
    }

    static void restore(@Nullable TraceSpan outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        log(current());
    }

    /** Log lines name the current span. */
    private static void log(TraceSpan span) {
        String traceId = span.traceId();
        if (traceId == null) {
            MDC.remove("traceId");
            MDC.remove("spanId");
        } else {
            MDC.put("traceId", traceId);
            MDC.put("spanId", span.spanId());
        }
    }
}
