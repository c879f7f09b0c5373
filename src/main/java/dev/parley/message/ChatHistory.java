package dev.parley.message;

import dev.parley.llm.ChatTurn;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest turns of a chat: enough for the model to follow, and small beside any model's window. */
final class ChatHistory {
    static final int TURNS = 40;
    static final int CHARACTERS = 48_000;

    private final Deque<ChatTurn> turns = new ArrayDeque<>();
    private int characters;

    /** Adds what was said last; the oldest make room, but what was said last is there whatever its length. */
    void add(ChatTurn turn) {
        turns.addLast(turn);
        characters += turn.text().length();
        while (turns.size() > 1 && (turns.size() > TURNS || characters > CHARACTERS)) {
            characters -= turns.removeFirst().text().length();
        }
    }

    /** Oldest first. */
    List<ChatTurn> turns() {
        return List.copyOf(turns);
    }
}
