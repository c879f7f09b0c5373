package dev.parley.llm.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatReply.ReplyFinish;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.ReplyListener;
import dev.parley.llm.RetryDelay;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replies by a fixed rule (docs/offline-model.md), without a network, so that the service works before a real model is
 * configured. It takes microseconds, and its replies are deterministic.
 */
public final class OfflineChatModel implements ChatModel {
    /** Starts every chat reply and every generated string, so that they are not mistaken for those of a real model. */
    public static final String MARK = "Offline model";

    private static final String NAME = "offline";
    private static final int MAX_QUOTE_LENGTH = 200;
    private static final long MAX_WAIT_MILLIS = 600_000;
    private static final String DIRECTIVE = "offline:";
    private static final String CALL = DIRECTIVE + "call ";
    private static final JsonMapper JSON = new JsonMapper();

    private final InstantSource clock;
    private final RetryDelay sleeper;

    public OfflineChatModel() {
        this(InstantSource.system(), Thread::sleep);
    }

    OfflineChatModel(InstantSource clock, RetryDelay sleeper) {
        this.clock = clock;
        this.sleeper = sleeper;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ChatReply reply(ChatRequest request, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        List<String> texts = texts(request);
        Duration pause = Duration.ZERO;
        for (String text : texts) {
            if (text.startsWith(DIRECTIVE)) {
                String directive = text.substring(DIRECTIVE.length()).strip();
                execute(directive, request.deadline());
                pause = directive.matches("(?s)stream\\b.*") ? millis(directive) : pause;
            }
        }
        Optional<ChatReply> call = toolCall(texts, request);
        if (call.isPresent()) {
            return call.get();
        }
        String answer = request.schema().isPresent()
                ? json(new OfflineAnswer(request.inputs(), texts, request.instructions(), received(request), clock)
                        .object(request.schema().get()))
                : MARK + " here: no language model is set up, so this is a fixed answer. You wrote: \""
                        + shortened(texts.isEmpty() ? "" : texts.getLast())
                        + "\"." + received(request)
                        + " Set PARLEY_LLM_BASE_URL, PARLEY_LLM_API_KEY and PARLEY_LLM_MODEL for real answers.";
        long promptLength = request.instructions().length()
                + texts.stream().mapToLong(String::length).sum();
        write(answer, pause, request.deadline(), listener);
        return new ChatReply(answer, tokens(promptLength), tokens(answer.length()), NAME, ReplyFinish.STOP);
    }

    /** Passes on the answer word by word. */
    private void write(String answer, Duration pause, Duration deadline, ReplyListener listener)
            throws ChatModelException, InterruptedException {
        Duration left = deadline;
        for (String word : answer.split("(?<=\\s)(?=\\S)", -1)) {
            if (!pause.isZero()) {
                pause(pause, left);
                left = left.minus(pause);
            }
            listener.onText(word);
        }
    }

    /** The next call that a line {@code offline:call tool {arguments}} of a text orders, if the tool is offered. */
    private static Optional<ChatReply> toolCall(List<String> texts, ChatRequest request) {
        if (request.tools().isEmpty()) {
            return Optional.empty();
        }
        List<String> orders = texts.stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.startsWith(CALL))
                .toList();
        long done = request.followUps().stream()
                .filter(turn -> turn.speaker() == ChatTurn.Speaker.TOOL)
                .count();
        if (done >= orders.size()) {
            return Optional.empty();
        }
        String[] words = orders.get((int) done).substring(CALL.length()).strip().split("\\s+", 2);
        String name = words[0].replaceAll("[^A-Za-z0-9_-]", "_");
        String arguments = words.length > 1 ? words[1] : "{}";
        return request.tools().stream()
                .map(ChatTool::name)
                .filter(offered -> offered.equals(name)
                        || offered.replaceFirst("_[0-9]+$", "").equals(name))
                .findFirst()
                .map(offered -> new ChatReply(
                        "",
                        tokens(request.instructions().length()),
                        0,
                        tokens(arguments.length()),
                        0,
                        NAME,
                        ReplyFinish.STOP,
                        List.of(new ChatTool.ModelToolCall("call_" + done, offered, arguments)),
                        Map.of(),
                        0));
    }

    /** A note of the names, types and sizes of the files, with a leading space; empty without files. */
    private static String received(ChatRequest request) {
        List<String> files = Stream.concat(
                        request.turns().stream().flatMap(turn -> turn.files().stream()), request.files().stream())
                .filter(ChatFile::isRead)
                .map(file -> file.name() + " (" + file.contentType() + ", "
                        + (file.isImage()
                                ? file.image().length + " bytes"
                                : file.text().length() + " characters")
                        + ")")
                .toList();
        return files.isEmpty() ? "" : " Files received: " + String.join("; ", files) + ".";
    }

    static String shortened(String text) {
        String stripped = text.strip();
        if (stripped.codePointCount(0, stripped.length()) <= MAX_QUOTE_LENGTH) {
            return stripped;
        }
        return stripped.substring(0, stripped.offsetByCodePoints(0, MAX_QUOTE_LENGTH)) + "…";
    }

    /** The texts that the rule searches: text inputs in order, texts of files, then the user's last message. */
    private static List<String> texts(ChatRequest request) {
        List<String> texts = new ArrayList<>();
        for (Map.Entry<String, ?> input : request.inputs().entrySet()) {
            if (input.getValue() instanceof String text
                    && !text.isBlank()
                    && !input.getKey().equals("current_time")) {
                texts.add(text);
            }
        }
        for (ChatFile file : request.files()) {
            if (!file.text().isBlank()) {
                texts.add(file.text());
            }
        }
        request.turns().reversed().stream()
                .filter(turn -> turn.speaker() == ChatTurn.Speaker.USER)
                .findFirst()
                .ifPresent(turn -> texts.add(turn.text()));
        return texts;
    }

    /** Fails or delays on request, to try out both; ignores unknown directives. */
    private void execute(String directive, Duration deadline) throws ChatModelException, InterruptedException {
        String[] words = directive.split("\\s+", 2);
        switch (words[0]) {
            case "fail" ->
                throw ChatModelException.permanentFault(
                        words.length > 1 ? shortened(words[1]) : MARK + " was asked to fail.", null);
            case "unavailable" -> throw ChatModelException.transientFault(MARK + " was asked to be unavailable.", null);
            case "wait" -> pause(millis(directive), deadline);
            default -> {}
        }
    }

    /** The number of milliseconds that a directive has. */
    private static Duration millis(String directive) throws ChatModelException {
        String[] words = directive.split("\\s+", 3);
        String millis = words.length > 1 ? words[1] : "";
        if (!millis.matches("[0-9]{1,6}") || Long.parseLong(millis) > MAX_WAIT_MILLIS) {
            throw ChatModelException.permanentFault(
                    MARK + " waits from 0 to " + MAX_WAIT_MILLIS + " milliseconds.", null);
        }
        return Duration.ofMillis(Long.parseLong(millis));
    }

    private void pause(Duration wait, Duration deadline) throws ChatModelException, InterruptedException {
        if (wait.compareTo(deadline) > 0) {
            sleeper.sleep(deadline);
            throw ChatModelException.transientFault("The chat model did not answer in time.", null);
        }
        sleeper.sleep(wait);
    }

    /** About four characters per token, as is usual for English. */
    private static long tokens(long characters) {
        return (characters + 3) / 4;
    }

    private static String json(Object tree) {
        try {
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException notATree) {
            throw new IllegalArgumentException("Not a JSON tree.", notATree);
        }
    }
}
