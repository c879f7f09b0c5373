package dev.parley.message.chat;

import dev.parley.attachment.AttachmentException;
import dev.parley.attachment.AttachmentReader;
import dev.parley.attachment.OpenAttachments;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.budget.core.BudgetOwner;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.db.Database;
import dev.parley.event.delta.LiveTexts;
import dev.parley.event.delta.ReplyText;
import dev.parley.http.json.Rfc3339;
import dev.parley.http.json.StrictJson;
import dev.parley.id.MessageId;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import dev.parley.message.FileNote;
import dev.parley.message.HandlerCache;
import dev.parley.message.MessageHandler;
import dev.parley.message.MessageType;
import dev.parley.message.NewMessage;
import dev.parley.message.NoticeCode;
import dev.parley.message.PendingMessage;
import dev.parley.message.StorableText;
import dev.parley.model.ModelCall;
import dev.parley.model.ModelGateway;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Answers the messages of DEFAULT conversations: the chat model gets the conversation's recent history with its files,
 * and its reply is stored as AGENT_RESPONSE. While the model is unavailable the message waits, and so do those behind it
 * ({@link ModelWait}). An error that remains is stored as a SYSTEM message, and the message becomes FAILED.
 */
@Singleton
public final class ChatHandler implements MessageHandler {
    private static final Logger LOG = Logger.getLogger(ChatHandler.class);

    private static final String INSTRUCTIONS = "You are a helpful assistant. Answer the user's last message.";

    private static final String UNAVAILABLE =
            "The message could not be answered: the assistant has not been available for some time. "
                    + "Please send it again later.";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Database database;
    private final ModelGateway models;
    private final AttachmentReader attachments;
    private final ReplyStopper stopper;
    private final ModelWait wait;
    private final LiveTexts texts;
    private final Settings.Models settings;

    ChatHandler(
            Database database,
            ModelGateway models,
            AttachmentReader attachments,
            ReplyStopper stopper,
            ModelWait wait,
            LiveTexts texts,
            Settings.Models settings) {
        this.texts = texts;
        this.wait = wait;
        this.attachments = attachments;
        this.stopper = stopper;
        this.database = database;
        this.models = models;
        this.settings = settings;
    }

    @Override
    public ConversationUsecase usecase() {
        return ConversationUsecase.DEFAULT;
    }

    @Override
    public Handled handle(PendingMessage message, HandlerCache memory) throws InterruptedException {
        if (stopper.isStopped(message.id())) {
            return stopped(message);
        }
        Optional<ModelWait.WaitingReply> waiting = wait.of(message, memory);
        if (waiting.isPresent() && !wait.isOver(waiting.get())) {
            return new Handled.NotYet();
        }
        ChatHistory history = memory.get(ChatHistory.class);
        if (history == null) {
            history = before(message);
            memory.keep(history);
        }
        history.add(ChatTurn.user(message.note()), message.file() == null ? null : FileNote.uri(message.file()));
        try (OpenAttachments files =
                        attachments.read(message.conversation().organization(), history.files(), history.texts());
                ReplyText live = texts.ofMessage(
                        message.conversation().organization(),
                        message.conversation().id(),
                        () -> MessageId.nextAfter(message.id()))) {
            ChatRequest request = ChatRequest.text(
                            history.instructions().orElse(INSTRUCTIONS),
                            history.turns(files.files()),
                            settings.timeout())
                    .within(settings.replyDeadline());
            // While it waits, the message itself is what is retried.
            ChatRequest asked = waiting.isPresent() ? request.once() : request;
            var owner = new BudgetOwner(message.conversation().organization(), null, message.apiKey());
            ModelCall call = new ModelCall(owner, history.model(), List.of());
            Optional<ChatReply> answered = stopper.call(message.id(), () -> models.reply(call, asked, live));
            if (answered.isEmpty()) {
                return stopped(message);
            }
            ChatReply reply = answered.get();
            String remarks = remarks(message, files.files(), reply);
            String text = StorableText.storable(reply.text() + remarks);
            history.add(ChatTurn.assistant(text));
            live.onText(remarks);
            live.complete();
            return new Handled.Answered(List.of(NewMessage.serviceText(
                            message.conversation().organization(),
                            message.conversation().id(),
                            MessageType.AGENT_RESPONSE,
                            text,
                            null,
                            null,
                            "system")
                    .withId(new MessageId(live.id()))));
        } catch (AttachmentException e) {
            throw ApiProblem.unavailable(e.detail(), RETRY_AFTER); // The message is handled again.
        } catch (ChatModelException e) {
            return failed(message, memory, waiting, e);
        } catch (BudgetExceededException e) {
            memory.clear(); // It may have the wait of this message.
            return new Handled.HandlingFailed(NewMessage.notice(
                    message,
                    NoticeCode.BUDGET_EXCEEDED,
                    "The message could not be answered: " + e.detail(),
                    Map.of("detail", e.detail(), "resets_at", Rfc3339.text(e.resetsAt()))));
        }
    }

