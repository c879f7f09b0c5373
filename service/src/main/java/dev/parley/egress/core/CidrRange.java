package dev.parley.egress.core;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;

/** A range of addresses, such as {@code 10.0.0.0/8} or {@code fc00::/7}. IPv4 and IPv6 ranges never match each other. */
public final class CidrRange {
    private final byte[] network;
    private final int prefix;

    private CidrRange(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /** Parses {@code address/prefix}, or a single address, which is a range of one. Empty if the text is neither. */
    public static Optional<CidrRange> parse(String text) {
        int slash = text.indexOf('/');
        Optional<InetAddress> address = IpLiterals.parse(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        byte[] bytes = address.get().getAddress();
        if (slash < 0) {
            return Optional.of(new CidrRange(bytes, bytes.length * 8));
        }
        String length = text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > bytes.length * 8) {
            return Optional.empty();
        }
        return Optional.of(new CidrRange(bytes, Integer.parseInt(length)));
    }

    static CidrRange of(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException(text));
    }

    public boolean contains(InetAddress address) {
        return contains(address.getAddress());
    }

    boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int wholeBytes = prefix / 8;
        if (!Arrays.equals(address, 0, wholeBytes, network, 0, wholeBytes)) {
            return false;
        }
        int rest = prefix % 8;
        return rest == 0 || ((address[wholeBytes] ^ network[wholeBytes]) & (0xFF << (8 - rest)) & 0xFF) == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CidrRange that && prefix == that.prefix && Arrays.equals(network, that.network);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(network) * 31 + prefix;
    }
}
