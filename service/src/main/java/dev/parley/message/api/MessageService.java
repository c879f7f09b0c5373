package dev.parley.message.api;

import dev.parley.conversation.ConversationCache;
import dev.parley.conversation.ConversationRef;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.media.FileScope;
import dev.parley.media.UploadService;
import dev.parley.message.Message;
import dev.parley.message.NewMessage;
import dev.parley.message.StorableText;
import dev.parley.message.run.ConversationInbox;
import dev.parley.message.run.MessageProcessor;
import dev.parley.message.run.MessageStore;
import dev.parley.message.run.MessageStore.InsertReceipt;
import dev.parley.message.run.MessageSubmission;
import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.ratelimit.RateLimits;
import dev.parley.trace.Tracing;
import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageMetric;
import io.micrometer.core.instrument.Counter;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages: validates them, applies the rate limit, stores them and passes them to processing. Nothing blocks;
 * data that is not cached is looked up on a virtual thread.
 */
@Singleton
public final class MessageService {
    public static final int MAX_METADATA_BYTES = 4_096;

    /** Metadata that only the service writes. */
    public static final Set<String> SYSTEM_KEYS = Set.of(
            "workflow_instance_status",
            "workflow_instance_id",
            "workflow_instance_status_updated_at",
            "file",
            "ticket_id");

    private static final String ROUTE = "POST /messages";
    private static final Counter ACCEPTED = Metric.MESSAGES_ACCEPTED.counter();
    private static final Executor VIRTUAL = task -> Thread.ofVirtual().start(task);

    private final ConversationCache conversations;
    private final MessageStore store;
    private final MessageProcessor processor;
    private final RateLimits limits;
    private final IdempotencyKeys idempotency;
    private final UploadService uploads;
    private final UsageCounters usage;

    /** Requests with an idempotency key in progress on this node: duplicates wait instead of acquiring a permit. */
    private final Map<String, CompletableFuture<Response>> inFlight = new ConcurrentHashMap<>();

    public MessageService(
            ConversationCache conversations,
            MessageStore store,
            MessageProcessor processor,
            RateLimits limits,
            IdempotencyKeys idempotency,
            UploadService uploads,
            UsageCounters usage) {
        this.conversations = conversations;
        this.store = store;
        this.processor = processor;
        this.limits = limits;
        this.idempotency = idempotency;
        this.uploads = uploads;
        this.usage = usage;
    }

    /** Sends a client's message; the response is complete after the commit. */
    public CompletionStage<Response> send(
            ApiKeyCaller caller, @Nullable String idempotencyKey, MessageResource.MessageRequest request) {
        CompletionStage<Response> response;
        try {
            Optional<Claim> claim = IdempotencyKeys.claim(caller, ROUTE, idempotencyKey, request);
            NewMessageParts parts = check(request);
            response = claim.isPresent() ? sendOnce(caller, claim.get(), parts) : accept(caller, parts, claim);
        } catch (ApiProblem e) {
            response = CompletableFuture.completedFuture(ProblemResponse.response(e));
        }
        return response.exceptionally(e -> ProblemResponse.response(ProblemResponse.of(e)));
    }

    /** Stores a message sent in the dashboard; it counts towards the rate limit like any other. */
    public CompletableFuture<Message> sendAs(
            String createdBy,
            ConversationRef conversation,
            int limit,
            String content,
            @Nullable MediaPart media,
            @Nullable String metadata) {
        String trace = Tracing.context();
        return limits.acquire(conversation.organization(), limit).thenCompose(granted -> {
            if (!granted) {
                return CompletableFuture.failedFuture(limits.rejection(conversation.organization(), limit));
            }
            Supplier<NewMessage> text = () -> NewMessage.userText(
                            conversation.organization(), conversation.id(), content, metadata, createdBy)
                    .inTrace(trace);
            return submit(FileScope.all(conversation.organization()), conversation, text, media, Optional.empty())
                    .whenComplete((_, failure) -> {
                        if (failure != null) {
                            limits.release(conversation.organization()); // Nothing was sent.
                        }
                    })
                    .thenApply(submitted -> submitted.message().stored());
        });
    }

