package dev.parley.http;

import dev.parley.http.json.Rfc3339;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@code If-Match} of a request: the change applies only to a revision that the client has seen. Tags match as
 * {@link EntityTags} compares them. Stores check it in the transaction of the change, while the row is locked.
 *
 * @param tags the entity tags; null allows every revision
 */
public record IfMatch(@Nullable Set<String> tags) {
    public static final String HEADER = "If-Match";
    public static final String ETAG = "ETag";

    /** A request without the header, or with {@code *}. */
    public static final IfMatch ANY = new IfMatch(null);

    private static final Pattern TAG = Pattern.compile(EntityTags.TAG);

    /** Possessive, because backtracking over a header of many commas would overflow the stack. */
    private static final Pattern TAGS =
            Pattern.compile("[ \\t,]*+" + TAG + "(?:[ \\t]*+,[ \\t]*+(?:" + TAG + ")?+)*+[ \\t]*+");

    public IfMatch {
        tags = tags == null ? null : Set.copyOf(tags);
    }

    /** Parses the header; a 400 if it is malformed. */
    public static IfMatch of(@Nullable String header) {
        if (header == null || header.strip().equals("*")) {
            return ANY;
        }
        if (!TAGS.matcher(header).matches()) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.INVALID_FORMAT,
                    HEADER,
                    "'If-Match' must be * or a list of entity tags such as \"3\", in double quotes."));
        }
        return new IfMatch(TAG.matcher(header)
                .results()
                .map(found -> EntityTags.opaque(found.group()))
                .collect(Collectors.toSet()));
    }

    /** The entity tag of a revision. */
    public static String tag(int revision) {
        return "\"" + revision + "\"";
    }

    /** Sets the response's {@code ETag}. */
    public static void addTag(RoutingContext request, int revision) {
        request.response().putHeader(ETAG, tag(revision));
    }

    /** Throws a 412 that names the last change if the current revision is none of the tags. */
    public void require(int revision, String changedBy, Instant changedAt) {
        if (tags != null && !tags.contains(tag(revision))) {
            throw ApiProblem.of(ProblemKind.PRECONDITION_FAILED, "It was changed since you read it.")
                    .with("changed_by", changedBy)
                    .with("changed_at", Rfc3339.text(changedAt))
                    .with("etag", tag(revision));
        }
    }
}
