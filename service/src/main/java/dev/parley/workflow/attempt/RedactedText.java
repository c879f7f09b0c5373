package dev.parley.workflow.attempt;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prepares texts for storage in an attempt: truncates them, with a mark that shows how much is missing, and redacts
 * everything that looks like a credential. Credentials of tools and models never reach this class, because they are
 * added after the executors; it redacts those that people wrote into instructions, inputs and arguments.
 */
public final class RedactedText {
    /** The limit for the arguments of a tool call where a run shows them. */
    public static final int MAX_ARGUMENTS_LENGTH = 4_000;

    static final String HIDDEN = "[hidden]";

    private static final int MAX_DEPTH = 64;

    /** Names of members whose value is redacted. */
    private static final Pattern NAME = Pattern.compile(
            "(.*[-_ ])?(authorization|cookie|set-cookie|password|passwd|secret|token|credentials?|(api|private)[-_ ]?key)"
                    + "|(access|refresh|id|client|x)?[-_]?(api[-_]?key|token|secret)");

    /** Bearer tokens, keys of this service and others with the same format, and webhook secrets. */
    private static final Pattern CREDENTIAL = Pattern.compile(
            "(?i:\\b(Bearer|Basic) +)[A-Za-z0-9._~+/-]{12,}=*|\\b(sk|pk|rk|whsec)[-_][A-Za-z0-9_-]{16,}");

    private RedactedText() {}

    /** The text, truncated and marked. */
    static String of(String text, int most) {
        String clean = hidden(Text.paired(text));
        if (clean.length() <= most) {
            return clean;
        }
        String kept = Text.truncate(clean, most);
        return kept + "\n[… %,d more characters were not kept.]".formatted(clean.length() - kept.length());
    }

    /** A JDK tree as JSON, truncated and redacted. */
    public static String ofTree(Map<String, ?> tree, int most) {
        return of(StrictJson.write(Objects.requireNonNull(hidden(tree, 0))), most);
    }

    /** JSON, or invalid JSON of a model. */
    static String ofJson(String json, int most) {
        try {
            return ofTree(StrictJson.readObject(json), most);
        } catch (UncheckedIOException _) {
            return of(json, most);
        }
    }

    private static String hidden(String text) {
        boolean suspicious = text.indexOf("earer") >= 0
                || text.indexOf("BEARER") >= 0
                || text.indexOf("asic") >= 0
                || text.indexOf("BASIC") >= 0
                || text.indexOf("k-") >= 0
                || text.indexOf("k_") >= 0
                || text.indexOf("whsec") >= 0;
        if (!suspicious) {
            return text;
        }
        return CREDENTIAL
                .matcher(text)
                .replaceAll(found -> found.group(1) == null ? HIDDEN : found.group(1) + " " + HIDDEN);
    }

    private static @Nullable Object hidden(@Nullable Object tree, int depth) {
        return switch (tree) {
            case Map<?, ?> map
            when depth < MAX_DEPTH -> {
                Map<String, @Nullable Object> redacted = new LinkedHashMap<>();
                map.forEach((name, value) -> {
                    boolean secret = value != null
                            && NAME.matcher(String.valueOf(name).toLowerCase(Locale.ROOT))
                                    .matches();
                    redacted.put(String.valueOf(name), secret ? HIDDEN : hidden(value, depth + 1));
                });
                yield redacted;
            }
            case List<?> list
            when depth < MAX_DEPTH -> {
                List<@Nullable Object> redacted = new ArrayList<>();
                list.forEach(value -> redacted.add(hidden(value, depth + 1)));
                yield redacted;
            }
            case null, default -> tree;
        };
    }
}
