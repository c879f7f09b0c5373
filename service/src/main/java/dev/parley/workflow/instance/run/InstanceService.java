package dev.parley.workflow.instance.run;

import dev.parley.conversation.WorkflowStageStore;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Viewer;
import dev.parley.id.ApiKeyId;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.media.FileScope;
import dev.parley.media.TaskFiles;
import dev.parley.message.StorableText;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import dev.parley.trace.Tracing;
import dev.parley.workflow.definition.WorkflowService;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.instance.core.InputResolver;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ReusedResult;
import dev.parley.workflow.instance.core.state.ReusedResults;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InputPreview;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.PlanCache;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts and reads instances, for API keys, the dashboard and conversations. */
@Singleton
public final class InstanceService {
    /** The most characters of a trigger's message. */
    public static final int MAX_MESSAGE = StorableText.MAX_BYTES;

    /** The most files of a trigger. */
    public static final int MAX_FILES = 100;

    /** The most characters of a file's URL. */
    public static final int MAX_URL = 2_048;

    private static final int START_LOCKS = 64;

    private final Engine engine;
    private final InstanceReader reader;
    private final WorkflowService workflows;
    private final PlanCache plans;
    private final TaskFiles files;
    private final Settings.Quotas quotas;
    private final Clock clock;

    /** For organizations by their hash codes. */
    private final List<Object> startLocks =
            Stream.generate(Object::new).limit(START_LOCKS).toList();

    public InstanceService(
            Engine engine,
            InstanceReader reader,
            WorkflowService workflows,
            PlanCache plans,
            TaskFiles files,
            Settings.Quotas quotas,
            Clock clock) {
        this.engine = engine;
        this.reader = reader;
        this.workflows = workflows;
        this.plans = plans;
        this.files = files;
        this.quotas = quotas;
        this.clock = clock;
    }

    /**
     * The data that starts an instance.
     *
     * @param apiKey the key that caused the start; null for none
     */
    public record Trigger(
            OrganizationId organization,
            WorkflowId workflow,
            @Nullable ConversationId conversation,
            @Nullable Integer teamId,
            String createdBy,
            @Nullable String humanMessage,
            List<String> fileUrls,
            Map<String, @Nullable Object> inputs,
            @Nullable ApiKeyId apiKey) {
        /** A start by its creator. */
        public Trigger(
                OrganizationId organization,
                WorkflowId workflow,
                @Nullable ConversationId conversation,
                @Nullable Integer teamId,
                String createdBy,
                @Nullable String humanMessage,
                List<String> fileUrls,
                Map<String, @Nullable Object> inputs) {
            this(
                    organization,
                    workflow,
                    conversation,
                    teamId,
                    createdBy,
                    humanMessage,
                    fileUrls,
                    inputs,
                    ApiKeyId.ofAuthor(createdBy).orElse(null));
        }
    }

    /** Violations of a trigger's message and files. The inputs are checked against the workflow at the start. */
    public void check(
            FileScope scope,
            @Nullable String humanMessage,
            @Nullable List<@Nullable String> fileUrls,
            RequestValidator validator) {
        if (humanMessage != null && humanMessage.length() > MAX_MESSAGE) {
            validator.add(Violation.invalid(
                            ViolationCode.TOO_LONG, "/human_msg", "'/human_msg' must have at most 262144 characters.")
                    .with("max", 262144));
        }
        if (fileUrls == null) {
            return;
        }
        validator.require(
                fileUrls.size() <= MAX_FILES,
                ViolationCode.TOO_MANY,
                "/file_urls",
                "'/file_urls' must have at most 100 entries.",
                Map.of("max", MAX_FILES));
        for (int i = 0; i < Math.min(fileUrls.size(), MAX_FILES); i++) {
            String path = "/file_urls/" + i;
            String url = fileUrls.get(i);
            if (url == null || url.length() > MAX_URL) {
                validator.add(Violation.invalid(
                        ViolationCode.INVALID_FORMAT,
                        path,
                        "'" + path + "' must be a URL of at most 2048 characters."));
            } else {
                files.check(scope, url)
                        .ifPresent(detail -> validator.add(Violation.invalid(ViolationCode.UNREADABLE, path, detail)));
            }
        }
    }

    /** Starts an instance of the published version; throws a problem if there is none or the inputs are invalid. */
    public CompletableFuture<Engine.StartedInstance> start(Trigger trigger, @Nullable Companion companion) {
        return start(new StartRequest(trigger, published(trigger.organization, trigger.workflow)), companion);
    }

    /**
     * A version of a workflow.
     *
     * @param number 0 for a draft
     * @param document of a draft; null for a published version
     */
    private record VersionPlan(
            int number,
            ExecutionPlan plan,
            boolean testRun,
            @Nullable String document) {
        static VersionPlan published(int number, ExecutionPlan plan) {
            return new VersionPlan(number, plan, false, null);
        }
    }

