package dev.parley.media;

import dev.parley.Settings;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of the service in URLs for a client: the operator's setting, else the host that the client's own request
 * names. Only that client gets the answer, so a forged host leads nobody else astray; what is no host at all is not
 * repeated.
 */
public final class PublicAddress {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");

    private PublicAddress() {}

    public static String of(Settings settings, HttpServerRequest request) {
        String host = request.getHeader("Host");
        return settings.publicUrlGiven() || !isHost(host)
                ? settings.publicUrl()
                : (request.isSSL() ? "https://" : "http://") + host;
    }

    private static boolean isHost(@Nullable String host) {
        return host != null && HOST.matcher(host).matches();
    }
}
