package dev.parley.message.chat;

import dev.parley.attachment.AttachedFile;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatTurn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The latest turns of a chat, limited to a fraction of any model's context window. */
final class ChatHistory {
    static final int TURNS = 40;
    static final int CHARACTERS = 48_000;

    /** A turn, and the URI of its file. */
    private record HistoryTurn(ChatTurn turn, @Nullable String file) {}

    private final Deque<HistoryTurn> turns = new ArrayDeque<>();
    private final Map<String, ChatFile> texts = new HashMap<>();
    private final @Nullable String model;
    private final Optional<String> instructions;
    private int characters;

    /** @param config of the conversation, which names the model and has the instructions */
    ChatHistory(Map<String, ?> config) {
        this.model = config.get("model") instanceof String alias ? alias : null;
        this.instructions = config.get("instructions") instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** The alias of the conversation's model; null for the default. */
    @Nullable
    String model() {
        return model;
    }

    Optional<String> instructions() {
        return instructions;
    }

    void add(ChatTurn turn) {
        add(turn, null);
    }

    /** Adds the latest turn; the oldest make room, but the latest is kept whatever its length. */
    void add(ChatTurn turn, @Nullable String file) {
        turns.addLast(new HistoryTurn(turn, file));
        characters += turn.text().length();
        while (turns.size() > 1 && (turns.size() > TURNS || characters > CHARACTERS)) {
            HistoryTurn oldest = turns.removeFirst();
            characters -= oldest.turn.text().length();
            if (oldest.file != null) {
                texts.remove(oldest.file);
            }
        }
    }

    /** The files of the turns, newest first, because there may not be room for all. */
    List<AttachedFile> files() {
        List<AttachedFile> files = new ArrayList<>();
        for (HistoryTurn said : turns.reversed()) {
            if (said.file != null) {
                files.add(AttachedFile.stored(said.file));
            }
        }
        return files;
    }

    /** Texts of files that need not be read again. */
    Map<String, ChatFile> texts() {
        return texts;
    }

    /**
     * The turns with their files, oldest first. Keeps the texts for the next message, but no images.
     *
     * @param files one for each of {@link #files}
     */
    List<ChatTurn> turns(List<ChatFile> files) {
        List<ChatTurn> newestFirst = new ArrayList<>();
        int next = 0;
        for (HistoryTurn said : turns.reversed()) {
            if (said.file == null) {
                newestFirst.add(said.turn);
                continue;
            }
            ChatFile file = files.get(next++);
            newestFirst.add(said.turn.withFiles(List.of(file)));
            if (!file.text().isEmpty()) {
                texts.put(said.file, file);
            }
        }
        return newestFirst.reversed();
    }
}
