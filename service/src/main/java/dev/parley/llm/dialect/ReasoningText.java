package dev.parley.llm.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Removes the reasoning that models write before their answer: blocks at the beginning, also without the opening tag.
 * What follows is the answer and stays. Takes time proportional to the text's length.
 */
public final class ReasoningText {
    /** @param pattern finds the groups {@code open} and {@code close} */
    private record ReasoningTag(Pattern pattern) {
        static ReasoningTag xml(String name) {
            return of("<" + name + "(?:[\\s/][^<>]{0,200})?>", "</" + name + "\\s{0,9}>");
        }

        static ReasoningTag literal(String open, String close) {
            return of(Pattern.quote(open), Pattern.quote(close));
        }

        private static ReasoningTag of(String open, String close) {
            return new ReasoningTag(
                    Pattern.compile("(?<open>" + open + ")|(?<close>" + close + ")", Pattern.CASE_INSENSITIVE));
        }
    }

    private static final List<ReasoningTag> TAGS = Stream.concat(
                    Stream.of(
                                    "think",
                                    "thinking",
                                    "reasoning",
                                    "reasoning_scratchpad",
                                    "thought",
                                    "thoughts",
                                    "seed:think",
                                    "mm:think",
                                    "antml:thinking")
                            .map(ReasoningTag::xml),
                    Stream.of(
                            ReasoningTag.literal("\u25c1think\u25b7", "\u25c1/think\u25b7"),
                            ReasoningTag.literal("[think]", "[/think]"),
                            ReasoningTag.literal("<|think|>", "<|/think|>"),
                            ReasoningTag.literal("<|start_thinking|>", "<|end_thinking|>"),
                            ReasoningTag.literal("<|begin_of_thought|>", "<|end_of_thought|>"),
                            ReasoningTag.literal("<|channel>", "<channel|>")))
            .toList();

    /** The beginning of a text in channels. */
    private static final Pattern CHANNEL =
            Pattern.compile("<\\|start\\|>|<\\|channel\\|>|(?:analysis|commentary|final)[^<\\n]{0,100}<\\|message\\|>");

    private static final String FINAL = "final[^<]{0,100}(?:<\\|constrain\\|>[^<]{0,100})?";
    private static final Pattern FINAL_CHANNEL = Pattern.compile("(?:\\A(?:<\\|channel\\|>)?" + FINAL
            + "|<\\|start\\|>assistant(?:<\\|channel\\|>" + FINAL + ")?)<\\|message\\|>");
    private static final Pattern UNSEPARATED_FINAL_CHANNEL =
            Pattern.compile("<\\|channel\\|>" + FINAL + "<\\|message\\|>");
    private static final Pattern CHANNEL_END = Pattern.compile("<\\|(?:return|end|call)\\|>\\s*(?:\\z|<\\|start\\|>)");

    /** The channels after a server has dropped the special tokens. */
    private static final Pattern BARE_CHANNEL =
            Pattern.compile("assistantfinal|analysis(?=(?:We|The|This|User|I|It|They|You|Need|Let|Just|So|Okay)[ ',])");

    private static final String BARE_FINAL_CHANNEL = "assistantfinal";

    private static final Pattern CODE = Pattern.compile("(?s)(`{3,}+|(?<![^\\n])~{3,}+).*?(?:\\1|\\z)|`[^`\\n]*+`");
    private static final Pattern JSON_START = Pattern.compile("\\{\\s*+[\"}]|\\[\\s*+[\"{\\[]");
    private static final int MAX_JSON_VALUES = 20;
    private static final JsonFactory JSON = new JsonFactory();

    private static final int MAX_SPACES = 10;
    private static final String OPENING_QUOTES = "\u2018\u201c\u00ab(";
    private static final String STRAIGHT_QUOTES = "`'\"";
    private static final String AFTER_MENTION = "`'\"\u2018\u2019\u201c\u201d\u00ab\u00bb)].,;:!?";

    private ReasoningText() {}

