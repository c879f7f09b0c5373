package dev.parley.openai;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowId;
import dev.parley.llm.ChatTurn;
import dev.parley.media.FileException;
import dev.parley.media.FileReference;
import dev.parley.media.FileScope;
import dev.parley.media.TaskFiles;
import dev.parley.message.FileNote;
import dev.parley.message.MessageType;
import dev.parley.openai.CompletionAnswer.AnswerStatus;
import dev.parley.openai.ResponseStore.ConversationLine;
import dev.parley.openai.ResponseStore.StoredResponse;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.openai.request.CompletionRequest.InputTurn;
import dev.parley.openai.request.DataUrl;
import dev.parley.openai.request.InputContent.InputFile;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.attempt.AttemptStatements;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.WorkflowService;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.run.WorkflowMessages;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.StoredInstance;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that name a workflow: the last message starts an instance in a conversation, or is the reply to an
 * instance that asks for inputs. What the service then writes to the conversation is the answer.
 */
@Singleton
public final class WorkflowAnswers {
    static final String PREFIX = "workflow/";

    private static final Duration WAIT_STEP = Duration.ofSeconds(10);

    private final ConversationService conversations;
    private final InstanceService instances;
    private final WorkflowMessages replies;
    private final WorkflowService workflows;
    private final Engine engine;
    private final TaskFiles files;
    private final IdempotencyKeys idempotency;
    private final ResponseStore store;
    private final AttemptStatements attempts;

    public WorkflowAnswers(
            ConversationService conversations,
            InstanceService instances,
            WorkflowMessages replies,
            WorkflowService workflows,
            Engine engine,
            TaskFiles files,
            IdempotencyKeys idempotency,
            Database database) {
        this.conversations = conversations;
        this.instances = instances;
        this.replies = replies;
        this.workflows = workflows;
        this.engine = engine;
        this.files = files;
        this.idempotency = idempotency;
        this.store = database.statements(ResponseStore.class);
        this.attempts = database.statements(AttemptStatements.class);
    }

    /**
     * An instance that works on a message.
     *
     * @param message of the user, after which the answer is written
     */
    record WorkflowRun(StoredInstance instance, ConversationId conversation, MessageId message) {}

    /** A message before it starts or continues an instance, with which it is stored. */
    record WorkflowTurn(
            WorkflowId workflow,
            ConversationId conversation,
            @Nullable Integer teamId,
            MessageId message) {}

    /** Whether the model of a request is a workflow. */
    static boolean isWorkflow(String model) {
        return model.startsWith(PREFIX);
    }

    /** The published workflow of a model; a 404 if there is none, and a 403 if the key is for another one. */
    WorkflowId workflow(ApiKeyCaller caller, String model) {
        WorkflowId workflow =
                WorkflowId.parse(model.substring(PREFIX.length())).orElseThrow(() -> ModelAnswers.notFound(model));
        caller.requireWorkflow(workflow);
        if (workflows.publishedVersion(caller.organization(), workflow).isEmpty()) {
            throw ModelAnswers.notFound(model);
        }
        return workflow;
    }

