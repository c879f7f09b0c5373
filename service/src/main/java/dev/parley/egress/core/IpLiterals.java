package dev.parley.egress.core;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * IP addresses in URLs and settings. Only the plain forms are accepted: four decimal numbers without leading zeros, and
 * IPv6 text without a zone. {@link #looksNumeric} detects the other spellings that resolvers accept ({@code
 * 2130706433}, {@code 0x7f.1}, {@code 127.1}, {@code 0177.0.0.1}), so that they are rejected: parsers rarely agree on
 * them.
 */
public final class IpLiterals {
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
    private static final Pattern NUMERIC_LABEL = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");

    private IpLiterals() {}

    /** The address that this text spells; empty for a name or an invalid address. Never resolves names. */
    public static Optional<InetAddress> parse(String text) {
        boolean plain = IPV4.matcher(text).matches()
                || (IPV6.matcher(text).matches() && text.length() <= 45 && !isMapped(text));
        if (!plain) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Whether a resolver might read this host as a number instead of a name: its last label is a number. */
    public static boolean looksNumeric(String host) {
        return NUMERIC_LABEL.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
    }

    /** The JDK silently converts {@code ::ffff:1.2.3.4} to an IPv4 address, so it has to be detected here. */
    private static boolean isMapped(String text) {
        try {
            return InetAddress.ofLiteral(text) instanceof Inet4Address;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
