package dev.parley.forwarded.core;

import dev.parley.egress.core.IpLiterals;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client of one proxy, as recorded by that proxy.
 *
 * @param address empty if it is not an address, such as {@code unknown} or an obfuscated name
 */
public record ProxyHop(Optional<InetAddress> address) {
    /** A single address; IPv4 and bracketed addresses may have a port. */
    private static final Pattern NODE = Pattern.compile("\\[([^]]*)](?::\\d+)?|([^:]*)(?::\\d+)?|(.*)");

    /** {@code name=value} of RFC 7239, whose value may be quoted; or a separator of elements. Begins where one ended. */
    private static final Pattern PAIR =
            Pattern.compile("\\G(?:\\s*+([A-Za-z]++)=(?:\"([^\"]*+)\"|([^\\s;,\"]*+))\\s*+|([;,]))");

    private static final String MAPPED = "::ffff:";

    /** Parses {@code X-Forwarded-For}, from the client to the last proxy. */
    public static List<ProxyHop> listed(List<String> headers) {
        List<ProxyHop> hops = new ArrayList<>();
        for (String header : headers) {
            for (String node : header.split(",", -1)) {
                hops.add(of(node.strip()));
            }
        }
        return hops;
    }

    /** Parses {@code Forwarded} in the same order. An invalid element has no address. */
    public static List<ProxyHop> elements(List<String> headers) {
        List<ProxyHop> hops = new ArrayList<>();
        for (String header : headers) {
            String node = "";
            Matcher pair = PAIR.matcher(header);
            int end = 0;
            while (pair.find()) {
                end = pair.end();
                if (",".equals(pair.group(4))) {
                    hops.add(of(node));
                    node = "";
                } else if ("for".equalsIgnoreCase(pair.group(1))) {
                    node = pair.group(2) == null ? pair.group(3) : pair.group(2);
                }
            }
            hops.add(of(end == header.length() ? node : ""));
        }
        return hops;
    }

    static ProxyHop of(String node) {
        Matcher parts = NODE.matcher(node);
        if (!parts.matches()) {
            return new ProxyHop(Optional.empty());
        }
        String text =
                parts.group(1) != null ? parts.group(1) : parts.group(2) != null ? parts.group(2) : parts.group(3);
        boolean mapped = text.regionMatches(true, 0, MAPPED, 0, MAPPED.length()) && text.indexOf('.') > 0;
        return new ProxyHop(IpLiterals.parse(mapped ? text.substring(MAPPED.length()) : text));
    }
}