    /**
     * What an instance starts with.
     *
     * @param origin null unless it is a rerun
     * @param parent null unless it is a sub-workflow
     */
    private record StartRequest(
            Trigger trigger,
            VersionPlan version,
            @Nullable RerunOrigin origin,
            InstanceHeader.@Nullable ParentTask parent) {
        StartRequest(Trigger trigger, VersionPlan version) {
            this(trigger, version, null, null);
        }

        static StartRequest rerun(Trigger trigger, VersionPlan version, RerunOrigin origin) {
            return new StartRequest(trigger, version, origin, null);
        }

        static StartRequest subWorkflow(Trigger trigger, VersionPlan version, InstanceHeader.ParentTask parent) {
            return new StartRequest(trigger, version, null, parent);
        }
    }

    private VersionPlan published(OrganizationId organization, WorkflowId workflow) {
        int version = workflows
                .publishedVersion(organization, workflow)
                .orElseThrow(() -> notPublished(organization, workflow));
        return VersionPlan.published(
                version,
                plans.published(organization, workflow, version).orElseThrow(() -> ApiProblem.notFound("workflow")));
    }

    /** The instance that a rerun continues, and the results that it takes over. */
    private record RerunOrigin(
            WorkflowInstanceId instance, @Nullable TaskId from, Map<TaskId, ReusedResult> results) {}

    /**
     * What a rerun changes.
     *
     * @param from the first task that runs again; null to run all tasks
     * @param latest whether to run the published version instead of the origin's
     * @param humanMessage replaces the origin's message; null keeps it
     * @param fileUrls replaces the origin's files; null keeps them
     * @param inputs replace the origin's inputs of the same names
     */
    public record Rerun(
            @Nullable TaskId from,
            boolean latest,
            String createdBy,
            @Nullable String humanMessage,
            @Nullable List<String> fileUrls,
            Map<String, @Nullable Object> inputs) {}

    /**
     * Starts a new instance with the input of an earlier one, outside of its conversation. The inputs include what
     * people answered after the start. Results of tasks before {@code from} are taken over.
     */
    public CompletableFuture<Engine.StartedInstance> rerun(
            StoredInstance origin, Rerun rerun, @Nullable Companion companion) {
        InstanceHeader header = origin.header();
        InstanceState state = origin.state();
        if (workflows.stage(header.organization(), header.workflow()) == WorkflowStageStore.Stage.ARCHIVED) {
            throw WorkflowService.archived();
        }
        VersionPlan version = rerun.latest
                ? published(header.organization(), header.workflow())
                : new VersionPlan(header.workflowVersion(), state.plan(), header.testRun(), header.definition());
        ExecutionPlan plan = version.plan;
        if (rerun.from != null && !plan.has(rerun.from)) {
            throw ApiProblem.invalid(Violation.invalid(
                            ViolationCode.NOT_FOUND, "/from_task", "The workflow has no task '" + rerun.from + "'.")
                    .with("task", rerun.from));
        }
        Map<String, @Nullable Object> inputs =
                new LinkedHashMap<>(state.trigger().inputs());
        inputs.putAll(state.answers());
        inputs.keySet().retainAll(plan.humanInputs().keySet());
        inputs.putAll(rerun.inputs);
        var trigger = new Trigger(
                header.organization(),
                header.workflow(),
                null,
                header.teamId(),
                rerun.createdBy,
                rerun.humanMessage == null ? state.trigger().humanMessage() : rerun.humanMessage,
                rerun.fileUrls == null ? state.trigger().fileUrls() : rerun.fileUrls,
                inputs);
        Map<TaskId, ReusedResult> reused = rerun.from == null ? Map.of() : ReusedResults.of(state, plan, rerun.from);
        return start(StartRequest.rerun(trigger, version, new RerunOrigin(header.id(), rerun.from, reused)), companion);
    }

    /**
     * Starts an instance of the published version as a sub-workflow, outside of its parent's conversation. The message
     * and the files are among the arguments, if the workflow uses them.
     */
    CompletableFuture<Engine.StartedInstance> start(
            Trigger trigger, InstanceHeader.ParentTask parent, boolean testRun) {
        VersionPlan published = published(trigger.organization, trigger.workflow);
        var version = new VersionPlan(published.number, published.plan, testRun, null);
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>(trigger.inputs);
        String message = inputs.get(SystemValue.HUMAN_MSG.text()) instanceof String text ? text : null;
        List<String> urls = new ArrayList<>();
        if (inputs.get(SystemValue.FILE_URLS.text()) instanceof List<?> given) {
            given.forEach(url -> urls.add(String.valueOf(url)));
        }
        for (SystemValue value : List.of(SystemValue.HUMAN_MSG, SystemValue.FILE_URLS)) {
            if (!version.plan.humanInputs().containsKey(value.text())) {
                inputs.remove(value.text());
            }
        }
        RequestValidator validator = new RequestValidator();
        check(new FileScope(trigger.organization, trigger.teamId, null), message, urls, validator);
        validator.done();
        var whole = new Trigger(
                trigger.organization,
                trigger.workflow,
                null,
                trigger.teamId,
                trigger.createdBy,
                message,
                List.copyOf(urls),
                inputs,
                trigger.apiKey);
        return start(StartRequest.subWorkflow(whole, version, parent), null);
    }