    /** The message in a request. */
    private record NewMessageParts(
            ConversationId conversation,
            String content,
            @Nullable MediaPart media,
            @Nullable String metadata,
            @Nullable String trace) {}

    private static NewMessageParts check(MessageResource.MessageRequest request) {
        var validator = RequestValidator.of(request);
        ConversationId conversation = validator
                .id(request.conversationId(), "/conversation_id", ConversationId::parse)
                .orElse(new ConversationId(new UUID(0, 0)));
        if (request.conversationId() == null) {
            validator.add(Violation.missing("/conversation_id"));
        }
        MediaPart media = MediaPart.check(request.contentType(), request.filename(), request.content(), validator);
        String content = media == null ? checkContent(request, validator) : media.caption();
        String metadata = checkMetadata(request.metadata(), validator);
        validator.done();
        return new NewMessageParts(conversation, content, media, metadata, Tracing.context());
    }

    private static String checkContent(MessageResource.MessageRequest request, RequestValidator validator) {
        String type = request.contentType();
        if (type == null) {
            validator.add(Violation.missing("/content_type"));
            return "";
        }
        checkText(request.content(), validator);
        return request.content() == null ? "" : request.content();
    }

    /** A text is 1 byte to 256 KiB. */
    public static void checkText(@Nullable String content, RequestValidator validator) {
        if (content == null) {
            validator.add(Violation.missing("/content"));
            return;
        }
        boolean tooLong = content.length() > StorableText.MAX_BYTES
                || (content.length() > StorableText.MAX_BYTES / 4
                        && content.getBytes(StandardCharsets.UTF_8).length > StorableText.MAX_BYTES);
        validator.require(
                !content.isEmpty() && !tooLong,
                tooLong ? ViolationCode.TOO_LONG : ViolationCode.TOO_SHORT,
                "/content",
                "'/content' must have 1 to 262144 bytes of UTF-8.",
                Map.of("min", 1, "max", 262144));
    }

    /** The metadata as compact JSON, or null for none. */
    public static @Nullable String checkMetadata(
            @Nullable Map<String, @Nullable Object> metadata, RequestValidator validator) {
        if (metadata == null) {
            return null;
        }
        for (String key : metadata.keySet()) {
            validator.require(
                    !SYSTEM_KEYS.contains(key),
                    ViolationCode.NOT_ALLOWED,
                    "/metadata/" + key,
                    "'/metadata/" + key + "' is written by the service.");
        }
        String json = StrictJson.write(metadata);
        int size = json.getBytes(StandardCharsets.UTF_8).length;
        validator.require(
                size <= MAX_METADATA_BYTES,
                ViolationCode.TOO_LONG,
                "/metadata",
                "'/metadata' must have at most 4096 bytes as JSON, not " + size + ".",
                Map.of("max", MAX_METADATA_BYTES, "actual", size));
        return json;
    }

    private CompletionStage<Response> sendOnce(ApiKeyCaller caller, Claim claim, NewMessageParts parts) {
        String key = claim.organization().text() + claim.key();
        var mine = new CompletableFuture<Response>();
        CompletableFuture<Response> first = inFlight.putIfAbsent(key, mine);
        if (first != null) {
            // Whatever the outcome of the first request, the stored response is authoritative; without one this request
            // is processed.
            return first.handle((_, _) -> true).thenComposeAsync(_ -> replayOrAccept(caller, claim, parts), VIRTUAL);
        }
        var _ = CompletableFuture.supplyAsync(() -> replayOrAccept(caller, claim, parts), VIRTUAL)
                .thenCompose(stage -> stage)
                .whenComplete((response, failure) -> {
                    inFlight.remove(key, mine);
                    if (failure != null) {
                        mine.completeExceptionally(failure);
                    } else {
                        mine.complete(response);
                    }
                });
        return mine;
    }

    private CompletionStage<Response> replayOrAccept(ApiKeyCaller caller, Claim claim, NewMessageParts parts) {
        Optional<IdempotencyKeys.StoredResponse> stored = idempotency.stored(claim);
        return stored.isPresent()
                ? CompletableFuture.completedFuture(stored.get().replay())
                : accept(caller, parts, Optional.of(claim));
    }

