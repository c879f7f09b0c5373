package dev.parley.openai;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.ReplyListener;
import dev.parley.openai.CompletionAnswer.AnswerStatus;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An answer as server-sent events. The head is sent with the first event, so that an earlier problem has its own
 * status. If the client leaves, the thread of the request is interrupted; the text may arrive on another one.
 */
abstract class AnswerStream implements ReplyListener {
    private static final int WRITE_TIMEOUT_SECONDS = 30;

    private final HttpServerResponse response;
    private final Thread requestThread = Thread.currentThread();
    private boolean hasText;
    private volatile boolean isVoid;
    private volatile boolean isAborted;

    AnswerStream(RoutingContext http) {
        this.response = http.response();
    }

    abstract void begin();

    abstract void text(String delta);

    /** @param whole the answer that a request without a stream would get */
    abstract void end(CompletionAnswer answer, Map<String, @Nullable Object> whole);

    abstract void failed(Map<String, Object> error);

    @Override
    public final void onText(String delta) {
        if (!delta.isEmpty() && !isVoid) {
            start();
            hasText = true;
            text(delta);
        }
    }

    /** A client cannot take back text, so the answer ends when the model has to begin anew. */
    @Override
    public final void onReset() {
        if (hasText) {
            isVoid = true;
            requestThread.interrupt();
        }
    }

    /** Sends the first events. */
    final void start() {
        if (!isStarted()) {
            response.setStatusCode(200).setChunked(true);
            response.putHeader("Content-Type", "text/event-stream; charset=utf-8");
            response.putHeader("X-Accel-Buffering", "no");
            begin();
        }
    }

    final boolean isStarted() {
        return response.headWritten();
    }

    /** Whether the model began the answer anew after text was sent. */
    final boolean isVoid() {
        return isVoid;
    }

    /** @param sent the beginning of the answer that was sent as it came */
    final void finish(CompletionAnswer answer, Map<String, @Nullable Object> whole, String sent) {
        start();
        boolean isWhole = answer.failure().isEmpty() && (sent.isEmpty() || answer.status() != AnswerStatus.IN_PROGRESS);
        if (isWhole && !answer.text().startsWith(sent)) {
            fail(ApiProblem.of(
                    ProblemKind.ANSWER_FAILED, "The workflow's answer does not begin with the text that was sent."));
            return;
        }
        onText(isWhole ? answer.text().substring(sent.length()) : "");
        end(answer, whole);
        close();
    }

    final void fail(ApiProblem problem) {
        start();
        failed(ProblemResponse.openAi(problem));
        close();
    }

    /** Keeps the connection open, and notices a client that has left. */
    final void keepAlive() {
        write(": waiting\n\n");
    }

    final void send(@Nullable String event, Object data) {
        write((event == null ? "" : "event: " + event + "\n") + "data: "
                + (data instanceof String text ? text : StrictJson.write(data)) + "\n\n");
    }

    /** Waits until the connection has accepted it, so that a slow reader slows the answer down and fills no memory. */
    private void write(String event) {
        if (isAborted) {
            return;
        }
        try {
            response.write(Buffer.buffer(event))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(WRITE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | IllegalStateException _) {
            abort();
            requestThread.interrupt();
        } catch (InterruptedException _) {
            if (!isVoid) {
                abort();
            }
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the connection: without it, a client that reads too slowly would wait for the end of the answer. */
    private void abort() {
        isAborted = true;
        response.reset();
    }

    private void close() {
        if (!isAborted) {
            var _ = response.end();
        }
    }
}
