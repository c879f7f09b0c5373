package dev.parley.workflow.task.file;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Removes the Markdown fence that models often put around their output.
 *
 * @param language the fence's language in lower case; empty for none
 */
public record MarkdownFence(String language, String text) {
    private static final int MIN_LENGTH = 3;
    private static final int MAX_LANGUAGE_LENGTH = 30;
    private static final String WHITESPACE = " \t\n\u000B\f\r";

    private static final Map<String, String> EXTENSIONS = Map.ofEntries(
            Map.entry("python", ".py"),
            Map.entry("javascript", ".js"),
            Map.entry("typescript", ".ts"),
            Map.entry("bash", ".sh"),
            Map.entry("shell", ".sh"),
            Map.entry("rust", ".rs"),
            Map.entry("ruby", ".rb"),
            Map.entry("kotlin", ".kt"),
            Map.entry("csharp", ".cs"),
            Map.entry("c#", ".cs"),
            Map.entry("c++", ".cpp"),
            Map.entry("markdown", ".md"));

    private static final Set<String> LANGUAGES_WITH_OWN_EXTENSION = Set.of(
            "py", "js", "ts", "sh", "rs", "rb", "kt", "cs", "cpp", "c", "h", "java", "go", "php", "sql", "json", "yaml",
            "yml", "toml", "html", "css", "xml", "md", "r", "swift", "scala", "lua", "pl", "csv", "ini", "tf");

    /**
     * The text without its fence; unchanged if it has none or several. Takes time proportional to the text's length,
     * because the text may be written to take long.
     */
    public static MarkdownFence open(String text) {
        int start = skip(text, 0, text.length(), c -> WHITESPACE.indexOf(c) >= 0);
        if (start == text.length() || (text.charAt(start) != '`' && text.charAt(start) != '~')) {
            return new MarkdownFence("", text);
        }
        char mark = text.charAt(start);
        int opened = skip(text, start, text.length(), c -> c == mark);
        int end = skipBack(text, text.length(), c -> WHITESPACE.indexOf(c) >= 0);
        int closing = skipBack(text, end, c -> c == mark);
        int languageStart = skip(text, opened, text.length(), MarkdownFence::isBlank);
        int languageLimit = Math.min(text.length(), languageStart + MAX_LANGUAGE_LENGTH);
        int languageEnd = skip(text, languageStart, languageLimit, MarkdownFence::isLanguage);
        int afterLanguage = skip(text, languageEnd, text.length(), MarkdownFence::isBlank);
        String language = text.substring(languageStart, languageEnd).toLowerCase(Locale.ROOT);
        int length = opened - start;

        int lineEnd = skip(text, opened, text.length(), c -> c != '\n' && c != '`');
        boolean hasLine = lineEnd < text.length() && text.charAt(lineEnd) == '\n';
        int closingLength = hasLine ? end - Math.max(closing, lineEnd + 1) : 0;
        if (length < MIN_LENGTH) {
            return new MarkdownFence("", text);
        }
        if (closingLength >= length) {
            return of(text, language, lineEnd + 1, end, length);
        }
        // Models also write JSON right after the language.
        boolean hasBrace = afterLanguage < text.length() && text.charAt(afterLanguage) == '{';
        if (hasBrace && end - Math.max(closing, afterLanguage) >= length) {
            return of(text, language, afterLanguage, end, length);
        }
        // A fence of tildes may be longer at its start than at its end: the rest belongs to the line.
        return mark == '~' && closingLength >= MIN_LENGTH
                ? of(text, "", lineEnd + 1, end, closingLength)
                : new MarkdownFence("", text);
    }

    private static MarkdownFence of(String text, String language, int start, int end, int length) {
        int bodyEnd = end - length;
        if (bodyEnd > start && text.charAt(bodyEnd - 1) == '\n') {
            bodyEnd--;
        }
        String body = text.substring(start, bodyEnd);
        // Several fences are part of the text rather than a fence around it.
        return body.contains("\n" + text.substring(end - length, end))
                ? new MarkdownFence("", text)
                : new MarkdownFence(language, body);
    }

    private static int skip(String text, int from, int to, IntPredicate skipped) {
        int at = from;
        while (at < to && skipped.test(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int skipBack(String text, int from, IntPredicate skipped) {
        int at = from;
        while (at > 0 && skipped.test(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isLanguage(int c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "_+#.-".indexOf(c) >= 0;
    }

    boolean isOf(String... languages) {
        return Set.of(languages).contains(language);
    }

    /** The file extension of the language. */
    String extension() {
        return EXTENSIONS.getOrDefault(
                language, LANGUAGES_WITH_OWN_EXTENSION.contains(language) ? "." + language : ".txt");
    }
}
