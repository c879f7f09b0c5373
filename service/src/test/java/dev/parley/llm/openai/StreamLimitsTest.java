package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that are refused, cut, late, endless or many (docs/guides/models.md). */
class StreamLimitsTest extends StreamedEndpoint {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCutStreamIsAFailureAndTheNextAttemptStartsAnew(boolean isOrderly) throws Exception {
        var attempts = new AtomicInteger();
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            event(out, text("Hello, "));
            if (attempts.incrementAndGet() == 1) {
                if (!isOrderly) {
                    throw new IOException("cut");
                }
            } else {
                event(out, text("world."));
                event(out, STOP);
                event(out, DONE);
            }
            end(out);
        });
        assertThat(model.reply(saying("hi"), heard).text()).isEqualTo("Hello, world.");
        assertThat(heard.resets).isEqualTo(1);
        assertThat(heard.text).hasToString("Hello, world.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"Secret\"}}], \"usage\": {\"completion_tokens\": 4}}",
                "{\"choices\": [{\"index\": 0, \"delta\": {\"tool_calls\": [{\"index\": 0, \"id\": \"1\", \"function\": {\"name\": \"look\", \"arguments\": \"{\"}}]}}], \"usage\": {\"completion_tokens\": 4}}",
            })
    void aCutStreamIsNeverAnAnswer(String event) throws Exception {
        ChatModelException fault = fault(streaming(event), withTool());
        assertThat(fault.isTransient()).isTrue();
        assertThat(fault.answered().orElseThrow().completionTokens()).isEqualTo(4L * (1 + ModelRetries.RETRIES));
        assertThat(fault.answered().orElseThrow().toolCalls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\": {\"message\": \"Secret overloaded\", \"code\": 503}} | true | 503",
                "{\"error\": {\"type\": \"rate_limit_error\", \"message\": \"Secret\"}} | true | 429",
                "{\"error\": {\"message\": \"Secret\", \"code\": 400}, \"choices\": [{\"delta\": {\"content\": \"\"}, \"finish_reason\": \"error\"}]} | false | 400",
                "{\"error\": {\"code\": \"insufficient_quota\"}} | false | 429",
                "{\"object\": \"error\", \"message\": \"Secret\", \"code\": 502} | true | 502",
                "{cut | true | understood",
                "7 | true | understood",
            })
    void anErrorInTheStreamIsAFailure(String event, boolean isTransient, String detail) throws Exception {
        ChatModelException fault =
                fault(streaming(text("Secret"), event), saying("hi").once());
        assertThat(fault.isTransient()).isEqualTo(isTransient);
        assertThat(fault.detail()).contains(detail);
    }

    @Test
    void emptyStreamsAreFailures() throws Exception {
        assertThat(fault(streaming(DONE), saying("hi").once()).isTransient()).isTrue();
        assertThat(fault(streaming(), saying("hi").once()).isTransient()).isTrue();
        assertThat(fault(streaming(text("Secret"), DONE), saying("hi").once()).isTransient())
                .as("without a reason for the end")
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "422 | {\"detail\": [{\"loc\": [\"body\", \"stream_options\"], \"msg\": \"Extra inputs are not permitted\"}]} | true | 1",
                "400 | Unrecognized request argument supplied: stream_options | true | 1",
                "400 | Streaming is not supported for this model. | false | 1",
                "400 | Bad Request | false | 1",
                "400 | Unrecognized request argument supplied: 'stream' | | 2",
            })
    void whatIsRefusedOfStreamingIsLeftOutAndRemembered(int status, String error, Boolean stream, int repetitions)
            throws Exception {
        EndpointChatModel model = refusing(
                status,
                request -> request.has("stream_options")
                                || (!Boolean.TRUE.equals(stream)
                                        && request.path("stream").asBoolean())
                                || (stream == null && request.has("stream"))
                        ? Optional.of(error)
                        : Optional.empty());
        var _ = model.reply(saying("hi"), heard);
        assertThat(asked).hasSize(1 + repetitions);
        var _ = model.reply(saying("hi"), heard);
        assertThat(asked).hasSize(2 + repetitions);
        assertThat(asked.getLast().has("stream_options")).isFalse();
        assertThat(asked.getLast().path("stream").asText("left out"))
                .isEqualTo(stream == null ? "left out" : stream.toString());
        assertThat(heard.resets).isZero();
        assertThat(heard.pieces).hasSize(2);
    }

    @Test
    void aWholeAnswerIsPassedOnInOnePiece() throws Exception {
        ChatReply reply = answering(completion("{\"content\": \"<think>Secret</think>Hello\"}", "\"stop\""))
                .reply(saying("hi"), heard);
        assertThat(heard.pieces).containsExactly(reply.text()).containsExactly("Hello");
    }

    @Test
    void aLongStreamIsNotLimitedByTheTimeoutBetweenItsBytes() throws Exception {
        var pause = new CountDownLatch(1);
        EndpointChatModel model = impatient(
                (_, out) -> {
                    head(out);
                    for (int i = 0; i < 12; i++) {
                        event(out, text("x"));
                        pause.await(200, TimeUnit.MILLISECONDS);
                    }
                    event(out, STOP);
                    end(out);
                },
                Duration.ofSeconds(2));
        assertThat(model.reply(saying("hi")).text()).isEqualTo("x".repeat(12));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void silenceEndsAnAttempt(int events) throws Exception {
        var never = new CountDownLatch(1);
        EndpointChatModel model = impatient(
                (_, out) -> {
                    if (events > 0) {
                        head(out);
                    }
                    for (int i = 1; i < events; i++) {
                        event(out, text("Secret"));
                    }
                    never.await(20, TimeUnit.SECONDS);
                },
                Duration.ofMillis(300));
        long start = System.nanoTime();
        ChatModelException fault = fault(model, saying("hi").once());
        assertThat(fault.isTransient()).isTrue();
        assertThat(fault.detail()).contains("in time");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void theDeadlineOfTheRequestEndsAStream() throws Exception {
        var never = new CountDownLatch(1);
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            while (!never.await(20, TimeUnit.MILLISECONDS)) {
                event(out, text("x"));
            }
        });
        ChatRequest request = ChatRequest.text("", List.of(ChatTurn.user("hi")), Duration.ofMillis(500));
        assertThat(fault(model, request).isTransient()).isTrue();
    }

    @Test
    void retriesBeginWithinTheirTimeAndNotUntilTheDeadline() throws Exception {
        EndpointChatModel model = refusing(503, _ -> Optional.of("{\"error\": {\"message\": \"busy\"}}"));
        ChatRequest request = ChatRequest.text("", List.of(ChatTurn.user("hi")), Duration.ofMillis(1))
                .within(Duration.ofSeconds(20));
        assertThat(fault(model, request).isTransient()).isTrue();
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void theLimitCountsTextAndNotItsFrames() throws Exception {
        String padded = text("abcdefgh").replaceFirst("\\{", "{\"padding\": \"" + "p".repeat(2000) + "\", ");
        EndpointChatModel framed = model("/v1", "", (_, out) -> {
            head(out);
            for (int i = 0; i < 3000; i++) {
                event(out, padded);
            }
            event(out, STOP);
            end(out);
        });
        assertThat(framed.reply(saying("hi")).text()).hasSize(24_000);
        String much = text("x".repeat(64 * 1024));
        EndpointChatModel endless = model("/v1", "", (_, out) -> {
            head(out);
            while (true) {
                event(out, much);
            }
        });
        ChatModelException fault = fault(endless, saying("hi"));
        assertThat(fault.isTransient()).isFalse();
        assertThat(fault.detail()).contains("too large");
    }

    @Test
    void theLimitCountsValuesWithoutTextToo() throws Exception {
        String values = "{\"choices\": [{\"delta\": {\"x\": [" + "1, ".repeat(10_000) + "1]}}]}";
        EndpointChatModel endless = model("/v1", "", (_, out) -> {
            head(out);
            while (true) {
                event(out, values);
            }
        });
        assertThat(fault(endless, saying("hi")).detail()).contains("too large");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptEndsAStreamAtOnce(boolean isVirtual) throws Exception {
        var closed = new CompletableFuture<Boolean>();
        var started = new CountDownLatch(1);
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            try {
                while (true) {
                    event(out, text("x"));
                    new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
                }
            } catch (IOException gone) {
                closed.complete(true);
                throw gone;
            }
        });
        var outcome = new CompletableFuture<Object>();
        Runnable call = () -> {
            try {
                outcome.complete(model.reply(saying("hi"), _ -> started.countDown()));
            } catch (Exception failed) {
                outcome.complete(failed);
            }
        };
        Thread caller =
                isVirtual ? Thread.ofVirtual().start(call) : Thread.ofPlatform().start(call);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();
        caller.interrupt();
        assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        assertThat(closed.get(20, TimeUnit.SECONDS)).isTrue();
    }

    /** All streams are open before the first one ends, so that no limit of connections may be lower. */
    @Test
    void twoHundredStreamsRunAtOnce() throws Exception {
        var all = new CyclicBarrier(200);
        EndpointChatModel model = model("/v1", "", (_, out) -> {
            head(out);
            event(out, text("first "));
            try {
                all.await(60, TimeUnit.SECONDS);
            } catch (BrokenBarrierException | TimeoutException late) {
                throw new IOException(late);
            }
            event(out, text("second"));
            event(out, STOP);
            event(out, DONE);
            end(out);
        });
        ChatRequest request = ChatRequest.text("", List.of(ChatTurn.user("hi")), Duration.ofSeconds(90));
        List<Future<String>> replies = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                replies.add(threads.submit(() -> model.reply(request).text()));
            }
        }
        for (Future<String> reply : replies) {
            assertThat(reply.get()).isEqualTo("first second");
        }
        assertThat(server.connections()).isEqualTo(200);
    }
}
