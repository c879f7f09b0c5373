package dev.parley.organization.session;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.id.UserId;
import dev.parley.settings.Settings;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.NewCookie;
import java.time.Duration;

/** The session cookie: not readable by scripts, and not sent with cross-site requests. */
@Singleton
public final class SessionCookie {
    private final boolean behindTls;
    private final TrustedProxies proxies;
    private final KnownDevices devices;

    SessionCookie(Settings.PublicUrl publicUrl, TrustedProxies proxies, KnownDevices devices) {
        this.devices = devices;
        this.behindTls = publicUrl.isTls();
        this.proxies = proxies;
    }

    /** The browser that sent the request. */
    public SessionClient client(RoutingContext request) {
        return SessionClient.of(request.request(), proxies);
    }

    /** The token of a signed-in request. */
    public static String token(RoutingContext request) {
        return request.request().getCookie(SessionFilter.COOKIE).getValue();
    }

    public NewCookie of(String token, HttpServerRequest request) {
        return cookie(SessionFilter.COOKIE, token, "/", Sessions.MAX_LIFETIME, NewCookie.SameSite.STRICT, request);
    }

    /** The session cookie, and that of the device. */
    public NewCookie[] of(SignedIn signedIn, HttpServerRequest request) {
        return new NewCookie[] {
            of(signedIn.token(), request), device(signedIn.user().id(), request)
        };
    }

    /** The cookie of a device in which the user has entered the current password. */
    public NewCookie device(UserId user, HttpServerRequest request) {
        Cookie previous = request.getCookie(KnownDevices.COOKIE);
        String device = devices.token(user, previous == null ? null : previous.getValue());
        return cookie(
                KnownDevices.COOKIE,
                device,
                "/dashboard/api",
                KnownDevices.LIFETIME,
                NewCookie.SameSite.STRICT,
                request);
    }

    /** Deletes the cookie. */
    public NewCookie ended(HttpServerRequest request) {
        return cookie(SessionFilter.COOKIE, "", "/", Duration.ZERO, NewCookie.SameSite.STRICT, request);
    }

    /** A cookie that scripts cannot read; secure if the settings or a trusted proxy say that the browser uses TLS. */
    public NewCookie cookie(
            String name,
            String token,
            String path,
            Duration age,
            NewCookie.SameSite sameSite,
            HttpServerRequest request) {
        return new NewCookie.Builder(name)
                .value(token)
                .path(path)
                .maxAge((int) age.toSeconds())
                .httpOnly(true)
                .secure(behindTls || proxies.isTls(request))
                .sameSite(sameSite)
                .build();
    }
}
