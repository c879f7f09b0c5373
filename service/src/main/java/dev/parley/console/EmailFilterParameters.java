package dev.parley.console;

import dev.parley.http.RequestValidator;
import dev.parley.mail.Email;
import dev.parley.mail.MailState;
import dev.parley.mail.archive.MailArchive;
import dev.parley.problem.ViolationCode;
import jakarta.ws.rs.QueryParam;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.Explode;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select emails. */
public final class EmailFilterParameters {
    private static final int MAX_SEARCH = 200;
    private static final String KINDS_PATTERN =
            "^(ticket|reminder|invitation|tool)(,(ticket|reminder|invitation|tool))*$";
    private static final List<String> KINDS =
            Email.EmailKind.listed().stream().map(Email.EmailKind::text).toList();

    @Parameter(
            description = "One or more states, separated by commas",
            explode = Explode.FALSE,
            schema = @Schema(type = SchemaType.ARRAY, implementation = MailState.class))
    @QueryParam("state")
    @Nullable
    String state;

    @Parameter(
            description = "One or more kinds, separated by commas",
            example = "ticket,reminder",
            schema = @Schema(type = SchemaType.STRING, pattern = KINDS_PATTERN))
    @QueryParam("kind")
    @Nullable
    String kind;

    @Parameter(
            description =
                    "Words that the recipient's address or the subject contains, in any case, in the newest 20,000"
                            + " mails of each state and kind that match the other filters",
            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH))
    @QueryParam("search")
    @Nullable
    String search;

    @Parameter(description = "From this time on, RFC 3339")
    @QueryParam("since")
    @Nullable
    String since;

    @Parameter(description = "Before this time, RFC 3339")
    @QueryParam("until")
    @Nullable
    String until;

    MailArchive.MailFilter filter() {
        var validator = new RequestValidator();
        var filter = new MailArchive.MailFilter(
                validator.parameterEnums(state, "state", MailState.class),
                kinds(validator),
                validator.parameterSearch(search, MAX_SEARCH),
                validator.parameterTime(since, "since"),
                validator.parameterTime(until, "until"));
        validator.done();
        return filter;
    }

    private Set<Email.EmailKind> kinds(RequestValidator validator) {
        Set<Email.EmailKind> requested = EnumSet.noneOf(Email.EmailKind.class);
        if (kind == null) {
            return requested;
        }
        for (String one : kind.split(",", -1)) {
            Optional<Email.EmailKind> found = Email.EmailKind.parse(one);
            found.ifPresent(requested::add);
            validator.requireParameter(
                    found.isPresent(),
                    ViolationCode.NOT_ONE_OF,
                    "kind",
                    "'kind' must be one or more of " + KINDS + ".",
                    Map.of("allowed", List.copyOf(KINDS)));
        }
        return requested;
    }
}
