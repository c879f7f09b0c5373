package dev.parley.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.llm.ChatReply.ReplyFinish;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Answers by a fixed rule, without a network, so that everything runs before a real model is set up. The rule is in
 * docs/offline-model.md. It takes microseconds, and the same request gets the same answer.
 */
public final class OfflineChatModel implements ChatModel {
    /** Begins every chat reply and every string that it makes up, so that nobody takes them for a real model's. */
    public static final String MARK = "Offline model";

    private static final String NAME = "offline";
    private static final int SHORT = 200;
    private static final long LONGEST_WAIT_MILLIS = 600_000;
    private static final String DIRECTIVE = "offline:";
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
    public ChatReply reply(ChatRequest request) throws ChatModelException, InterruptedException {
        List<String> texts = texts(request);
        for (String text : texts) {
            if (text.startsWith(DIRECTIVE)) {
                obey(text.substring(DIRECTIVE.length()).strip(), request.deadline());
            }
        }
        String answer = request.schema().isPresent()
                ? json(new OfflineAnswer(request.inputs(), texts, request.instructions(), received(request), clock)
                        .object(request.schema().get()))
                : MARK + " here: no language model is set up, so this is a fixed answer. You wrote: \""
                        + shortened(texts.isEmpty() ? "" : texts.getLast())
                        + "\"." + received(request)
                        + " Set PARLEY_LLM_BASE_URL, PARLEY_LLM_API_KEY and PARLEY_LLM_MODEL for real answers.";
        long asked = request.instructions().length();
        for (String text : texts) {
            asked += text.length();
        }
        return new ChatReply(answer, tokens(asked), tokens(answer.length()), NAME, ReplyFinish.STOP);
    }

    /** Shows that files arrived: a note of their names, types and sizes, which begins with a space. */
    private static String received(ChatRequest request) {
        List<String> shown = Stream.concat(
                        request.turns().stream().flatMap(turn -> turn.files().stream()), request.files().stream())
                .filter(ChatFile::isRead)
                .map(file -> file.name() + " (" + file.contentType() + ", "
                        + (file.isImage()
                                ? file.image().length + " bytes"
                                : file.text().length() + " characters")
                        + ")")
                .toList();
        return shown.isEmpty() ? "" : " Files received: " + String.join("; ", shown) + ".";
    }

    static String shortened(String text) {
        String stripped = text.strip();
        if (stripped.codePointCount(0, stripped.length()) <= SHORT) {
            return stripped;
        }
        return stripped.substring(0, stripped.offsetByCodePoints(0, SHORT)) + "…";
    }

    /** The texts that the rule looks at: the text inputs in their order, what files hold, then what the user said last. */
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
        for (ChatTurn turn : request.turns().reversed()) {
            if (turn.speaker() == ChatTurn.Speaker.USER) {
                texts.add(turn.text());
                break;
            }
        }
        return texts;
    }

    /** Failures and delays on demand, to try out what happens then; an unknown word is no directive. */
    private void obey(String directive, Duration deadline) throws ChatModelException, InterruptedException {
        String[] words = directive.split("\\s+", 2);
        switch (words[0]) {
            case "fail" ->
                throw ChatModelException.permanentFault(
                        words.length > 1 ? shortened(words[1]) : MARK + " was asked to fail.", null);
            case "unavailable" -> throw ChatModelException.transientFault(MARK + " was asked to be unavailable.", null);
            case "wait" -> waitAsAsked(words.length > 1 ? words[1].split("\\s+", 2)[0] : "", deadline);
            default -> {}
        }
    }

    private void waitAsAsked(String millis, Duration deadline) throws ChatModelException, InterruptedException {
        if (!millis.matches("[0-9]{1,6}") || Long.parseLong(millis) > LONGEST_WAIT_MILLIS) {
            throw ChatModelException.permanentFault(
                    MARK + " waits from 0 to " + LONGEST_WAIT_MILLIS + " milliseconds.", null);
        }
        Duration wait = Duration.ofMillis(Long.parseLong(millis));
        if (wait.compareTo(deadline) > 0) {
            sleeper.sleep(deadline);
            throw ChatModelException.transientFault("The chat model did not answer in time.", null);
        }
        sleeper.sleep(wait);
    }

    /** About four characters to a token, as is usual for English. */
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