    private Handled stopped(PendingMessage message) {
        stopper.forget(message.id());
        return new Handled.HandlingFailed(
                NewMessage.notice(message, NoticeCode.REPLY_STOPPED, "The reply was stopped.", Map.of()));
    }

    /** Lets the message wait if the model may be back soon; a model that answers unusably is not away. */
    private Handled failed(
            PendingMessage message,
            HandlerCache memory,
            Optional<ModelWait.WaitingReply> waiting,
            ChatModelException e) {
        LOG.infof("The chat model did not answer message %s: %s", message.id(), e.detail());
        boolean isAway = e.isTransient() && e.answered().isEmpty();
        if (isAway && wait.begin(message, memory, waiting, e.retryAfter())) {
            return new Handled.NotYet();
        }
        memory.clear(); // It may have the wait of this message.
        return new Handled.HandlingFailed(
                isAway
                        ? NewMessage.notice(message, NoticeCode.MODEL_UNAVAILABLE, UNAVAILABLE, Map.of())
                        : NewMessage.notice(
                                message,
                                NoticeCode.REPLY_FAILED,
                                "The message could not be answered: " + e.plainDetail(),
                                Map.of("detail", e.plainDetail())));
    }

    /** Remarks on the reply: that it was truncated, and the files that the model did not get. */
    private static String remarks(PendingMessage message, List<ChatFile> files, ChatReply reply) {
        var remarks = new StringBuilder();
        if (reply.finish() == ChatReply.ReplyFinish.LENGTH) {
            remarks.append("\n\n[The reply was cut off at the model's length limit.]");
        }
        // The set of omitted files changes only with a new file; later replies need not repeat it.
        if (message.file() != null) {
            for (ChatFile file : files) {
                if (!file.isRead()) {
                    remarks.append("\n\n[").append(file.promptText()).append(']');
                }
            }
        }
        return remarks.toString();
    }

    /** The history before the message: users' messages up to it, and every reply, however late it was stored. */
    private ChatHistory before(PendingMessage message) {
        record HistoryRow(ChatTurn turn, @Nullable String file) {}
        List<HistoryRow> newestFirst = new ArrayList<>();
        String config = database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT m.type, m.content, m.file, c.config FROM conversation c
                    LEFT JOIN LATERAL (
                        SELECT id, type, content, file FROM message
                        WHERE organization_id = c.organization_id AND conversation_id = c.id
                          AND (id < ? OR type <> 'USER_INPUT')
                          AND type <> 'SYSTEM' AND coalesce(octet_length(content), 0) <= ?
                        ORDER BY id DESC LIMIT ?) m ON true
                    WHERE c.organization_id = ? AND c.id = ?
                    ORDER BY m.id DESC
                    """)) {
                statement.setObject(1, message.id().value());
                statement.setInt(2, ChatHistory.CHARACTERS);
                statement.setInt(3, ChatHistory.TURNS);
                statement.setObject(4, message.conversation().organization().value());
                statement.setObject(5, message.conversation().id().value());
                newestFirst.clear(); // The work may be repeated.
                String found = "{}";
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found = rows.getString(4);
                        if (rows.getString(1) == null) {
                            break;
                        }
                        boolean user = rows.getString(1).equals(MessageType.USER_INPUT.name());
                        String file = rows.getString(3);
                        String content = FileNote.text(rows.getString(2), file);
                        newestFirst.add(
                                user
                                        ? new HistoryRow(
                                                ChatTurn.user(content), file == null ? null : FileNote.uri(file))
                                        : new HistoryRow(ChatTurn.assistant(content), null));
                    }
                }
                return found;
            }
        });
        var history = new ChatHistory(StrictJson.readObject(config));
        newestFirst.reversed().forEach(row -> history.add(row.turn, row.file));
        return history;
    }
}