    /** The answer without its reasoning; empty if the text ends within the reasoning. */
    public static String answer(String text) {
        Optional<String> spoken = finalChannel(text);
        if (spoken.isPresent()) {
            return spoken.get();
        }
        if (TAGS.stream().noneMatch(tag -> tag.pattern.matcher(text).find())) {
            return text;
        }
        String masked = masked(text);
        int end = endOfLeadingBlocks(text, masked);
        return text.substring(end > 0 ? end : endOfUnopened(masked));
    }

    /** Whether a text begins with reasoning, or may turn out to when it goes on. */
    @SuppressWarnings("JdkObsolete") // for streams, as here
    static boolean mayBegin(String text) {
        int at = skipBlank(text, 0);
        return at == text.length()
                || Stream.concat(Stream.of(CHANNEL, BARE_CHANNEL), TAGS.stream().map(ReasoningTag::pattern))
                        .map(pattern -> pattern.matcher(text).region(at, text.length()))
                        .anyMatch(begin -> begin.lookingAt() || begin.hitEnd());
    }

    /** The text in the final channel of gpt-oss; empty if there are no channels. */
    private static Optional<String> finalChannel(String text) {
        String start = text.substring(skipBlank(text, 0));
        int bare = start.indexOf(BARE_FINAL_CHANNEL);
        if (BARE_CHANNEL.matcher(start).lookingAt() || (bare > 0 && start.startsWith("analysis"))) {
            return Optional.of(
                    bare < 0
                            ? ""
                            : start.substring(bare + BARE_FINAL_CHANNEL.length())
                                    .strip());
        }
        boolean isOpened = CHANNEL.matcher(start).lookingAt();
        if (!isOpened && !FINAL_CHANNEL.matcher(start).find()) {
            return Optional.empty();
        }
        String searched = isOpened ? start : masked(start);
        return Stream.of(FINAL_CHANNEL, isOpened ? UNSEPARATED_FINAL_CHANNEL : FINAL_CHANNEL)
                .map(pattern -> pattern.matcher(searched))
                .filter(Matcher::find)
                .findFirst()
                .map(found -> withoutChannelEnd(start.substring(found.end())))
                .or(() -> isOpened ? Optional.of("") : Optional.empty());
    }

    private static String withoutChannelEnd(String answer) {
        Matcher end = CHANNEL_END.matcher(answer);
        return (end.find() ? answer.substring(0, end.start()) : answer).strip();
    }

    /** The end of the blocks that the text begins with, and of stray closing tags behind them; 0 if there are none. */
    private static int endOfLeadingBlocks(String text, String masked) {
        int start = 0;
        while (true) {
            int at = skipBlank(text, start);
            boolean isFirst = start == 0;
            Matcher opened = TAGS.stream()
                    .map(tag -> tag.pattern.matcher(text).region(at, text.length()))
                    .filter(tag -> tag.lookingAt() && (!isFirst || tag.start("open") >= 0))
                    .findFirst()
                    .orElse(null);
            if (opened == null) {
                return isFirst ? 0 : at;
            }
            start = opened.end();
            if (opened.start("open") >= 0 && !isSelfClosed(text, start)) {
                start = endOfBlock(text, masked, opened.pattern(), start);
            }
            if (start < 0) {
                return text.length();
            }
        }
    }

    /** Tags within code are no ends, unless there is no other. */
    private static int endOfBlock(String text, String masked, Pattern tag, int opened) {
        int from = opened;
        for (Matcher again = tag.matcher(text); ; from = again.end()) {
            again.region(skipBlank(text, from), text.length());
            if (!again.lookingAt() || again.start("open") < 0) {
                break; // Some templates write the opening tag, and the model writes it too.
            }
        }
        int end = endOfBlock(masked, tag, from, false);
        end = end < 0 ? endOfBlock(text, tag, from, false) : end;
        return end < 0 ? endOfBlock(text, tag, from, true) : end;
    }