    /**
     * Starts an instance, or gives the one of the conversation its reply; the message is stored in the same transaction.
     * Returns the run of an earlier request with the same idempotency key.
     *
     * @param prepare called before; what it stores has no effect unless the message exists
     */
    WorkflowRun begin(
            RoutingContext http,
            CompletionRequest request,
            Optional<ConversationId> continued,
            Consumer<WorkflowTurn> prepare) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        WorkflowId workflow = workflow(caller, request.model());
        Optional<Claim> claim = IdempotencyKeys.claim(
                caller, http, "POST " + RequestFilter.path(http), request.body().members());
        Optional<WorkflowRun> earlier = claim.flatMap(one -> repeated(http, one));
        if (earlier.isPresent()) {
            return earlier.get();
        }
        InputTurn last = request.turns().getLast();
        String text = last.turn().text();
        boolean isEmpty = text.isEmpty() && last.files().isEmpty();
        boolean isTooLong =
                text.length() > InstanceService.MAX_MESSAGE || last.files().size() > InstanceService.MAX_FILES;
        if (last.turn().speaker() != ChatTurn.Speaker.USER || isEmpty || isTooLong) {
            throw ApiProblem.invalid(Violation.invalid(
                    ViolationCode.INVALID_VALUE,
                    request.body().has("messages") ? "/messages" : "/input",
                    "The last message must be a user's, with a text of at most 262144 characters or up to 100 files."));
        }
        Optional<ConversationRef> known = continued.map(id -> conversations.find(caller, id));
        known.filter(found -> !workflow.equals(found.workflowId())).ifPresent(_ -> {
            throw ApiProblem.invalid(Violation.invalid(
                    ViolationCode.MISMATCH, "/model", "The conversation belongs to another workflow."));
        });
        // Chosen before the check, so that the start fails if another message is stored meanwhile.
        MessageId message = known.flatMap(found -> store.newest(caller.organization(), found.id()))
                .map(MessageId::nextAfter)
                .orElseGet(MessageId::next);
        Optional<StoredInstance> unfinished =
                known.flatMap(found -> instances.unfinishedOf(caller.organization(), found.id()));
        unfinished.filter(instance -> !isAsking(instance)).ifPresent(WorkflowAnswers::refuse);
        if (unfinished.isEmpty() && instances.isFull(caller.organization())) {
            throw ApiProblem.tooMany("Too many workflow instances run at once.", Duration.ofSeconds(1));
        }
        ConversationId conversation =
                known.map(ConversationRef::id).orElseGet(() -> conversations.createFor(caller, workflow));
        Integer team = known.map(ConversationRef::teamId).orElse(caller.teamId());
        try {
            List<String> urls = new ArrayList<>();
            for (InputFile file : last.files()) {
                urls.add(url(
                        caller, file, FileReference.conversation(caller.organization(), conversation, team, workflow)));
            }
            String said = text.isEmpty() ? String.join("\n", urls) : text;
            var stored = new Companion.StoreMessage(
                    caller.organization(), conversation, message, said, caller.createdBy(), claim.orElse(null));
            prepare.accept(new WorkflowTurn(workflow, conversation, team, message));
            StoredInstance instance = unfinished.isPresent()
                    ? replies.reply(unfinished.get(), stored)
                    : InstanceService.join(instances.start(
                                    new InstanceService.Trigger(
                                            caller.organization(),
                                            workflow,
                                            conversation,
                                            team,
                                            caller.createdBy(),
                                            text,
                                            urls,
                                            Map.of()),
                                    stored))
                            .instance();
            return new WorkflowRun(instance, conversation, message);
        } catch (ApiProblem problem) {
            if (known.isEmpty() && problem.kind().status() < 500) {
                conversations.deleteEmpty(caller, conversation);
            }
            return claim.flatMap(one -> repeated(http, one)).orElseThrow(() -> problem);
        }
    }

    private Optional<WorkflowRun> repeated(RoutingContext http, Claim claim) {
        return idempotency.stored(claim).map(response -> {
            http.response().putHeader(IdempotencyKeys.REPLAYED, "true");
            var found = StrictJson.readTrusted(response.body(), Companion.StoreMessage.MessageAddress.class);
            return find(claim.organization(), found.conversation(), found.message())
                    .orElseThrow(() -> ApiProblem.notFound("conversation"));
        });
    }

    /** The instance of a stored response; empty for a model's, and if the instance was not started. */
    Optional<WorkflowRun> find(ApiKeyCaller caller, StoredResponse response) {
        return Optional.ofNullable(response.conversationId())
                .flatMap(conversation -> find(
                        caller.organization(),
                        conversation,
                        new MessageId(response.id().value())));
    }

    private Optional<WorkflowRun> find(OrganizationId organization, ConversationId conversation, MessageId message) {
        return store.instance(organization, conversation, message)
                .map(id -> new WorkflowRun(instances.find(organization, id), conversation, message));
    }

    private static boolean isAsking(StoredInstance instance) {
        return instance.state().status() == InstanceStatus.PAUSED
                && !instance.state().questions().isEmpty();
    }

    private static void refuse(StoredInstance instance) {
        boolean isPaused = instance.state().status() == InstanceStatus.PAUSED;
        throw ApiProblem.of(
                        ProblemKind.WRONG_STATUS,
                        isPaused
                                ? "The workflow waits for a person, who answers its ticket."
                                : "The workflow is still running.")
                .with("status", instance.state().status().name());
    }

    /** The URL of a file for tasks; the content of an inline one is stored. */
    private String url(ApiKeyCaller caller, InputFile file, FileReference reference) {
        Optional<DataUrl> data = DataUrl.of(file);
        if (data.isEmpty()) {
            if (file.url().length() > InstanceService.MAX_URL) {
                throw file.unreadable("A URL has at most 2048 characters.");
            }
            files.check(FileScope.of(caller), file.url()).ifPresent(detail -> {
                throw file.unreadable(detail);
            });
            return file.url();
        }
        try {
            return files.store(
                            reference,
                            file.name(),
                            data.get().contentType(),
                            data.get().bytes())
                    .uri();
        } catch (FileException e) {
            throw e.isTransient()
                    ? ApiProblem.unavailable(e.detail(), Duration.ofSeconds(1))
                    : file.unreadable(e.detail());
        }
    }

    /**
     * Waits until the instance has settled or the time is up.
     *
     * @param tick called while it waits
     */
    CompletionAnswer await(WorkflowRun run, Duration atMost, Runnable tick) throws InterruptedException {
        var header = run.instance.header();
        long end = System.nanoTime() + atMost.toNanos();
        StoredInstance current = run.instance;
        try {
            while (current.state().status() == InstanceStatus.RUNNING && System.nanoTime() < end) {
                current = engine.awaitSettled(header.organization(), header.id(), WAIT_STEP)
                        .orElse(current);
                if (current.state().status() == InstanceStatus.RUNNING) {
                    tick.run();
                }
            }
            return answer(new WorkflowRun(current, run.conversation, run.message));
        } catch (ApiProblem _) {
            // Clients repeat such a request by themselves, and would start another instance.
            return answer(run, InstanceStatus.RUNNING, List.of());
        }
    }

    /** The current answer of an instance to a message. */
    CompletionAnswer answer(WorkflowRun run) {
        return answer(
                run,
                run.instance.state().status(),
                store.after(run.instance.header().organization(), run.conversation, run.message));
    }

    private CompletionAnswer answer(WorkflowRun run, InstanceStatus current, List<ConversationLine> lines) {
        var header = run.instance.header();
        List<ConversationLine> own = lines.stream()
                .takeWhile(line -> !line.type().equals(MessageType.USER_INPUT.name()))
                .toList();
        List<ConversationLine> ends =
                own.stream().filter(WorkflowAnswers::isEnd).toList();
        // A later message is the reply to this instance, or has started another one after the end of this one.
        boolean isReplied = own.size() < lines.size() && ends.isEmpty();
        InstanceStatus status = isReplied ? InstanceStatus.PAUSED : current;
        String text = (ends.isEmpty() ? own : ends)
                .stream()
                        .filter(line -> !line.type().equals(MessageType.HUMAN_RESPONSE.name()))
                        .map(WorkflowAnswers::text)
                        .collect(Collectors.joining("\n\n"));
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("conversation_id", run.conversation.text());
        facts.put("workflow_instance_id", header.id().text());
        facts.put("workflow_instance_status", status.name());
        own.stream()
                .filter(line -> line.ticketId() != null && status == InstanceStatus.PAUSED)
                .forEach(line -> facts.put("ticket_id", String.valueOf(line.ticketId())));
        boolean isUnsaid = status == InstanceStatus.RUNNING || (text.isEmpty() && status != InstanceStatus.COMPLETED);
        return CompletionAnswer.of(
                header.agent(),
                isUnsaid ? "The workflow is " + status + "." : text,
                status == InstanceStatus.RUNNING
                        ? ModelUsage.NONE
                        : attempts.usage(
                                        header.organization(),
                                        List.of(header.id()),
                                        run.message,
                                        own.size() < lines.size()
                                                ? lines.get(own.size()).id()
                                                : null)
                                .getOrDefault(header.id(), ModelUsage.NONE),
                switch (status) {
                    case RUNNING -> AnswerStatus.IN_PROGRESS;
                    case PAUSED, COMPLETED -> AnswerStatus.COMPLETED;
                    case CANCELLED -> AnswerStatus.CANCELLED;
                    case FAILED, TERMINATED -> AnswerStatus.FAILED;
                },
                (ends.isEmpty() ? own : ends)
                        .stream()
                                .map(line -> UuidV7.time(line.id().value()))
                                .reduce(run.instance.state().updatedAt(), (_, time) -> time),
                facts);
    }

    /** Whether a message says how the instance has ended. */
    private static boolean isEnd(ConversationLine line) {
        return line.type().equals(MessageType.AGENT_RESPONSE.name())
                || (line.type().equals(MessageType.SYSTEM.name()) && line.ticketId() == null);
    }

    private static String text(ConversationLine line) {
        String content = line.content() == null ? "" : line.content();
        return line.file() == null ? content : (content + "\n" + FileNote.uri(line.file())).strip();
    }
}
