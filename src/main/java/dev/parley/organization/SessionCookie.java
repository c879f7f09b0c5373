package dev.parley.organization;

import dev.parley.Settings;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.NewCookie;
import java.time.Duration;

/** The cookie of a session: scripts do not see it, and requests that other sites cause do not carry it. */
@Singleton
public final class SessionCookie {
    private final boolean secure;

    SessionCookie(Settings settings) {
        this.secure = settings.behindTls();
    }

    public NewCookie of(String token) {
        return cookie(token, Sessions.LONGEST);
    }

    /** Takes the cookie back. */
    NewCookie ended() {
        return cookie("", Duration.ZERO);
    }

    private NewCookie cookie(String token, Duration age) {
        return new NewCookie.Builder(SessionFilter.COOKIE)
                .value(token)
                .path("/")
                .maxAge((int) age.toSeconds())
                .httpOnly(true)
                .secure(secure)
                .sameSite(NewCookie.SameSite.STRICT)
                .build();
    }
}