    /** The end of a block: the tag that closes it if blocks in it are closed too, else the first closing tag. */
    private static int endOfBlock(String text, Pattern tag, int from, boolean withMentions) {
        int first = -1;
        int depth = 1;
        Matcher found = tag.matcher(text).region(from, text.length());
        while (found.find()) {
            if (!withMentions && isMention(text, found.start(), found.end())) {
                continue;
            }
            if (found.start("open") >= 0) {
                depth += isSelfClosed(text, found.end()) ? 0 : 1;
                continue;
            }
            first = first < 0 ? found.end() : first;
            if (--depth == 0) {
                return found.end();
            }
        }
        return first;
    }

    /** Templates that write the opening tag themselves leave only the closing one in the text. */
    private static int endOfUnopened(String masked) {
        for (ReasoningTag tag : TAGS) {
            Matcher found = tag.pattern.matcher(masked);
            while (found.find()) {
                if (!isMention(masked, found.start(), found.end())) {
                    if (found.start("open") >= 0) {
                        break;
                    }
                    return skipBlank(masked, found.end());
                }
            }
        }
        return 0;
    }

    /** Whether a tag is mentioned in a sentence rather than beginning or ending something. */
    private static boolean isMention(String text, int start, int end) {
        char before = start == 0 ? '\n' : text.charAt(start - 1);
        char after = end == text.length() ? ' ' : text.charAt(end);
        boolean isQuoted = OPENING_QUOTES.indexOf(before) >= 0
                || (STRAIGHT_QUOTES.indexOf(before) >= 0 && !isClosingQuote(text, start - 1))
                || (before == after && "*_|".indexOf(before) >= 0);
        if (isQuoted || (before != ' ' && before != '\t')) {
            return isQuoted;
        }
        int next = skipBlank(text, end);
        if (after == ' ' || after == '\t' || next == text.length()) {
            return !isBetweenSentences(text, start, next);
        }
        return AFTER_MENTION.indexOf(after) >= 0;
    }

    private static boolean isClosingQuote(String text, int at) {
        return at > 0
                && (Character.isLetterOrDigit(text.charAt(at - 1)) || ".!?)]}%".indexOf(text.charAt(at - 1)) >= 0);
    }

    /** Whether a tag between spaces follows the end of a sentence, or precedes what is no lower-case word. */
    private static boolean isBetweenSentences(String text, int start, int next) {
        String said = text.substring(Math.max(0, start - MAX_SPACES), start).stripTrailing();
        char last = said.isEmpty() ? ' ' : said.charAt(said.length() - 1);
        if (next == text.length()) {
            return ".!?".indexOf(last) >= 0;
        }
        boolean isCell = last == '|' || text.charAt(next) == '|';
        return !isCell && (".!?:)]}".indexOf(last) >= 0 || !Character.isLowerCase(text.charAt(next)));
    }

    private static boolean isSelfClosed(String text, int end) {
        return text.startsWith("/>", end - 2);
    }

    /** The text with NUL in place of code and of the JSON values in it, whose tags are mentions. */
    private static String masked(String text) {
        char[] masked = CODE.matcher(text)
                .replaceAll(code -> "\0".repeat(code.group().length()))
                .toCharArray();
        Matcher start = JSON_START.matcher(text);
        int at = 0;
        for (int i = 0; i < MAX_JSON_VALUES && start.find(at); i++) {
            at = endOfJson(text, start.start());
            Arrays.fill(masked, start.start(), at, '\0');
            at = Math.max(at, start.start() + 1);
        }
        return new String(masked);
    }

    /** The end of the JSON value that begins at a position; that position if none does. */
    private static int endOfJson(String text, int start) {
        try (JsonParser parser = JSON.createParser(text.substring(start))) {
            parser.nextToken();
            parser.skipChildren();
            return start + (int) parser.currentLocation().getCharOffset();
        } catch (IOException _) {
            return start;
        }
    }

    private static int skipBlank(String text, int from) {
        int at = from;
        while (at < text.length()
                && (Character.isWhitespace(text.charAt(at)) || "\uFEFF\u200B".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at;
    }
}
