package dev.parley.llm.dialect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the reasoning that models write before their answer. A tag that the answer only mentions stays. Takes time
 * proportional to the text's length.
 */
public final class ReasoningText {
    private record ReasoningTag(String open, String close) {
        static ReasoningTag xml(String name) {
            return new ReasoningTag("<" + name + ">", "</" + name + ">");
        }
    }

    private static final List<ReasoningTag> TAGS = List.of(
            ReasoningTag.xml("think"),
            ReasoningTag.xml("thinking"),
            ReasoningTag.xml("reasoning"),
            ReasoningTag.xml("thought"),
            ReasoningTag.xml("thoughts"),
            ReasoningTag.xml("seed:think"),
            ReasoningTag.xml("antml:thinking"),
            new ReasoningTag("\u25c1think\u25b7", "\u25c1/think\u25b7"),
            new ReasoningTag("[think]", "[/think]"),
            new ReasoningTag("<|begin_of_thought|>", "<|end_of_thought|>"));

    private static final String FINAL_CHANNEL = "<|channel|>final<|message|>";

    /** {@link #FINAL_CHANNEL} after a server has dropped the special tokens. */
    private static final String BARE_FINAL_CHANNEL = "assistantfinal";

    private static final String FENCE = "```";
    private static final List<String> CHANNEL_ENDS = List.of("<|return|>", "<|end|>", "<|call|>");
    private static final int MAX_SPACES = 10;
    private static final String QUOTES = "`'\"\u2018\u2019\u201c\u201d\u00ab\u00bb(";
    private static final String AFTER_MENTION = "`'\"\u2018\u2019\u201c\u201d\u00ab\u00bb)].,;:!?";

    private ReasoningText() {}

    /** The answer without its reasoning; empty if the text ends within the reasoning. */
    public static String answer(String text) {
        String spoken = finalChannel(text);
        String rest = withoutLeadingBlocks(spoken);
        if (rest.isEmpty() || isJson(rest)) {
            return rest;
        }
        return withoutBlocksOnLinesOfTheirOwn(rest.equals(spoken) ? afterUnopened(rest) : rest);
    }

    private static String finalChannel(String text) {
        String start = text.stripLeading();
        boolean bare = start.startsWith("analysis") && start.contains(BARE_FINAL_CHANNEL);
        if (!bare && !start.startsWith("<|channel|>") && !start.startsWith("<|start|>")) {
            return text;
        }
        String mark = bare ? BARE_FINAL_CHANNEL : FINAL_CHANNEL;
        int at = start.lastIndexOf(mark);
        if (at < 0) {
            return "";
        }
        String answer = start.substring(at + mark.length());
        for (String end : CHANNEL_ENDS) {
            int cut = answer.indexOf(end);
            answer = cut < 0 ? answer : answer.substring(0, cut);
        }
        return answer.strip();
    }

    private static String withoutLeadingBlocks(String text) {
        String lower = lower(text);
        int start = 0;
        while (true) {
            int at = skipBlank(text, start);
            ReasoningTag tag = TAGS.stream()
                    .filter(one -> lower.startsWith(one.open, at))
                    .findFirst()
                    .orElse(null);
            if (tag == null) {
                return start == 0 ? text : text.substring(at);
            }
            start = end(lower, tag, at + tag.open.length());
            if (start < 0) {
                return "";
            }
        }
    }

    /** The end of a block: the tag that closes it if blocks in it are closed too, else the first closing tag. */
    private static int end(String lower, ReasoningTag tag, int from) {
        int first = -1;
        int depth = 1;
        int close = lower.indexOf(tag.close, from);
        int open = lower.indexOf(tag.open, from);
        while (close >= 0) {
            if (open >= 0 && open < close) {
                depth++;
                open = lower.indexOf(tag.open, open + tag.open.length());
                continue;
            }
            int end = close + tag.close.length();
            first = first < 0 ? end : first;
            if (--depth == 0) {
                return end;
            }
            close = lower.indexOf(tag.close, end);
        }
        return first;
    }

