package dev.parley.openai;

import dev.parley.event.delta.LiveTexts;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.BodyFilter;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.ReplyListener;
import dev.parley.openai.WorkflowAnswers.WorkflowRun;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.ratelimit.RateLimits;
import dev.parley.work.FairSemaphore;
import dev.parley.work.FairSemaphore.FairPermit;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers a request of either dialect, whole or as a stream, which it writes past the framework. */
@Singleton
public final class CompletionService {
    /** Below the time after which idle connections are closed. */
    private static final Duration WHOLE_WAIT = Duration.ofSeconds(100);

    private static final Duration STREAM_WAIT = Duration.ofMinutes(10);

    /** Of the requests that wait for models; in memory they take up to four times as much. */
    static final int MAX_WAITING_KB =
            (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 16 / 1024);

    private final ModelAnswers models;
    private final WorkflowAnswers workflows;
    private final LiveTexts texts;
    private final RateLimits limits;
    private final FairSemaphore waitingKilobytes = new FairSemaphore(MAX_WAITING_KB);

    public CompletionService(ModelAnswers models, WorkflowAnswers workflows, LiveTexts texts, RateLimits limits) {
        this.models = models;
        this.workflows = workflows;
        this.texts = texts;
        this.limits = limits;
    }

    /** Counts a request that was read as a message. */
    void acquire(RoutingContext http) {
        BodyFilter.bodyUsed(http);
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        if (!limits.acquire(caller.organization(), caller.messagesPerMinute()).join()) {
            throw limits.rejection(caller.organization(), caller.messagesPerMinute());
        }
    }

    /** @param keep gets the whole answer before the client does */
    void ofModel(
            RoutingContext http,
            AsyncResponse async,
            CompletionRequest request,
            AnswerDialect dialect,
            Consumer<Map<String, @Nullable Object>> keep)
            throws InterruptedException {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        int kilobytes = 1 + (int) (http.request().bytesRead() / 1024);
        try (FairPermit permit = waitingKilobytes.take(caller.organization(), kilobytes, Duration.ZERO)) {
            if (permit == null) {
                throw ApiProblem.tooMany("Too many large requests wait for models.", Duration.ofSeconds(1));
            }
            answer(http, async, caller, request, dialect, keep);
        }
    }

    private void answer(
            RoutingContext http,
            AsyncResponse async,
            ApiKeyCaller caller,
            CompletionRequest request,
            AnswerDialect dialect,
            Consumer<Map<String, @Nullable Object>> keep)
            throws InterruptedException {
        if (!request.isStreamed()) {
            Map<String, @Nullable Object> whole = dialect.whole(models.answer(caller, request, ReplyListener.NONE));
            keep.accept(whole);
            async.resume(json(whole));
            return;
        }
        AnswerStream stream = dialect.stream(http);
        try {
            CompletionAnswer answer = models.answer(caller, request, stream);
            if (stream.isVoid()) {
                throw new InterruptedException("The reply differs from the text that was sent.");
            }
            Map<String, @Nullable Object> whole = dialect.whole(answer);
            keep.accept(whole);
            stream.finish(answer, whole, answer.text());
        } catch (RuntimeException e) {
            if (!stream.isStarted()) {
                throw e;
            }
            stream.fail(ProblemResponse.of(e));
        } catch (InterruptedException e) {
            if (!stream.isStarted()) {
                throw e;
            }
            if (stream.isVoid()) {
                stream.fail(ApiProblem.unavailable("The model's answer was interrupted.", Duration.ofSeconds(1)));
            }
        }
        var _ = Thread.interrupted();
    }

    void ofWorkflow(
            RoutingContext http, AsyncResponse async, CompletionRequest request, WorkflowRun run, AnswerDialect dialect)
            throws InterruptedException {
        if (!request.isStreamed()) {
            Duration wait = request.body().flag("background") ? Duration.ZERO : WHOLE_WAIT;
            async.resume(json(dialect.whole(workflows.await(run, wait, () -> {}))));
            return;
        }
        AnswerStream stream = dialect.stream(http);
        stream.start();
        try (AnswerText text = AnswerText.start(texts, run, stream)) {
            CompletionAnswer answer = workflows.await(run, STREAM_WAIT, stream::keepAlive);
            stream.finish(answer, dialect.whole(answer), text == null ? "" : text.stop());
        } catch (RuntimeException e) {
            stream.fail(ProblemResponse.of(e));
        } catch (InterruptedException _) {
            // The client has left; the instance continues.
        }
        var _ = Thread.interrupted();
    }

    static Response json(Map<String, @Nullable Object> body) {
        return Response.ok(StrictJson.writeBytes(body))
                .type(MediaType.APPLICATION_JSON_TYPE)
                .build();
    }
}
