package dev.parley.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guarantees of every chat model. A subclass provides a model that answers, fails, or is slow. */
public abstract class ChatModelContract {
    public static final Duration LONG = Duration.ofSeconds(20);

    /** A model that answers: its text contains the last user turn, its objects match {@link #schema}. */
    protected abstract ChatModel answering() throws Exception;

    /** The text of a user turn that makes the model fail permanently. */
    protected abstract String failing();

    /** The text of a user turn that makes it fail transiently at every attempt. */
    protected abstract String unavailable();

    /** The text of a user turn that makes it exceed every deadline of this test. */
    protected abstract String slow();

    public static ChatRequest saying(String text) {
        return ChatRequest.text("Be short.", List.of(ChatTurn.user(text)), LONG);
    }

    public static Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("summary", Map.of("type", "string", "description", "One line."));
        properties.put("count", Map.of("type", "integer"));
        properties.put("total", Map.of("type", "number"));
        properties.put("approved", Map.of("type", "boolean"));
        properties.put("due", Map.of("type", "string", "format", "date-time"));
        return Map.of("type", "object", "properties", properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hello", " ", "Grüße 👋🏽 \"quoted\" \\ \n new line \t end", "{\"json\": [1]}", "\u0001"})
    void aTextIsAnsweredWithAText(String said) throws Exception {
        ChatReply reply = answering().reply(saying(said));
        assertThat(reply.text()).isNotBlank();
        assertThat(reply.finish()).isEqualTo(ChatReply.ReplyFinish.STOP);
        assertThat(reply.model()).isNotBlank();
        assertThat(reply.promptTokens()).isPositive();
        assertThat(reply.completionTokens()).isPositive();
    }

    @Test
    void theLastWordOfTheConversationCounts() throws Exception {
        ChatRequest request = ChatRequest.text(
                "", List.of(ChatTurn.user("first"), ChatTurn.assistant("reply"), ChatTurn.user("last words")), LONG);
        assertThat(answering().reply(request).text()).contains("last words");
    }

    @Test
    void aConversationWithoutWordsIsAnsweredToo() throws Exception {
        assertThat(answering().reply(ChatRequest.text("", List.of(), LONG)).text())
                .isNotBlank();
    }

    @Test
    void withASchemaTheAnswerIsAnObjectOfThatSchema() throws Exception {
        Map<String, Object> inputs = new LinkedHashMap<>();
        inputs.put("invoice", "Invoice 2024 over 119.50 EUR, due 2026-03-01");
        inputs.put("nothing", null);
        ChatReply reply =
                answering().reply(saying("Extract.").withInputs(inputs).withSchema(schema()));
        JsonNode answer = new ObjectMapper().readTree(reply.text());
        assertThat(answer.size()).isEqualTo(5);
        assertThat(answer.path("summary").isTextual()).isTrue();
        assertThat(answer.path("count").isIntegralNumber()).isTrue();
        assertThat(answer.path("total").isNumber()).isTrue();
        assertThat(answer.path("approved").isBoolean()).isTrue();
        assertThat(OffsetDateTime.parse(answer.path("due").asText())).isNotNull();
    }

    @Test
    void aPermanentFaultSaysSo() throws Exception {
        ChatModel model = answering();
        ChatModelException fault = catchThrowableOfType(ChatModelException.class, () -> model.reply(saying(failing())));
        assertThat(fault.isTransient()).isFalse();
        assertThat(fault.detail()).endsWith(".").doesNotContain("Exception");
    }

    @Test
    void aTransientFaultSaysSo() throws Exception {
        ChatModel model = answering();
        ChatModelException fault =
                catchThrowableOfType(ChatModelException.class, () -> model.reply(saying(unavailable())));
        assertThat(fault.isTransient()).isTrue();
        assertThat(fault.detail()).endsWith(".").doesNotContain("Exception");
    }

    @Test
    void theDeadlineHoldsAndIsATransientFault() throws Exception {
        ChatModel model = answering();
        ChatRequest request = ChatRequest.text("", List.of(ChatTurn.user(slow())), Duration.ofMillis(300));
        long start = System.nanoTime();
        ChatModelException fault = catchThrowableOfType(ChatModelException.class, () -> model.reply(request));
        assertThat(fault.isTransient()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptedCallEndsAtOnce(boolean virtual) throws Exception {
        ChatModel model = answering();
        CompletableFuture<Object> outcome = new CompletableFuture<>();
        Runnable call = () -> {
            try {
                outcome.complete(model.reply(saying(slow())));
            } catch (Exception failed) {
                outcome.complete(failed);
            }
        };
        Thread caller =
                virtual ? Thread.ofVirtual().start(call) : Thread.ofPlatform().start(call);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (caller.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        assertThat(outcome.get(2, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void manyThreadsGetTheirOwnAnswers() throws Exception {
        ChatModel model = answering();
        List<Future<String>> answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                String said = "number-" + i + "!";
                answers.add(threads.submit(() -> model.reply(saying(said)).text()));
            }
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get()).contains("number-" + i + "!");
        }
    }
}
