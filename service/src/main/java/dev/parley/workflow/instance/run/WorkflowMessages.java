package dev.parley.workflow.instance.run;

import dev.parley.conversation.ConversationUsecase;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.message.HandlerCache;
import dev.parley.message.MessageHandler;
import dev.parley.message.NewMessage;
import dev.parley.message.NoticeCode;
import dev.parley.message.PendingMessage;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of WORKFLOW_EXECUTION conversations: a message starts an instance; while one is RUNNING, further
 * messages wait; while one is PAUSED for user input, the message is that input. The message becomes DELIVERED in the
 * transaction that applies it, so that it cannot start two instances.
 */
@Singleton
public final class WorkflowMessages implements MessageHandler {
    private static final Logger LOG = Logger.getLogger(WorkflowMessages.class);

    private final InstanceService instances;
    private final Engine engine;

    public WorkflowMessages(InstanceService instances, Engine engine) {
        this.instances = instances;
        this.engine = engine;
    }

    @Override
    public ConversationUsecase usecase() {
        return ConversationUsecase.WORKFLOW_EXECUTION;
    }

    @Override
    public Handled handle(PendingMessage message, HandlerCache memory) throws InterruptedException {
        Optional<StoredInstance> unfinished = instances.unfinishedOf(
                message.conversation().organization(), message.conversation().id());
        if (unfinished.isEmpty()) {
            return start(message);
        }
        StoredInstance instance = unfinished.get();
        if (instance.state().status() != InstanceStatus.PAUSED) {
            return new Handled.NotYet();
        }
        List<InputParameter> questions = instance.state().questions();
        return questions.isEmpty() ? new Handled.NotYet() : answer(message, instance, questions);
    }

    private Handled start(PendingMessage message) throws InterruptedException {
        var conversation = message.conversation();
        WorkflowId workflow = Objects.requireNonNull(conversation.workflowId(), "a workflow conversation has one");
        if (instances.isFull(conversation.organization())) {
            return new Handled.NotYet();
        }
        var trigger = new InstanceService.Trigger(
                conversation.organization(),
                workflow,
                conversation.id(),
                conversation.teamId(),
                "message:" + message.id().text(),
                message.input(),
                message.fileUris(),
                Map.of(),
                message.apiKey());
        try {
            instances.start(trigger, delivery(message)).get();
            return new Handled.HandlingWritten();
        } catch (ApiProblem e) {
            return refused(message, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                return refused(message, problem);
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Handled refused(PendingMessage message, ApiProblem problem) {
        if (problem.kind() == ProblemKind.UNAVAILABLE) {
            throw problem; // The conversation worker retries.
        }
        if (problem.kind() == ProblemKind.TOO_MANY_REQUESTS) {
            return new Handled.NotYet();
        }
        LOG.infof("Message %s started no workflow: %s", message.id(), problem.detail());
        return new Handled.HandlingFailed(NewMessage.notice(
                message,
                NoticeCode.WORKFLOW_NOT_STARTED,
                "The workflow could not be started: " + problem.detail(),
                Map.of("problem", problem.kind().code(), "detail", problem.detail())));
    }

    /** Gives an instance that asks for inputs a reply, which is stored with it; a 409 if it does not ask. */
    public StoredInstance reply(StoredInstance instance, Companion.StoreMessage reply) {
        String text = reply.content();
        return instances.request(
                instance.header().organization(),
                instance.header().id(),
                new InstanceEvent.UserReplied(
                        values(text, instance.state().questions()),
                        text,
                        reply.message().text()),
                reply);
    }

    private Handled answer(PendingMessage message, StoredInstance instance, List<InputParameter> questions)
            throws InterruptedException {
        var event = new InstanceEvent.UserReplied(
                values(message.input(), questions),
                message.input(),
                message.id().text());
        try {
            TransitionResult outcome = engine.apply(
                            instance.header().organization(), instance.header().id(), event, delivery(message))
                    .get();
            return outcome instanceof Rejection ? new Handled.NotYet() : new Handled.HandlingWritten();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                return refused(message, problem);
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Parses a reply: a JSON object gives inputs by name, and other JSON is accepted for a single ARRAY or OBJECT.
     * Anything else is text, which answers the first question.
     */
    private static Map<String, @Nullable Object> values(String text, List<InputParameter> questions) {
        InputParameter first = questions.getFirst();
        boolean structured = first.type() == ValueType.ARRAY || first.type() == ValueType.OBJECT;
        String trimmed = text.strip();
        boolean object = trimmed.startsWith("{");
        if (!object && !(structured && trimmed.startsWith("["))) {
            return Map.of();
        }
        try {
            Object parsed = StrictJson.readTrusted(trimmed, Object.class);
            if (parsed instanceof Map<?, ?> members
                    && members.keySet().stream().allMatch(key -> questions.stream()
                            .anyMatch(question -> question.name().equals(key)))) {
                Map<String, @Nullable Object> values = new LinkedHashMap<>();
                members.forEach((name, value) -> values.put(String.valueOf(name), value));
                return values;
            }
            return structured ? Map.of(first.name(), parsed) : Map.of();
        } catch (UncheckedIOException _) {
            return Map.of();
        }
    }

    private static Companion delivery(PendingMessage message) {
        var conversation = message.conversation();
        return new Companion.DeliverMessage(
                conversation.organization(), conversation.id(), message.id(), message.isPublished());
    }
}
