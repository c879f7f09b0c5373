package dev.parley.organization.session;

import dev.parley.id.SessionId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A session of the signed-in user. */
@Schema(name = "UserSession")
public record UserSession(
        SessionId id,

        @Schema(description = "Whether it is the session of this request")
        boolean current,

        Instant createdAt,

        @Schema(description = "Time of its last request, to the minute")
        Instant lastSeenAt,

        @Schema(description = "IP address that signed in", examples = "192.0.2.7")
        String address,

        @Schema(description = "User-Agent header of the sign-in") @Nullable
        String userAgent) {}
