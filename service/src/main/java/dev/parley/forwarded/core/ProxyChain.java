package dev.parley.forwarded.core;

import dev.parley.egress.core.CidrRange;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** The trusted proxies: finds the client behind them. */
public record ProxyChain(List<CidrRange> trusted) {
    public ProxyChain {
        trusted = List.copyOf(trusted);
    }

    public boolean trusts(InetAddress peer) {
        return trusted.stream().anyMatch(range -> range.contains(peer));
    }

    /**
     * The last address in the chain that is not a trusted proxy, because it could have forged everything before it.
     * Returns the peer if it is not trusted, if the chain contains no address, or if the two kinds of headers disagree.
     */
    public InetAddress client(InetAddress peer, List<String> forwardedFor, List<String> forwarded) {
        if (!trusts(peer)) {
            return peer;
        }
        InetAddress listed = client(peer, ProxyHop.listed(forwardedFor));
        InetAddress element = client(peer, ProxyHop.elements(forwarded));
        if (forwarded.isEmpty()) {
            return listed;
        }
        return forwardedFor.isEmpty() || element.equals(listed) ? element : peer;
    }

    private InetAddress client(InetAddress peer, List<ProxyHop> hops) {
        InetAddress found = peer;
        for (ProxyHop hop : hops.reversed()) {
            Optional<InetAddress> address = hop.address();
            if (address.isEmpty()) {
                return found;
            }
            found = address.get();
            if (!trusts(found)) {
                return found;
            }
        }
        return found;
    }
}