    private CompletionStage<Response> accept(ApiKeyCaller caller, NewMessageParts parts, Optional<Claim> claim) {
        return conversation(caller, parts.conversation())
                .thenCompose(conversation -> limits.acquire(caller.organization(), caller.messagesPerMinute())
                        .thenCompose(granted -> {
                            if (!granted) {
                                return CompletableFuture.failedFuture(
                                        limits.rejection(caller.organization(), caller.messagesPerMinute()));
                            }
                            Supplier<NewMessage> text = () -> NewMessage.userText(
                                            caller.organization(),
                                            conversation.id(),
                                            parts.content(),
                                            parts.metadata(),
                                            caller.createdBy())
                                    .inTrace(parts.trace());
                            return submit(FileScope.of(caller), conversation, text, parts.media(), claim)
                                    .whenComplete((_, failure) -> {
                                        if (failure != null) {
                                            limits.release(caller.organization()); // Nothing was sent.
                                        }
                                    })
                                    .thenCompose(submitted -> answer(caller.organization(), submitted, claim));
                        }));
    }

    /** A text message is stored at once; a file is first verified on a virtual thread. */
    private CompletableFuture<Submitted> submit(
            FileScope scope,
            ConversationRef conversation,
            Supplier<NewMessage> text,
            @Nullable MediaPart media,
            Optional<Claim> claim) {
        if (media == null) {
            return submit(conversation, text, claim);
        }
        return CompletableFuture.supplyAsync(() -> media.attach(uploads, scope, conversation), VIRTUAL)
                .thenCompose(file -> submit(conversation, () -> text.get().withFile(file), claim));
    }

    private CompletionStage<Response> answer(OrganizationId organization, Submitted submitted, Optional<Claim> claim) {
        if (submitted.receipt() != InsertReceipt.DUPLICATE) {
            return CompletableFuture.completedFuture(
                    Response.ok(StrictJson.writeBytes(submitted.message().stored()))
                            .type(MediaType.APPLICATION_JSON_TYPE)
                            .build());
        }
        limits.release(organization);
        return CompletableFuture.supplyAsync(
                () -> idempotency
                        .stored(claim.orElseThrow())
                        .orElseThrow(IdempotencyKeys::inProgress)
                        .replay(),
                VIRTUAL);
    }

    /** A message passed to the store, and the outcome. */
    private record Submitted(NewMessage message, InsertReceipt receipt) {}

    /** Stores the message and passes it to its conversation's worker, which is pinned meanwhile. */
    private CompletableFuture<Submitted> submit(
            ConversationRef conversation, Supplier<NewMessage> make, Optional<Claim> claim) {
        NewMessage message = make.get();
        var pinned = processor.pin(conversation);
        ConversationInbox inbox = pinned.worker().inbox();
        MessageSubmission submission = inbox.submission(message, claim);
        CompletableFuture<InsertReceipt> stored = store.submit(submission).whenComplete((receipt, failure) -> {
            boolean mustRun = false;
            if (failure != null || receipt == InsertReceipt.DUPLICATE) {
                inbox.onNotStored(submission);
            } else {
                ACCEPTED.increment();
                usage.add(conversation.organization(), UsageMetric.MESSAGES_RECEIVED, 1);
                mustRun = receipt == InsertReceipt.STORED;
                inbox.onStored(submission, mustRun);
            }
            pinned.unpin();
            if (mustRun) {
                pinned.wake();
            }
        });
        return stored.thenApply(receipt -> new Submitted(submission.message(), receipt));
    }

    /** The conversation, if the caller may see and use it; from the cache, else from the database. */
    private CompletableFuture<ConversationRef> conversation(ApiKeyCaller caller, ConversationId id) {
        Optional<ConversationRef> known = conversations.recent(caller.organization(), id);
        Supplier<ConversationRef> authorized = () -> {
            ConversationRef found = known.or(() -> conversations.ref(caller.organization(), id))
                    .filter(one -> caller.sees(one.teamId()))
                    .orElseThrow(() -> ApiProblem.notFound("conversation"));
            caller.requireWorkflow(found.workflowId());
            return found;
        };
        return known.isPresent()
                ? CompletableFuture.completedFuture(authorized.get())
                : CompletableFuture.supplyAsync(authorized, VIRTUAL);
    }
}
