package dev.parley.workflow.task.file;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes the Markdown fence that models often put around their output.
 *
 * @param language the fence's language in lower case; empty for none
 */
public record MarkdownFence(String language, String text) {
    private static final Pattern FENCED = Pattern.compile(
            "\\s*(`{3,}|~{3,})[ \\t]*([A-Za-z0-9_+#.-]{0,30})(?:[^\\n`]*\\n|[ \\t]*(?=\\{))(.*?)\\n?\\1\\s*",
            Pattern.DOTALL);

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

    /** The text without its fence; unchanged if it has none or several. */
    public static MarkdownFence open(String text) {
        // Several fences are part of the text rather than a fence around it.
        Matcher fenced = FENCED.matcher(text);
        boolean whole =
                text.stripLeading().startsWith("```") || text.stripLeading().startsWith("~~~");
        return whole && fenced.matches() && !fenced.group(3).contains("\n" + fenced.group(1))
                ? new MarkdownFence(fenced.group(2).toLowerCase(Locale.ROOT), fenced.group(3))
                : new MarkdownFence("", text);
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
