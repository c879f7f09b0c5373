package dev.parley.egress;

import dev.parley.egress.core.IpLiterals;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An absolute http(s) URL in the only form that the service connects to. Strict on purpose: the checked URL must be the
 * one connected to, so a URL that two parsers could read differently is rejected.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower-case ASCII name without a trailing dot, or an address; IPv6 without brackets
 * @param port the port to connect to, by default the scheme's
 * @param target path and query as sent, beginning with {@code /}
 */
public record EgressUrl(String scheme, String host, int port, String target) {
    /** In characters. */
    public static final int MAX_LENGTH = 2048;

    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /**
     * Parses a URL without resolving names.
     *
     * @throws EgressException INVALID_REQUEST with a sentence that says what is wrong
     */
    public static EgressUrl parse(String url) throws EgressException {
        if (url.length() > MAX_LENGTH) {
            throw invalid("The URL must not be longer than " + MAX_LENGTH + " characters.");
        }
        if (!url.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw invalid("The URL must contain only visible ASCII characters: percent-encode other characters, "
                    + "and write host names in their 'xn--' form.");
        }
        URI uri = syntax(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid("The URL must begin with http:// or https://.");
        }
        if (uri.getRawUserInfo() != null
                || (uri.getRawAuthority() != null && uri.getRawAuthority().contains("@"))) {
            throw invalid("The URL must not contain a user name or password.");
        }
        if (uri.getHost() == null) {
            throw invalid("The URL must name a valid host and port.");
        }
        if (uri.getRawFragment() != null) {
            throw invalid("The URL must not have a fragment ('#').");
        }
        if (uri.getRawPath().startsWith("//")) {
            throw invalid("The URL's path must not begin with two slashes.");
        }
        return new EgressUrl(scheme, host(uri.getHost()), port(uri, scheme), target(uri));
    }

    /** Scheme, host and port, in one spelling. */
    public String origin() {
        return scheme + "://" + host + ":" + port;
    }

    /** The address, if the host is one. */
    Optional<InetAddress> literal() {
        return IpLiterals.parse(host);
    }

    private static URI syntax(String url) throws EgressException {
        try {
            return new URI(url);
        } catch (URISyntaxException malformed) {
            throw invalid("The URL is malformed.");
        }
    }

    private static String host(String written) throws EgressException {
        if (written.startsWith("[")) {
            String literal = written.substring(1, written.length() - 1);
            if (IpLiterals.parse(literal).isEmpty()) {
                throw invalid("The URL's IPv6 address is not supported.");
            }
            return literal.toLowerCase(Locale.ROOT);
        }
        String host = written.toLowerCase(Locale.ROOT);
        if (host.endsWith(".")) {
            host = host.substring(0, host.length() - 1);
        }
        if (IpLiterals.parse(host).isPresent()) {
            return host;
        }
        if (IpLiterals.looksNumeric(host)) {
            throw invalid("The URL's host must be a name, or an address written as four decimal numbers.");
        }
        if (!isName(host)) {
            throw invalid("The URL's host is not a valid name.");
        }
        return host;
    }

    static boolean isName(String host) {
        if (host.isEmpty() || host.length() > 253) {
            return false;
        }
        for (String label : host.split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                return false;
            }
        }
        return true;
    }

    private static int port(URI uri, String scheme) throws EgressException {
        if (uri.getPort() == -1) {
            return scheme.equals("http") ? 80 : 443;
        }
        if (uri.getPort() < 1 || uri.getPort() > 65_535) {
            throw invalid("The URL's port must be from 1 to 65535.");
        }
        return uri.getPort();
    }

    private static String target(URI uri) {
        String path = uri.getRawPath();
        String target = path == null || path.isEmpty() ? "/" : path;
        return uri.getRawQuery() == null ? target : target + "?" + uri.getRawQuery();
    }

    private static EgressException invalid(String detail) {
        return new EgressException(EgressException.EgressFailureKind.INVALID_REQUEST, detail);
    }
}
