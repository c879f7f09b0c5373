package dev.parley.egress.core;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Decides which addresses are public unicast. All others are refused unless the operator allows them: a callback must
 * not reach the service's own machine or network.
 */
public final class AddressRules {
    private static final List<CidrRange> FORBIDDEN_V4 = ranges(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8", // loopback
            "169.254.0.0/16", // link-local, and the clouds' metadata services
            "172.16.0.0/12", // private
            "192.0.0.0/24", // IETF protocol assignments
            "192.0.2.0/24", // documentation
            "192.88.99.0/24", // 6to4 relays
            "192.168.0.0/16", // private
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, and broadcast

    private static final CidrRange GLOBAL_V6 = CidrRange.of("2000::/3");

    /**
     * Exclusions within {@link #GLOBAL_V6}. Nothing outside it is public: mapped v4, NAT64, discard, ULA, link-local,
     * multicast.
     */
    private static final List<CidrRange> FORBIDDEN_V6 = ranges(
            "2001::/23", // IETF protocol assignments: Teredo, ORCHID, benchmarks
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4, which embeds any IPv4 address
            "3fff::/20"); // documentation

    private AddressRules() {}

    public static boolean isPublic(InetAddress address) {
        return isPublic(address.getAddress());
    }

    /** @param address 4 or 16 bytes, in network order */
    static boolean isPublic(byte[] address) {
        if (address.length == 4) {
            return FORBIDDEN_V4.stream().noneMatch(range -> range.contains(address));
        }
        return GLOBAL_V6.contains(address) && FORBIDDEN_V6.stream().noneMatch(range -> range.contains(address));
    }

    private static List<CidrRange> ranges(String... ranges) {
        return Arrays.stream(ranges).map(CidrRange::of).toList();
    }
}
