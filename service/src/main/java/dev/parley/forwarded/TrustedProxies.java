package dev.parley.forwarded;

import dev.parley.egress.core.CidrRange;
import dev.parley.forwarded.core.ProxyChain;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Determines a request's client address and protocol. {@code X-Forwarded-For}, {@code X-Forwarded-Proto} and
 * {@code Forwarded} are used only from proxies of PARLEY_TRUSTED_PROXIES and otherwise ignored.
 */
@Singleton
public final class TrustedProxies {
    private static final Pattern PROTO = Pattern.compile("(?i)(?:^|[;,\\s])proto=\"?([a-z]+)");

    private final ProxyChain chain;

    public TrustedProxies(Settings.Listener settings) {
        this.chain = parse(settings.trustedProxies());
    }

    /** @throws SettingsException with a sentence that names the invalid entry */
    public static ProxyChain parse(String setting) {
        List<CidrRange> ranges = new ArrayList<>();
        for (String part : setting.split(",", -1)) {
            if (!part.isBlank()) {
                ranges.add(CidrRange.parse(part.strip())
                        .orElseThrow(() -> new SettingsException(
                                Setting.PARLEY_TRUSTED_PROXIES,
                                "must be a list of addresses and CIDR ranges such as '10.0.0.7, 192.168.0.0/16', not '"
                                        + part.strip() + "'.")));
            }
        }
        return new ProxyChain(ranges);
    }

    /** The client's address, an IPv6 one in its short form (RFC 5952); empty if the connection is already closed. */
    public String address(HttpServerRequest request) {
        return peer(request)
                .map(peer -> chain.client(peer, all(request, "X-Forwarded-For"), all(request, "Forwarded")))
                .map(NetUtil::toAddressString)
                .orElse("");
    }

    /** Whether the client uses TLS, to this service or to a trusted proxy. */
    public boolean isTls(HttpServerRequest request) {
        if (peer(request).filter(chain::trusts).isEmpty()) {
            return false;
        }
        List<String> said = new ArrayList<>(all(request, "X-Forwarded-Proto"));
        all(request, "Forwarded")
                .forEach(header -> PROTO.matcher(header).results().forEach(one -> said.add(one.group(1))));
        return !said.isEmpty() && said.stream().allMatch(TrustedProxies::isHttps);
    }

    private static boolean isHttps(String protos) {
        return List.of(protos.toLowerCase(Locale.ROOT).split(",", -1)).stream()
                .allMatch(proto -> proto.strip().equals("https"));
    }

    private static Optional<InetAddress> peer(HttpServerRequest request) {
        return Optional.ofNullable(request.remoteAddress())
                .map(remote -> remote.hostAddress())
                .map(address -> InetAddress.ofLiteral(address.replaceFirst("%.*", "")));
    }

    private static List<String> all(HttpServerRequest request, String name) {
        return request.headers().getAll(name);
    }
}
