package dev.parley.media;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.settings.Settings;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The service's address in URLs for a client: the operator's setting, else the host of the client's own request. Only
 * that client gets the response, so a forged host misleads no other client; an invalid host is not echoed.
 */
@Singleton
public final class PublicAddress {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");

    private final Settings.PublicUrl publicUrl;
    private final TrustedProxies proxies;

    PublicAddress(Settings.PublicUrl publicUrl, TrustedProxies proxies) {
        this.publicUrl = publicUrl;
        this.proxies = proxies;
    }

    public String of(HttpServerRequest request) {
        String host = request.getHeader("Host");
        return publicUrl.isConfigured() || !isHost(host)
                ? publicUrl.url()
                : (proxies.isTls(request) ? "https://" : "http://") + host;
    }

    private static boolean isHost(@Nullable String host) {
        return host != null && HOST.matcher(host).matches();
    }
}
