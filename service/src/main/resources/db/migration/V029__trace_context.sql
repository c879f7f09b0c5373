-- W3C contexts of the spans from which work continues: traceparent, and tracestate in the next line. Null without tracing.
-- That of an instance has three more lines: the parent and the start of its span, and the context before the last pause.
ALTER TABLE message ADD COLUMN trace_context text;
ALTER TABLE workflow_instance ADD COLUMN trace_context text;
ALTER TABLE event ADD COLUMN trace_context text;