    /** Starts a test run of a draft. */
    public CompletableFuture<Engine.StartedInstance> startDraft(Trigger trigger, ExecutionPlan plan, String document) {
        return start(new StartRequest(trigger, new VersionPlan(0, plan, true, document)), null);
    }

    private CompletableFuture<Engine.StartedInstance> start(StartRequest request, @Nullable Companion companion) {
        Trigger trigger = request.trigger;
        VersionPlan version = request.version;
        RerunOrigin origin = request.origin;
        List<Violation> violations = InputResolver.check(version.plan, trigger.inputs);
        if (!violations.isEmpty()) {
            throw ApiProblem.invalid(violations);
        }
        WorkflowInstanceId id = WorkflowInstanceId.next();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var data = new TriggerData(
                trigger.humanMessage,
                trigger.fileUrls,
                trigger.inputs,
                trigger.conversation == null ? null : trigger.conversation.text(),
                id.text(),
                trigger.organization.text(),
                now);
        var header = new InstanceHeader(
                trigger.organization,
                id,
                trigger.workflow,
                version.number,
                version.testRun,
                trigger.conversation,
                trigger.teamId,
                version.document,
                origin == null ? null : origin.instance,
                origin == null || origin.from == null ? null : origin.from.value(),
                request.parent,
                InputPreview.of(data),
                trigger.createdBy,
                trigger.apiKey,
                now,
                now.plus(quotas.instanceTimeLimit()),
                Tracing.beginRun(now));
        var first = new InstanceEvent.InstanceStarted(origin == null ? Map.of() : origin.results);
        // The engine counts a start at once, so no other start of this node passes the check meanwhile.
        synchronized (startLocks.get(Math.floorMod(trigger.organization.hashCode(), START_LOCKS))) {
            if (isFull(trigger.organization)) {
                throw ApiProblem.tooMany(
                        "The organization's limit of " + quotas.runningInstances()
                                + " workflow instances at once is reached.",
                        Duration.ofSeconds(1));
            }
            return engine.start(header, version.plan, data, first, companion);
        }
    }

    /** Whether the organization has reached its limit of running instances. */
    public boolean isFull(OrganizationId organization) {
        return engine.running(organization) >= quotas.runningInstances();
    }

    private ApiProblem notPublished(OrganizationId organization, WorkflowId workflow) {
        return switch (workflows.stage(organization, workflow)) {
            case UNKNOWN -> ApiProblem.notFound("workflow");
            case ARCHIVED -> WorkflowService.archived();
            case DRAFT, PUBLISHED -> ApiProblem.of(ProblemKind.WRONG_STATUS, "The workflow is not published yet.");
        };
    }

    /** Applies a request of a client or a person; a 409 with the current status if it does not fit. */
    public StoredInstance request(
            OrganizationId organization, WorkflowInstanceId id, InstanceEvent event, @Nullable Companion companion) {
        TransitionResult outcome = join(engine.apply(organization, id, event, companion));
        if (outcome instanceof Rejection refusal) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, refusal.detail())
                    .with("status", refusal.status().name());
        }
        return find(organization, id);
    }

    /** The current instance; a 404 problem if there is none. */
    public StoredInstance find(OrganizationId organization, WorkflowInstanceId id) {
        return engine.find(organization, id).orElseThrow(() -> ApiProblem.notFound("workflow instance"));
    }

    /** Finds the instance of a path; 404 if it does not exist or the viewer does not see it. */
    public StoredInstance find(Viewer viewer, @Nullable String pathId) {
        StoredInstance found = find(
                viewer.organization(), RequestValidator.pathId(pathId, "workflow instance", WorkflowInstanceId::parse));
        if (!viewer.sees(found.header().teamId())) {
            throw ApiProblem.notFound("workflow instance");
        }
        viewer.requireWorkflow(found.header().workflow());
        return found;
    }

    /** Waits for a future of the engine and unwraps its problem. */
    public static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** The conversation's unfinished instance. */
    public Optional<StoredInstance> unfinishedOf(OrganizationId organization, ConversationId conversation) {
        return reader.unfinishedOf(organization, conversation).flatMap(id -> engine.find(organization, id));
    }
}
