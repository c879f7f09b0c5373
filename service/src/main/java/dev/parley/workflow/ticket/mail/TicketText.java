package dev.parley.workflow.ticket.mail;

import dev.parley.http.core.SingleLineText;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import dev.parley.workflow.ticket.store.NewTicket;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stored texts of a ticket for lists: a preview of its inputs, and the text that a search looks through. */
public final class TicketText {
    static final int MAX_PREVIEW_LENGTH = 240;
    static final int MAX_SEARCH_LENGTH = 2_000;
    private static final int MAX_VALUE_PREVIEW_LENGTH = 100;
    private static final int MAX_LABELLED = 12;
    private static final int MAX_LABELLED_LENGTH = 300;
    private static final int MAX_WORDS = 8;
    private static final Pattern ABBREVIATION = Pattern.compile("\\b(api|csv|html|iban|id|json|pdf|url|vat)\\b");
    /** A stored file. Its original name follows the time of the upload. */
    private static final Pattern FILE = Pattern.compile("s3://[^\\s\"]*/(?:\\d{8}_\\d{6}_)?([^\\s\"/]+)");
    /** The format of DATETIME values. Inputs have no such type, so the format is all that identifies them. */
    private static final Pattern DATETIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");

    private static final DateTimeFormatter READABLE_DATETIME =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH);
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private TicketText() {}

    /**
     * The inputs on one line, such as {@code supplier: ACME · total: 12.5}; a file is shown by its original name, a
     * DATETIME as {@code 18 Dec 2026, 00:00 UTC}.
     */
    public static String preview(Map<String, @Nullable Object> inputs) {
        String all = lines(inputs, MAX_VALUE_PREVIEW_LENGTH, TicketText::readableDateTime)
                .collect(Collectors.joining(" · "));
        return Text.ellipsis(all, MAX_PREVIEW_LENGTH);
    }

    /** The first inputs that have a value, by the dashboard's labels: {@code unit_price} is {@code Unit price}. */
    static Map<String, String> labelled(Map<String, @Nullable Object> inputs) {
        Map<String, String> labelled = new LinkedHashMap<>();
        inputs.forEach((name, value) -> {
            if (value != null && labelled.size() < MAX_LABELLED) {
                String text = singleLine(text(value, TicketText::readableDateTime));
                labelled.put(label(name), Text.ellipsis(text, MAX_LABELLED_LENGTH));
            }
        });
        return labelled;
    }

    private static String label(String name) {
        String words = ABBREVIATION.matcher(name.replace('_', ' ').strip()).replaceAll(match -> match.group()
                .toUpperCase(Locale.ROOT));
        return words.isEmpty() ? name : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /** Number, names, exception and inputs in lower case; long inputs are cut. */
    public static String searchable(int number, NewTicket ticket) {
        Stream<String> exception = ticket.exception() == null
                ? Stream.of()
                : Stream.of(ticket.exception().error(), ticket.exception().detail());
        String all = Stream.of(
                        Stream.of("#" + number, ticket.title()),
                        Stream.of(
                                ticket.origin().workflowName(), ticket.origin().taskName()),
                        lines(ticket.inputs(), MAX_SEARCH_LENGTH, UnaryOperator.identity()),
                        exception)
                .flatMap(parts -> parts)
                .map(TicketText::singleLine)
                .collect(Collectors.joining(" "));
        return Text.truncate(all.toLowerCase(Locale.ROOT), MAX_SEARCH_LENGTH);
    }

    /** The words of a search; each must occur. */
    public static List<String> words(String search) {
        return Arrays.stream(SPACES.split(SingleLineText.of(search).toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .limit(MAX_WORDS)
                .toList();
    }

    /** One line for each input that has a value. */
    private static Stream<String> lines(
            Map<String, @Nullable Object> inputs, int most, UnaryOperator<String> formatString) {
        return inputs.entrySet().stream().flatMap(input -> {
            Object value = input.getValue();
            return value == null
                    ? Stream.of()
                    : Stream.of(input.getKey() + ": " + Text.ellipsis(singleLine(text(value, formatString)), most));
        });
    }

    private static String singleLine(String text) {
        String readable =
                FILE.matcher(Text.truncate(text, 4 * MAX_SEARCH_LENGTH)).replaceAll("$1");
        return SPACES.matcher(SingleLineText.of(readable)).replaceAll(" ").strip();
    }

    /** Lists and objects by their values alone, which say more on one line than JSON. */
    private static String text(Object value, UnaryOperator<String> formatString) {
        return switch (value) {
            case String string -> formatString.apply(string);
            case List<?> list -> joined(list, ", ", formatString);
            case Map<?, ?> map -> joined(map.values(), " ", formatString);
            default -> StrictJson.write(value);
        };
    }

    private static String joined(Collection<?> values, String separator, UnaryOperator<String> formatString) {
        return values.stream()
                .filter(Objects::nonNull)
                .map(value -> text(value, formatString))
                .collect(Collectors.joining(separator));
    }

    private static String readableDateTime(String text) {
        if (!DATETIME.matcher(text).matches()) {
            return text;
        }
        try {
            return READABLE_DATETIME.format(Instant.parse(text).atOffset(ZoneOffset.UTC));
        } catch (DateTimeException noSuchDay) {
            return text;
        }
    }
}
