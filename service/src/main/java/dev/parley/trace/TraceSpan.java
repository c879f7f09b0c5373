package dev.parley.trace;

import dev.parley.id.OrganizationId;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span in progress. Without tracing it is always {@link #NONE}, which does nothing and allocates nothing. */
public final class TraceSpan implements AutoCloseable {
    static final TraceSpan NONE = new TraceSpan();

    private final @Nullable OtlpTracer tracer;
    private final @Nullable Span span;
    private @Nullable TraceSpan outer;
    private boolean entered;
    private boolean discarded;

    private TraceSpan() {
        this.tracer = null;
        this.span = null;
    }

    TraceSpan(OtlpTracer tracer, Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    /** Makes it the thread's current span, until it is closed. */
    TraceSpan enter() {
        outer = Tracing.swap(this);
        entered = true;
        return this;
    }

    public TraceSpan set(String attribute, @Nullable String value) {
        if (span != null && value != null) {
            span.setAttribute(attribute, value);
        }
        return this;
    }

    public TraceSpan set(String attribute, long value) {
        if (span != null) {
            span.setAttribute(attribute, value);
        }
        return this;
    }

    public TraceSpan set(OrganizationId organization) {
        return span == null ? this : set(SpanAttributes.ORGANIZATION, organization.text());
    }

    public TraceSpan set(String attribute, double value) {
        if (span != null) {
            span.setAttribute(attribute, value);
        }
        return this;
    }

    public TraceSpan set(String attribute, List<String> values) {
        if (span != null) {
            OtlpTracer.set(span, attribute, values);
        }
        return this;
    }

    /** Replaces the name. */
    public void rename(String name) {
        if (span != null) {
            span.updateName(name);
        }
    }

    /** Marks the operation as failed; the type must have few values and no contents. */
    public TraceSpan fail(String type) {
        if (span != null) {
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(SpanAttributes.ERROR_TYPE, type);
        }
        return this;
    }

    /** Whether attributes of it are kept. */
    public boolean isRecorded() {
        return span != null && span.isRecording();
    }

    /** The span does not appear in the trace. */
    public void discard() {
        discarded = true;
    }

    /** The context to store, or to start spans of other threads in; null without tracing. */
    public @Nullable String context() {
        return tracer == null || span == null ? null : TraceText.of(tracer.headers(span));
    }

    /** The headers {@code traceparent} and {@code tracestate} for a request; empty without tracing. */
    public Map<String, String> headers() {
        return tracer == null || span == null ? Map.of() : tracer.headers(span);
    }

    /** The id of the trace; null without tracing. */
    public @Nullable String traceId() {
        return span == null ? null : span.getSpanContext().getTraceId();
    }

    @Nullable
    String spanId() {
        return span == null ? null : span.getSpanContext().getSpanId();
    }

    /** Ends a span that ended in the past. */
    public void close(Instant end) {
        if (span != null) {
            span.end(end);
            discarded = true;
        }
        close();
    }

    @Override
    public void close() {
        if (entered) {
            entered = false;
            Tracing.restore(outer);
        }
        if (span != null && !discarded) {
            span.end();
        }
    }
}
