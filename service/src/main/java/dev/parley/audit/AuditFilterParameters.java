package dev.parley.audit;

import dev.parley.http.RequestValidator;
import dev.parley.id.UserId;
import dev.parley.problem.ViolationCode;
import jakarta.ws.rs.QueryParam;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select audit entries. */
public final class AuditFilterParameters {
    private static final int MAX_TARGET_LENGTH = 300;

    @Parameter(description = "Only actions of this person")
    @QueryParam("user_id")
    @Nullable
    String userId;

    @Parameter(description = "Only this action, such as api-keys.create, or all of a kind, such as api-keys")
    @QueryParam("action")
    @Nullable
    String action;

    @Parameter(
            description = "The target's id, or part of its name in any case",
            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_TARGET_LENGTH))
    @QueryParam("target")
    @Nullable
    String target;

    @Parameter(description = "From this time on, RFC 3339; also entries that cover a later save")
    @QueryParam("since")
    @Nullable
    String since;

    @Parameter(description = "Before this time, RFC 3339")
    @QueryParam("until")
    @Nullable
    String until;

    @Parameter(
            description =
                    "Whether actions that only use something, such as sending a message or trying a tool, are left"
                            + " out",
            schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
    @QueryParam("changes_only")
    @Nullable
    String changesOnly;

    AuditStore.AuditQuery filter() {
        var validator = new RequestValidator();
        validator.requireParameter(
                target == null || (target.length() <= MAX_TARGET_LENGTH && target.indexOf('\0') < 0),
                ViolationCode.TOO_LONG,
                "target",
                "'target' must have at most " + MAX_TARGET_LENGTH + " characters, without NUL.",
                Map.of("max", MAX_TARGET_LENGTH));
        validator.requireParameter(
                action == null || action.indexOf('\0') < 0,
                ViolationCode.INVALID_CHARACTERS,
                "action",
                "'action' must not contain NUL.");
        var filter = new AuditStore.AuditQuery(
                validator.parameterId(userId, "user_id", UserId::parse),
                Optional.ofNullable(action),
                Optional.ofNullable(target).map(String::strip),
                validator.parameterTime(since, "since"),
                validator.parameterTime(until, "until"),
                validator.parameterFlag(changesOnly, "changes_only"));
        validator.done();
        return filter;
    }
}