    /** Templates that write the opening tag themselves leave only the closing one in the text. */
    private static String afterUnopened(String text) {
        String lower = lower(text);
        for (ReasoningTag tag : TAGS) {
            int open = lower.indexOf(tag.open);
            int close = lower.indexOf(tag.close);
            int fence = lower.indexOf(FENCE);
            boolean fenced = false;
            while (close >= 0 && (open < 0 || close < open)) {
                for (; fence >= 0 && fence < close; fence = lower.indexOf(FENCE, fence + FENCE.length())) {
                    fenced = !fenced;
                }
                int end = close + tag.close.length();
                if (!fenced && isEndOfReasoning(text, close, end)) {
                    return text.substring(skipBlank(text, end));
                }
                close = lower.indexOf(tag.close, end);
            }
        }
        return text;
    }

    /** Whether a closing tag ends something rather than being mentioned in a sentence. */
    private static boolean isEndOfReasoning(String text, int close, int end) {
        char before = close == 0 ? '\n' : text.charAt(close - 1);
        char after = end == text.length() ? ' ' : text.charAt(end);
        if (QUOTES.indexOf(before) >= 0) {
            return false;
        }
        if (before != ' ' && before != '\t') {
            return true;
        }
        if (after == ' ' || after == '\t') {
            return isBetweenSentences(text, close, end);
        }
        return AFTER_MENTION.indexOf(after) < 0;
    }

    /** Whether a tag between spaces follows the end of a sentence, or precedes what is no lower-case word. */
    private static boolean isBetweenSentences(String text, int close, int end) {
        int next = skipBlank(text, end);
        String said = text.substring(Math.max(0, close - MAX_SPACES), close).stripTrailing();
        boolean isSentence = !said.isEmpty() && ".!?:)]}".indexOf(said.charAt(said.length() - 1)) >= 0;
        return next < text.length() && (isSentence || !Character.isLowerCase(text.charAt(next)));
    }

    /** Removes blocks whose tags stand on lines of their own, outside code fences. */
    private static String withoutBlocksOnLinesOfTheirOwn(String text) {
        var kept = new StringBuilder();
        var block = new StringBuilder();
        ReasoningTag opened = null;
        boolean fenced = false;
        boolean changed = false;
        for (int at = 0; at < text.length(); ) {
            int newLine = text.indexOf('\n', at);
            String line = text.substring(at, newLine < 0 ? text.length() : newLine + 1);
            at += line.length();
            String bare = lower(line.strip());
            if (opened != null) {
                block.append(line);
                if (bare.equals(opened.close)) {
                    block.setLength(0);
                    opened = null;
                    changed = true;
                }
                continue;
            }
            fenced ^= bare.startsWith(FENCE) || bare.startsWith("~~~");
            ReasoningTag tag = fenced ? null : tagOf(bare);
            if (tag == null) {
                kept.append(line);
            } else if (bare.equals(tag.open)) {
                opened = tag;
                block.append(line);
            } else {
                kept.setLength(0); // Everything so far was reasoning.
                changed = true;
            }
        }
        return changed ? kept.append(block).toString().strip() : text;
    }

    private static @Nullable ReasoningTag tagOf(String line) {
        for (ReasoningTag tag : TAGS) {
            if (line.equals(tag.open) || line.equals(tag.close)) {
                return tag;
            }
        }
        return null;
    }

    private static boolean isJson(String text) {
        int at = skipBlank(text, 0);
        return at < text.length() && (text.charAt(at) == '{' || text.charAt(at) == '[');
    }

    private static int skipBlank(String text, int from) {
        int at = from;
        while (at < text.length()
                && (Character.isWhitespace(text.charAt(at)) || "\uFEFF\u200B".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at;
    }

    /** Lower case of ASCII letters only, so that positions stay those of the text. */
    private static String lower(String text) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            if (chars[i] >= 'A' && chars[i] <= 'Z') {
                chars[i] = (char) (chars[i] + ('a' - 'A'));
            }
        }
        return new String(chars);
    }
}
