package dev.parley.http.openapi;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;

/**
 * Names the operations whose annotations do not, by their method and path: {@code GET …/teams/{teamId}/members} is
 * {@code listTeamMembers}, and {@code POST …/tickets/{ticketId}/claim} is {@code claimTicket}. An operation of the
 * dashboard with the name of another operation is one about {@code Dashboard…}.
 */
final class OperationIds {
    private static final Pattern ROOT = Pattern.compile("^/[a-z]+/api/(organizations/\\{orgId}/)?");
    private static final Pattern COLLECTION = Pattern.compile("[^{]*[^cu]s");
    private static final Pattern FIRST_WORD = Pattern.compile("^[a-z]+");
    private static final String ONE = "{}";

    private final Set<String> taken = new HashSet<>();

    /** Claims a name, which is changed if another operation has it. */
    String unique(String name) {
        String unique = taken.contains(name) ? FIRST_WORD.matcher(name).replaceFirst("$0Dashboard") : name;
        if (!taken.add(unique)) {
            throw new IllegalStateException("Two operations are named " + unique);
        }
        return unique;
    }

    static String of(HttpMethod method, String path) {
        List<String> segments = List.of(ROOT.matcher(path).replaceFirst("").split("/"));
        String last = segments.getLast();
        List<String> before = segments.subList(0, segments.size() - 1);
        boolean isCollection = COLLECTION.matcher(last).matches();
        return switch (method) {
            case GET ->
                switch (last) {
                    case "count" -> "count" + noun(before);
                    case "events" -> "follow" + noun(segments);
                    default -> (isCollection ? "list" : "get") + noun(segments);
                };
            case POST ->
                isCollection
                        ? "create"
                                + noun(Stream.concat(segments.stream(), Stream.of(ONE))
                                        .toList())
                        : decapitalize(word(last)) + noun(before);
            case PUT -> "save" + noun(segments);
            case PATCH -> "update" + noun(segments);
            default -> method.name().toLowerCase(Locale.ROOT) + noun(segments);
        };
    }

    /** The path's literal segments; those before a parameter in the singular. */
    private static String noun(List<String> segments) {
        return IntStream.range(0, segments.size())
                .filter(i -> !segments.get(i).startsWith("{"))
                .mapToObj(i -> {
                    boolean isOne =
                            i + 1 < segments.size() && segments.get(i + 1).startsWith("{");
                    String segment = segments.get(i);
                    return word(
                            isOne ? singular(segment) : segment.equals("me") && segments.size() > 1 ? "my" : segment);
                })
                .collect(Collectors.joining());
    }

    private static String singular(String plural) {
        return plural.endsWith("ies")
                ? plural.substring(0, plural.length() - 3) + "y"
                : COLLECTION.matcher(plural).matches() ? plural.substring(0, plural.length() - 1) : plural;
    }

    private static String word(String segment) {
        return Stream.of(segment.split("[-_]"))
                .map(part -> part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1))
                .collect(Collectors.joining());
    }

    private static String decapitalize(String word) {
        return word.substring(0, 1).toLowerCase(Locale.ROOT) + word.substring(1);
    }
}
