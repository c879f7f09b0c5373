package dev.parley.llm.dialect;

import java.util.regex.Pattern;

/**
 * Withholds the reasoning that a text begins with, while the text arrives. A closing tag without its opening one is not
 * known in advance, so the caller compares the result with {@link ReasoningText#answer} of the whole text.
 */
public final class ReasoningFilter {
    /** A tag that may end the reasoning. */
    private static final Pattern END =
            Pattern.compile("</|\\[/|\u25c1/|<\\|/|<\\|end|<channel\\|>|<\\|message\\|>", Pattern.CASE_INSENSITIVE);

    private static final int MAX_HEAD = 400;
    private static final int MAX_TAIL = 100;

    /** Searches take time proportional to the text; a longer search waits for the whole text. */
    private static final int MAX_SEARCHES = 500;

    private final StringBuilder head = new StringBuilder();
    private boolean isAnswering;
    private int searches;

    /** The part of the text so far that can be passed on. */
    public String add(String piece) {
        if (isAnswering) {
            return piece;
        }
        head.append(piece);
        String answer = begun();
        isAnswering = !answer.isBlank();
        if (isAnswering) {
            head.setLength(0);
        }
        return isAnswering ? answer : "";
    }

    private String begun() {
        if (head.length() <= MAX_HEAD && !ReasoningText.mayBegin(head.toString())) {
            return head.toString();
        }
        String tail = head.substring(Math.max(0, head.length() - MAX_TAIL));
        return END.matcher(tail).find() && searches++ < MAX_SEARCHES ? ReasoningText.answer(head.toString()) : "";
    }
}
