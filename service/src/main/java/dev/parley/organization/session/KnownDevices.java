package dev.parley.organization.session;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.UserId;
import dev.parley.organization.user.UserStore;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes browsers in which a user has signed in before, by a signed cookie for this user and password. The cookie
 * does not sign in; it gives the browser its own share in {@link SignInThrottle}.
 */
@Singleton
final class KnownDevices {
    static final String COOKIE = "parley_device";
    static final Duration LIFETIME = Duration.ofDays(90);
    private static final Pattern TOKEN = Pattern.compile("(([A-Za-z0-9_-]{43})\\.([0-9]{1,12}))\\.([A-Za-z0-9_-]{43})");

    private final UserStore users;
    private final HmacHasher hasher;
    private final Clock clock;

    KnownDevices(Database database, MasterKey masterKey, Clock clock) {
        this.users = database.statements(UserStore.class);
        this.hasher = masterKey.hasher("device");
        this.clock = clock;
    }

    /**
     * A cookie value for a device of the user.
     *
     * @param previous the browser's cookie, whose id stays if it is valid
     */
    String token(UserId user, @Nullable String previous) {
        String device = find(previous, user).orElseGet(RandomTokens::next) + "."
                + clock.instant().plus(LIFETIME).getEpochSecond();
        return device + "." + signature(device, user);
    }

    /** The device's id, if the cookie was issued to this user with the current password and has not expired. */
    Optional<String> find(@Nullable String token, UserId user) {
        Matcher parts = TOKEN.matcher(token == null ? "" : token);
        boolean isValid = parts.matches()
                && Long.parseLong(parts.group(3)) > clock.instant().getEpochSecond()
                && RandomTokens.isEqual(signature(parts.group(1), user), parts.group(4));
        return isValid ? Optional.of(parts.group(2)) : Optional.empty();
    }

    /** Changes with the password. */
    private String signature(String device, UserId user) {
        String signed = device + " " + user.text() + " " + users.passwordHash(user);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hasher.hash(signed));
    }
}
