package dev.parley.organization.passwordreset;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.passwordreset.PasswordResetStore.OpenPasswordReset;
import dev.parley.organization.session.RandomTokens;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Links that set a new password, valid once and for {@link #LIFETIME}. A user may have several, so that a request by
 * another person does not invalidate the link in the user's mailbox.
 */
@Singleton
public final class PasswordResetLinks {
    public static final Duration LIFETIME = Duration.ofHours(1);

    /** The page that uses the token. A fragment is sent to no server, so tokens are in no access log. */
    public static final String PAGE = "/reset-password#";

    private final PasswordResetStore store;
    private final HmacHasher hasher;
    private final Clock clock;

    /** A new link's token. Only its hash is stored. */
    @Schema(name = "PasswordResetLink")
    public record CreatedPasswordReset(
            @JsonProperty("reset_token")
            @Schema(description = "The link is `/reset-password#` with this token. Returned only here")
            String token,

            Instant expiresAt) {
        @Override
        public String toString() {
            return "CreatedPasswordReset[" + expiresAt + "]";
        }
    }

    public PasswordResetLinks(Database database, MasterKey masterKey, Clock clock) {
        this.store = database.statements(PasswordResetStore.class);
        this.hasher = masterKey.hasher("password reset");
        this.clock = clock;
    }

    /** @param organization the organization whose admin sees the link, if an admin creates it */
    public CreatedPasswordReset create(UserId user, Optional<OrganizationId> organization) {
        String token = RandomTokens.next();
        Instant expires = clock.instant().plus(LIFETIME);
        store.insert(hasher.hash(token), user, organization, expires);
        return new CreatedPasswordReset(token, expires);
    }

    /** The link with a token, unless it was used or has expired. */
    Optional<OpenPasswordReset> find(String token) {
        return store.find(hasher.hash(token), clock.instant());
    }
}
