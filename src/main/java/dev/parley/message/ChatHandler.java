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
import java.util.Collections;
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

    /** How much history the model gets: enough for a chat, and small beside any model's window. */
    private static final int HISTORY_MESSAGES = 40;

    private static final int HISTORY_CHARACTERS = 48_000;

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
    public Handled handle(PendingMessage message) throws InterruptedException {
        try {
            ChatReply reply = model.reply(ChatRequest.text(INSTRUCTIONS, history(message), settings.modelTimeout()));
            return new Handled.Answered(List.of(NewMessage.serviceText(
                    message.conversation().organization(),
                    message.conversation().id(),
                    MessageType.AGENT_RESPONSE,
                    Texts.storable(reply.text()),
                    null,
                    null,
                    "system")));
        } catch (ChatModelException e) {
            LOG.infof("The chat model did not answer message %s: %s", message.id(), e.sentence());
            return new Handled.Failed(Lane.notice(message, "The message could not be answered: " + e.sentence(), null));
        }
    }

    /** The latest messages up to this one, oldest first, as far as they fit. */
    private List<ChatTurn> history(PendingMessage message) {
        List<ChatTurn> turns = database.jdbc(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("""
                    SELECT type, content FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id < ?
                    ORDER BY id DESC LIMIT ?
                    """)) {
                statement.setObject(1, message.conversation().organization().value());
                statement.setObject(2, message.conversation().id().value());
                statement.setObject(3, message.id().value());
                statement.setInt(4, HISTORY_MESSAGES);
                List<ChatTurn> newestFirst = new ArrayList<>();
                newestFirst.add(ChatTurn.user(message.text()));
                int room = HISTORY_CHARACTERS - message.text().length();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next() && room > 0) {
                        String content = rows.getString(2);
                        MessageType type = MessageType.valueOf(rows.getString(1));
                        if (content == null || type == MessageType.SYSTEM || content.length() > room) {
                            continue;
                        }
                        room -= content.length();
                        newestFirst.add(
                                type == MessageType.USER_INPUT ? ChatTurn.user(content) : ChatTurn.assistant(content));
                    }
                }
                return newestFirst;
            }
        });
        Collections.reverse(turns);
        return turns;
    }
}
