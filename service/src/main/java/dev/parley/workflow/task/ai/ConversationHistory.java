package dev.parley.workflow.task.ai;

import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatTurn;
import dev.parley.message.Message;
import dev.parley.message.MessageReader;
import dev.parley.message.MessageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The latest messages of a conversation that fit into a model's context window. */
public final class ConversationHistory {
    private static final int MESSAGES = 40;
    private static final int CHARACTERS = 48_000;

    private ConversationHistory() {}

    /** Oldest first, without notices. */
    public static List<ChatTurn> turns(
            MessageReader messages, OrganizationId organization, ConversationId conversation) {
        List<ChatTurn> turns = new ArrayList<>();
        int room = CHARACTERS;
        for (Message message :
                messages.page(organization, conversation, null, MESSAGES).items()) {
            String content = text(message);
            if (content.isEmpty() || message.type() == MessageType.SYSTEM || content.length() > room) {
                continue;
            }
            room -= content.length();
            turns.add(message.type() == MessageType.USER_INPUT ? ChatTurn.user(content) : ChatTurn.assistant(content));
        }
        Collections.reverse(turns);
        return turns;
    }

    /** The text of a message, or the name of its file. */
    private static String text(Message message) {
        String content = message.content() == null ? "" : message.content();
        return message.filename() == null
                ? content
                : (content + "\n[File: " + message.filename() + ", " + message.contentType() + "]").strip();
    }

    /** The history as text with one line per message. */
    public static String transcript(MessageReader messages, OrganizationId organization, ConversationId conversation) {
        var text = new StringBuilder();
        for (ChatTurn turn : turns(messages, organization, conversation)) {
            text.append(turn.speaker() == ChatTurn.Speaker.USER ? "User: " : "Agent: ")
                    .append(turn.text())
                    .append('\n');
        }
        return text.toString().strip();
    }
}
