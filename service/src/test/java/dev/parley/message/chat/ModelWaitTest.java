package dev.parley.message.chat;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.attachment.AttachmentReader;
import dev.parley.budget.BudgetLimiter;
import dev.parley.conversation.ConversationCache;
import dev.parley.db.Database;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.event.delta.LiveTexts;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.message.HandlerCache;
import dev.parley.message.MessageHandler.Handled;
import dev.parley.message.PendingMessage;
import dev.parley.model.ModelGateway;
import dev.parley.node.NodeLease;
import dev.parley.settings.Settings;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A chat message while the model is unavailable. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelWaitTest {
    private final TestClock clock = new TestClock();
    private final ReplyStopper stopper = new ReplyStopper(Tenant.bean(Database.class));
    private final HandlerCache memory = new HandlerCache();
    private ScriptedServer service;
    private EndpointChatModel model;
    private ChatHandler handler;
    private PendingMessage message;
    private volatile int status = 500;
    private volatile List<String> headers = List.of();

    @BeforeEach
    void sendAMessage() throws IOException {
        service = new ScriptedServer((request, out) -> ScriptedServer.write(
                out,
                status,
                "application/json",
                status == 200
                        ? "{\"choices\": [{\"message\": {\"content\": \"Here again.\"}, \"finish_reason\": \"stop\"}]}"
                        : "{\"error\": {\"message\": \"secret\", \"code\": \"broken\"}}",
                headers.toArray(String[]::new)));
        model = new EndpointChatModel(
                service.url("/v1"), "", "m", Duration.ofSeconds(20), new EgressRules(EgressAllow.none()));
        Settings.Models settings = Tenant.bean(Settings.Models.class);
        handler = new ChatHandler(
                Tenant.bean(Database.class),
                new ModelGateway(model, settings, Tenant.bean(BudgetLimiter.class)),
                Tenant.bean(AttachmentReader.class),
                stopper,
                new ModelWait(Tenant.bean(Database.class), clock, settings),
                Tenant.bean(LiveTexts.class),
                settings);
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        tenant.send(conversation, "offline:wait 600000").expect(200);
        JsonNode sent = eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages")
                        .expect(200)
                        .json(),
                list -> list.at("/0/status").asText().equals("PROCESSING"));
        message = new PendingMessage(
                Tenant.bean(ConversationCache.class)
                        .ref(
                                tenant.organization(),
                                ConversationId.parse(conversation).orElseThrow())
                        .orElseThrow(),
                MessageId.parse(sent.at("/0/id").asText()).orElseThrow(),
                Tenant.bean(NodeLease.class).id(),
                "TEXT",
                "Hello",
                null,
                null,
                true,
                null);
    }

    @AfterEach
    void close() throws Exception {
        Tenant.bean(ReplyStopper.class).onNotification(message.id().text());
        model.close();
        service.close();
    }

    private Handled handle() throws InterruptedException {
        return handler.handle(message, memory);
    }

    private Handled handleAfter(Duration time) throws InterruptedException {
        clock.advance(time);
        return handle();
    }

    private static String notice(Handled handled) {
        assertThat(handled).isInstanceOf(Handled.HandlingFailed.class);
        return String.valueOf(((Handled.HandlingFailed) handled).notice().content());
    }

    private static String reply(Handled handled) {
        assertThat(handled).isInstanceOf(Handled.Answered.class);
        return String.valueOf(((Handled.Answered) handled).replies().getFirst().content());
    }

    @Test
    void theReplyComesWhenTheModelIsBack() throws Exception {
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        int asked = service.received().size();
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        assertThat(service.received()).hasSize(asked);
        assertThat(handleAfter(Duration.ofMinutes(5))).isInstanceOf(Handled.NotYet.class);
        assertThat(service.received()).hasSize(asked + 1);
        status = 200;
        assertThat(reply(handleAfter(Duration.ofMinutes(2)))).isEqualTo("Here again.");
        String request = service.received().getLast().body();
        assertThat(request.split("Hello", -1)).as("the message is sent once").hasSize(2);
    }

    @Test
    void anotherNodeContinuesTheWait() throws Exception {
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        memory.clear();
        clock.advance(Duration.ofMinutes(16));
        assertThat(notice(handle())).contains("has not been available");
    }

    @Test
    void theWaitEndsWithPlainWords() throws Exception {
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        assertThat(handleAfter(Duration.ofMinutes(14))).isInstanceOf(Handled.NotYet.class);
        assertThat(notice(handleAfter(Duration.ofMinutes(2))))
                .isEqualTo("The message could not be answered: the assistant has not been available for some time. "
                        + "Please send it again later.");
    }

    @Test
    void aRequestedDelayIsKeptUpToFiveMinutes() throws Exception {
        status = 429;
        headers = List.of("Retry-After: 3600");
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        status = 200;
        assertThat(handleAfter(Duration.ofMinutes(4))).isInstanceOf(Handled.NotYet.class);
        assertThat(service.received()).hasSize(1);
        assertThat(reply(handleAfter(Duration.ofMinutes(2)))).isEqualTo("Here again.");
    }

    @Test
    void aPermanentFailureIsNotAwaitedAndNamesNoStatus() throws Exception {
        status = 401;
        assertThat(notice(handle()))
                .isEqualTo("The message could not be answered: The chat model's service refused the configured key.");
    }

    @Test
    void aWaitingReplyCanBeStopped() throws Exception {
        assertThat(handle()).isInstanceOf(Handled.NotYet.class);
        stopper.onNotification(MessageId.next().text());
        assertThat(handle()).as("another message").isInstanceOf(Handled.NotYet.class);
        stopper.onNotification(message.id().text());
        assertThat(notice(handle())).isEqualTo("The reply was stopped.");
        status = 200;
        assertThat(reply(handleAfter(Duration.ofMinutes(5)))).isEqualTo("Here again.");
    }
}
