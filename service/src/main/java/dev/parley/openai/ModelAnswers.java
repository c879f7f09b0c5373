package dev.parley.openai;

import dev.parley.attachment.AttachedFile;
import dev.parley.attachment.AttachmentReader;
import dev.parley.attachment.OpenAttachments;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.budget.core.BudgetOwner;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.ReplyListener;
import dev.parley.media.FileScope;
import dev.parley.media.TaskFiles;
import dev.parley.model.ModelCall;
import dev.parley.model.ModelGateway;
import dev.parley.model.ModelResolver;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.openai.request.CompletionRequest.InputTurn;
import dev.parley.openai.request.DataUrl;
import dev.parley.openai.request.InputContent.InputFile;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.UpstreamFailure;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers requests that name the alias of a model: one metered call, of which nothing is stored. */
@Singleton
public final class ModelAnswers {
    private static final String DEFAULT = "default";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final ModelGateway models;
    private final ModelResolver resolver;
    private final AttachmentReader attachments;
    private final TaskFiles files;
    private final Settings.Models settings;
    private final Clock clock;

    public ModelAnswers(
            ModelGateway models,
            ModelResolver resolver,
            AttachmentReader attachments,
            TaskFiles files,
            Settings.Models settings,
            Clock clock) {
        this.clock = clock;
        this.models = models;
        this.resolver = resolver;
        this.attachments = attachments;
        this.files = files;
        this.settings = settings;
    }

    /** The aliases of an organization. */
    List<String> aliases(OrganizationId organization) {
        return resolver.aliases(organization);
    }

    /** The 404 for a model that does not exist, or that the key may not use. */
    static ApiProblem notFound(String model) {
        return ApiProblem.of(
                        ProblemKind.NOT_FOUND,
                        Violation.invalid(
                                ViolationCode.NOT_FOUND, "/model", "The model '" + model + "' does not exist."))
                .with("code", "model_not_found");
    }

    CompletionAnswer answer(ApiKeyCaller caller, CompletionRequest request, ReplyListener listener)
            throws InterruptedException {
        if (!aliases(caller.organization()).contains(request.model())) {
            throw notFound(request.model());
        }
        caller.requireWorkflow(null);
        Map<InputFile, ChatFile> inline = new HashMap<>();
        List<InputFile> linked = new ArrayList<>();
        for (InputTurn turn : request.turns()) {
            for (InputFile file : turn.files()) {
                Optional<DataUrl> data = DataUrl.of(file);
                if (data.isPresent()) {
                    inline.put(file, data.get().forModel(file));
                } else {
                    files.check(FileScope.of(caller), file.url()).ifPresent(detail -> {
                        throw file.unreadable(detail);
                    });
                    linked.add(file);
                }
            }
        }
        List<AttachedFile> named =
                linked.stream().map(file -> new AttachedFile(file.url(), true)).toList();
        try (OpenAttachments open = attachments.read(caller.organization(), named, Map.of())) {
            for (int i = 0; i < linked.size(); i++) {
                ChatFile file = open.files().get(i);
                if (!file.isRead()) {
                    throw linked.get(i).unreadable(file.fault());
                }
                inline.put(linked.get(i), file);
            }
            var call = new ModelCall(
                    new BudgetOwner(caller.organization(), null, caller.key()),
                    request.model().equals(DEFAULT) ? null : request.model(),
                    List.of());
            return CompletionAnswer.of(limited(request, models.reply(call, chatRequest(request, inline), listener)));
        } catch (BudgetExceededException e) {
            throw ApiProblem.tooMany(e.detail(), Duration.between(clock.instant(), e.resetsAt()))
                    .with("code", "insufficient_quota");
        } catch (UpstreamFailure e) {
            String detail = e instanceof ChatModelException model ? model.plainDetail() : e.detail();
            throw e.isTransient()
                    ? ApiProblem.unavailable(detail, e.retryAfter().orElse(RETRY_AFTER))
                    : ApiProblem.of(ProblemKind.ANSWER_FAILED, detail);
        }
    }

    /** The reply with only one call, if the client can handle no more: the model repeats the others. */
    private static ChatReply limited(CompletionRequest request, ChatReply reply) {
        return request.mayCallInParallel() || reply.toolCalls().size() < 2
                ? reply
                : new ChatReply(
                        reply.text(),
                        reply.promptTokens(),
                        reply.cachedTokens(),
                        reply.completionTokens(),
                        reply.reasoningTokens(),
                        reply.model(),
                        reply.finish(),
                        List.of(reply.toolCalls().getFirst()),
                        Map.of(),
                        reply.costMicros());
    }

    private ChatRequest chatRequest(CompletionRequest request, Map<InputFile, ChatFile> read) {
        List<ChatTurn> all = request.turns().stream()
                .map(input -> input.turn()
                        .withFiles(input.files().stream().map(read::get).toList()))
                .toList();
        int end = all.size();
        while (end > 0 && all.get(end - 1).speaker() != ChatTurn.Speaker.USER) {
            end--;
        }
        ChatRequest asked = ChatRequest.text(request.instructions(), all.subList(0, end), settings.timeout())
                .within(settings.replyDeadline())
                .withOptions(request.options())
                .withTools(request.tools());
        for (ChatTurn turn : all.subList(end, all.size())) {
            asked = asked.withTurn(turn);
        }
        @Nullable Map<String, Object> schema = request.schema().orElse(null);
        return schema == null ? asked : asked.withSchema(schema);
    }
}
