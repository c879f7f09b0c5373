package dev.parley.message;

import dev.parley.Settings;
import dev.parley.conversation.Usecase;
import dev.parley.db.Database;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Answers the messages of DEFAULT conversations: the chat model gets the conversation's latest history and its reply
 * is written as AGENT_RESPONSE. What goes wrong, after the model's own retries, reaches the conversation as a SYSTEM
 * message, and the message is FAILED.
 */
@Singleton
public final class ChatHandler implements MessageHandler {
    private static final Logger LOG = Logger.getLogger(ChatHandler.class);

    private static final String INSTRUCTIONS = "You are a helpful assistant. Answer the user's last message.";

    private final Database database;
    private final ChatModel model;
    private final Settings settings;

    public ChatHandler(Database database, ChatModel model, Settings settings) {
        this.database = database;
        this.model = model;
        this.settings = settings;
    }

    @Override
    public Usecase usecase() {
        return Usecase.DEFAULT;
    }

    @Override
    public Handled handle(PendingMessage message, LaneMemory memory) throws InterruptedException {
        ChatHistory history = memory.get(ChatHistory.class);
        if (history == null) {
            history = before(message);
            memory.keep(history);
        }
        history.add(ChatTurn.user(message.note()));
        try {
            ChatReply reply = model.reply(ChatRequest.text(INSTRUCTIONS, history.turns(), settings.modelTimeout()));
            String text = Texts.storable(reply.text());
            history.add(ChatTurn.assistant(text));
            return new Handled.Answered(List.of(NewMessage.serviceText(
                    message.conversation().organization(),
                    message.conversation().id(),
                    MessageType.AGENT_RESPONSE,
                    text,
                    null,
                    null,
                    "system")));
        } catch (ChatModelException e) {
            LOG.infof("The chat model did not answer message %s: %s", message.id(), e.sentence());
            return new Handled.Failed(NewMessage.notice(message, "The message could not be answered: " + e.sentence()));
        }
    }

    /** What was said before the message: users' messages up to it, and every reply, however late it was written. */
    private ChatHistory before(PendingMessage message) {
        List<ChatTurn> newestFirst = database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT type, content, file FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND (id < ? OR type <> 'USER_INPUT')
                      AND type <> 'SYSTEM' AND coalesce(octet_length(content), 0) <= ?
                    ORDER BY id DESC LIMIT ?
                    """)) {
                statement.setObject(1, message.conversation().organization().value());
                statement.setObject(2, message.conversation().id().value());
                statement.setObject(3, message.id().value());
                statement.setInt(4, ChatHistory.CHARACTERS);
                statement.setInt(5, ChatHistory.TURNS);
                List<ChatTurn> turns = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        boolean user = rows.getString(1).equals(MessageType.USER_INPUT.name());
                        String content = FileNote.text(rows.getString(2), rows.getString(3));
                        turns.add(user ? ChatTurn.user(content) : ChatTurn.assistant(content));
                    }
                }
                return turns;
            }
        });
        var history = new ChatHistory();
        newestFirst.reversed().forEach(history::add);
        return history;
    }
}
