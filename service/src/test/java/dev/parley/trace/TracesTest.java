package dev.parley.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.engine.local.LocalEngine;
import dev.parley.engine.local.SecondEngine;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.node.NodeLease;
import dev.parley.trace.TraceSink.ReceivedSpan;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.Workflows;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces from requests to webhooks, over pauses and nodes, as a receiver of OTLP gets them. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TracesTest {
    private static final String CLIENT_TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CLIENT_SPAN = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-" + CLIENT_TRACE + "-" + CLIENT_SPAN + "-01";
    private static final String SECRET = "the quick brown fox";

    private Tenant tenant;
    private ScriptedServer receiver;
    private ScriptedServer shop;
    private TraceSink sink;

    @BeforeEach
    void start() throws IOException {
        tenant = Tenant.create();
        receiver = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"));
        shop = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{\"ordered\": true}"));
    }

    @AfterEach
    void close() throws IOException {
        if (sink != null) {
            sink.close();
        }
        receiver.close();
        shop.close();
    }

    private String organization(String path) {
        return "/dashboard/api/organizations/" + tenant.organization() + path;
    }

    /** A tool of a provider that the organization has configured. */
    private int orderTool() {
        String document = """
                {"openapi": "3.1.0", "paths": {"/order": {"post": {"operationId": "order", "requestBody": {"content":
                {"application/json": {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}}}}}}}""";
        Api browser = tenant.browser();
        JsonNode provider = browser.post(organization("/tool-providers"))
                .json(Map.of("name", "shop", "kind", "openapi", "document", document, "server_url", shop.url("/")))
                .send()
                .expect(201)
                .json();
        return browser.get(organization(
                        "/tools?limit=100&provider_id=" + provider.at("/id").asInt()))
                .send()
                .expect(200)
                .json()
                .at("/items/0/tool_id")
                .asInt();
    }

    /** An AI task with two tools, a Human task and another AI task. */
    private WorkflowId workflow() {
        return Workflows.of(tenant)
                .task(
                        "assess",
                        Map.of(
                                "kind",
                                "AI",
                                "input_parameters",
                                List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output",
                                List.of(Workflows.output("answer", "STRING")),
                                "tools",
                                List.of(Map.of("id", orderTool()), Map.of("id", 1))))
                .human("approve")
                .ai("finish")
                .after("assess", "approve")
                .after("approve", "finish")
                .publish();
    }

    private String conversation(WorkflowId workflow) {
        return tenant.post(
                        "/conversations",
                        Map.of(
                                "usecase",
                                "WORKFLOW_EXECUTION",
                                "config",
                                Map.of("workflow_id", workflow.text(), "callback_url", receiver.url("/hook?token=x"))))
                .expect(201)
                .text("/id");
    }

    private Api.Answer send(String conversation, String text) {
        return new Api()
                .post("/developer/api/messages")
                .key(tenant.key())
                .header("traceparent", TRACEPARENT)
                .header("tracestate", "vendor=value")
                .json(Map.of("conversation_id", conversation, "content_type", "text", "content", text))
                .send()
                .expect(200);
    }

    private JsonNode instance(String conversation, String status) {
        JsonNode found = Tenant.eventually(
                () -> tenant.get("/workflow_instances").expect(200).json().at("/items"),
                items -> items.size() == 1 && items.at("/0/status").asText().equals(status));
        assertThat(found.at("/0/conversation_id").asText()).isEqualTo(conversation);
        return tenant.get("/workflow_instances/"
                        + found.at("/0/workflow_instance_id").asText() + "/status")
                .expect(200)
                .json();
    }

    private String order() {
        return SECRET + "\noffline:call order {\"n\": 7}\noffline:call http.request {\"method\": \"POST\", \"url\": \""
                + shop.url("/free") + "\", \"body\": {\"text\": \"" + SECRET + "\"}}";
    }

    private Api.Answer complete(JsonNode instance) {
        String ticket = instance.at("/tasks/1/ticket_id").asText();
        return tenant.browser()
                .post(organization("/tickets/" + ticket + "/complete"))
                .json(Map.of("answer", Map.of("approved", true)))
                .send()
                .expect(200);
    }

    @Test
    void oneTraceLeadsFromTheRequestToTheWebhookAndIsLinkedOverThePause() throws IOException {
        sink = new TraceSink(Map.of("otel.service.name", "parley-test", "otel.exporter.otlp.headers", "X-Key=abc"));
        String conversation = conversation(workflow());

        Api.Answer sent = send(conversation, order());
        JsonNode paused = instance(conversation, "PAUSED");
        Api.Answer completed = complete(paused);
        JsonNode ended = instance(conversation, "COMPLETED");

        assertThat(sent.header("Parley-Trace-Id")).isEqualTo(CLIENT_TRACE);
        assertThat(paused.at("/trace_id").asText()).isEqualTo(CLIENT_TRACE);
        String second = completed.header("Parley-Trace-Id");
        assertThat(second).matches("[0-9a-f]{32}").isNotEqualTo(CLIENT_TRACE);
        assertThat(ended.at("/trace_id").asText()).isEqualTo(second);
        firstTrace(conversation, paused);
        secondTrace(second);
        carriedContexts(second);
        assertThat(sink.authorizations()).contains("abc");
        assertThat(sink.spans()).allSatisfy(span -> {
            assertThat(span.resource())
                    .containsEntry("service.name", "parley-test")
                    .containsKey("service.instance.id");
            assertThat(span.attributes().toString() + span.name()).doesNotContain(SECRET, "token=x", tenant.key());
        });
    }

    private void firstTrace(String conversation, JsonNode paused) {
        ReceivedSpan request = sink.await(CLIENT_TRACE, "POST /developer/api/messages");
        assertThat(request.parent()).isEqualTo(CLIENT_SPAN);
        assertThat(request.kind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
        assertThat(request.traceState()).isEqualTo("vendor=value");
        assertThat(request.attributes())
                .containsEntry("parley.organization.id", tenant.organization().text())
                .containsEntry("http.response.status_code", "200");
        ReceivedSpan message = child(request, "process message");
        assertThat(message.kind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
        assertThat(message.get("parley.conversation.id")).isEqualTo(conversation);
        ReceivedSpan run = child(message, "workflow Test");
        assertThat(run.attributes())
                .containsEntry("parley.workflow_instance.status", "PAUSED")
                .containsEntry(
                        "parley.workflow_instance.id",
                        paused.at("/workflow_instance_id").asText());
        assertThat(run.links()).isEmpty();
        ReceivedSpan task = child(run, "task assess");
        assertThat(task.attributes())
                .containsEntry("parley.task.kind", "AI")
                .containsEntry("gen_ai.operation.name", "invoke_agent");
        assertThat(run.nanos()).isGreaterThan(task.nanos());
        assertThat(child(task, "execute_tool order").get("gen_ai.tool.name")).isEqualTo("order");
        assertThat(child(task, "execute_tool http.request").failed()).isFalse();
        ReceivedSpan chat = child(task, "chat offline");
        assertThat(chat.kind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
        assertThat(chat.attributes())
                .containsEntry("parley.organization.id", tenant.organization().text())
                .containsEntry("gen_ai.operation.name", "chat")
                .containsEntry("gen_ai.request.model", "offline")
                .containsEntry("gen_ai.response.model", "offline")
                .containsKeys("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.provider.name")
                .doesNotContainKeys("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions");
        assertThat(child(run, "ticket approve").attributes())
                .containsEntry("parley.task.kind", "Human")
                .containsEntry("parley.ticket.end", "COMPLETED");
        ReceivedSpan webhook = child(run, "webhook message.created");
        assertThat(webhook.attributes())
                .containsEntry("http.response.status_code", "200")
                .containsEntry("parley.webhook.receiver", "http://127.0.0.1:" + receiver.port());
    }

    private void secondTrace(String trace) {
        ReceivedSpan answer = sink.await(trace, "POST /dashboard/api/organizations/{id}/tickets/{id}/complete");
        assertThat(answer.get("parley.organization.id"))
                .isEqualTo(tenant.organization().text());
        ReceivedSpan run = child(answer, "workflow Test");
        assertThat(run.links())
                .containsExactly(sink.await(CLIENT_TRACE, "workflow Test").id());
        assertThat(run.get("parley.workflow_instance.status")).isEqualTo("COMPLETED");
        ReceivedSpan chat = child(child(run, "task finish"), "chat offline");
        assertThat(chat.get("gen_ai.response.finish_reasons")).isEqualTo("[stop]");
        child(run, "webhook message.created");
    }

    /** Receivers and configured tools get the contexts; an address that the model chose does not. */
    private void carriedContexts(String second) {
        assertThat(receiver.received())
                .anySatisfy(request -> assertThat(request.header("traceparent")).startsWith("00-" + CLIENT_TRACE))
                .anySatisfy(request -> assertThat(request.header("traceparent")).startsWith("00-" + second))
                .allSatisfy(request -> assertThat(request.header("traceparent")).hasSize(55));
        ScriptedServer.Received order = shop.received().getFirst();
        assertThat(order.line()).contains("/order");
        assertThat(order.header("traceparent"))
                .isEqualTo("00-" + CLIENT_TRACE + "-"
                        + sink.await(CLIENT_TRACE, "execute_tool order").id() + "-01");
        assertThat(order.header("tracestate")).isEqualTo("vendor=value");
        assertThat(shop.received().getLast().line()).contains("/free");
        assertThat(shop.received().getLast().header("traceparent")).isEmpty();
    }

    private ReceivedSpan child(ReceivedSpan parent, String name) {
        return sink.await(span -> span.trace().equals(parent.trace())
                && span.parent().equals(parent.id())
                && span.name().equals(name));
    }

    @Test
    void contentsAreRecordedOnlyOnRequest() throws IOException {
        sink = new TraceSink(Map.of("otel.instrumentation.genai.capture.message.content", "true"));
        send(tenant.conversation(), SECRET);

        ReceivedSpan chat = sink.await(CLIENT_TRACE, "chat offline");

        assertThat(chat.get("gen_ai.input.messages")).contains("\"role\":\"user\"", "\"type\":\"text\"", SECRET);
        assertThat(chat.get("gen_ai.output.messages")).contains("\"role\":\"assistant\"", "\"finish_reason\":\"stop\"");
        assertThat(chat.get("gen_ai.system_instructions")).contains("You are a helpful assistant.");
    }

    @Test
    void anotherNodeContinuesTheTrace() throws IOException {
        sink = new TraceSink(Map.of());
        String conversation = conversation(
                Workflows.of(tenant).ai("slow").ai("next").after("slow", "next").publish());
        send(conversation, "offline:wait 2000");
        WorkflowInstanceId id = WorkflowInstanceId.parse(instance(conversation, "RUNNING")
                        .at("/workflow_instance_id")
                        .asText())
                .orElseThrow();
        try (NodeLease other = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1))) {
            other.fenced(other.id());
            LocalEngine there = SecondEngine.on(other);
            SecondEngine.moveInstance(id, Tenant.bean(NodeLease.class).id(), other.id());
            SecondEngine.adopt(there);
            there.due(other.id());

            instance(conversation, "COMPLETED");
        }
        ReceivedSpan run = child(
                child(sink.await(CLIENT_TRACE, "POST /developer/api/messages"), "process message"), "workflow Test");
        assertThat(run.get("parley.workflow_instance.status")).isEqualTo("COMPLETED");
        child(child(run, "task next"), "chat offline");
        child(run, "webhook message.created");
    }

    @Test
    void anotherNodeContinuesAfterAPause() throws IOException {
        sink = new TraceSink(Map.of());
        String conversation = conversation(workflow());
        send(conversation, "Hello");
        JsonNode paused = instance(conversation, "PAUSED");
        WorkflowInstanceId id = WorkflowInstanceId.parse(
                        paused.at("/workflow_instance_id").asText())
                .orElseThrow();
        String trace;
        try (NodeLease other = new NodeLease(Tenant.bean(Database.class), Duration.ofMinutes(1))) {
            other.fenced(other.id());
            LocalEngine there = SecondEngine.on(other);
            try (TraceSpan answer = Tracing.internal("answer", "there", null)) {
                trace = answer.traceId();
                assertThat(there.apply(
                                        tenant.organization(),
                                        id,
                                        new InstanceEvent.TicketCompleted(
                                                new TaskId("approve"), 1, Map.of("approved", true), "user:kim"),
                                        null)
                                .join())
                        .isInstanceOf(Decision.class);
            }
            assertThat(instance(conversation, "COMPLETED").at("/trace_id").asText())
                    .isEqualTo(trace);
        }
        ReceivedSpan run = child(sink.await(trace, "answer there"), "workflow Test");
        assertThat(run.links())
                .containsExactly(sink.await(CLIENT_TRACE, "workflow Test").id());
        child(run, "task finish");
    }

    @Test
    void modelsGetTheContext() throws Exception {
        sink = new TraceSink(Map.of());
        String completion = """
                {"model": "m-1", "choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}""";
        try (var endpoint = new ScriptedServer(ScriptedServer.answering(200, "application/json", completion));
                var model = new EndpointChatModel(
                        endpoint.url("/v1"), "", "m", Duration.ofSeconds(20), new EgressRules(EgressAllow.none()));
                TraceSpan span = Tracing.internal("ask", "m", null)) {
            assertThat(model.reply(ChatRequest.text("", List.of(ChatTurn.user("Hi")), Duration.ofSeconds(20)))
                            .text())
                    .isEqualTo("Hi");
            assertThat(endpoint.received().getFirst().header("traceparent")).contains(span.traceId());
        }
        assertThat(sink.await(one -> one.name().equals("ask m")).attributes())
                .containsEntry("gen_ai.provider.name", "openai")
                .containsEntry("server.address", "127.0.0.1");
    }

    @Test
    void logLinesNameTheTrace() throws IOException {
        sink = new TraceSink(Map.of());
        List<Map<String, String>> fields = new CopyOnWriteArrayList<>();
        Logger root = LogManager.getLogManager().getLogger("");
        var handler = new ExtHandler() {
            @Override
            protected void doPublish(ExtLogRecord line) {
                fields.add(Map.copyOf(line.getMdcCopy()));
            }
        };
        root.addHandler(handler);
        try {
            for (String path : List.of("virtual", "loop")) {
                new Api()
                        .get("/developer/api/log-probe/" + path)
                        .key(tenant.key())
                        .header("traceparent", TRACEPARENT)
                        .send()
                        .expect(200);
            }
        } finally {
            root.removeHandler(handler);
        }
        assertThat(fields.stream().filter(line -> CLIENT_TRACE.equals(line.get("traceId"))))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(line -> assertThat(line.get("spanId")).hasSize(16).isNotEqualTo(CLIENT_SPAN));
    }

    @Test
    void offNothingIsStoredOrSent() {
        String conversation = tenant.post("/conversations", Map.of("config", Map.of("callback_url", receiver.url("/"))))
                .expect(201)
                .text("/id");
        Api.Answer sent = send(conversation, "Hello");

        Tenant.eventually(receiver::received, received -> !received.isEmpty());

        assertThat(sent.headers().map()).doesNotContainKey("parley-trace-id");
        assertThat(receiver.received().getFirst().header("traceparent")).isEmpty();
        int stored = Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT count(*) FROM message WHERE organization_id = ? AND trace_context IS NOT NULL",
                        tenant.organization().value())
                .mapTo(Integer.class)
                .one());
        assertThat(stored).isZero();
    }
}
