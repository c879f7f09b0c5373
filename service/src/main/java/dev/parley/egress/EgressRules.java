package dev.parley.egress;

import dev.parley.egress.EgressException.EgressFailureKind;
import dev.parley.egress.core.AddressRules;
import dev.parley.egress.core.IpLiterals;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Decides where the service may connect: to public addresses, and to destinations that the operator allows. A name is
 * allowed only if every address that it resolves to is, because any of them may be used.
 */
public final class EgressRules {
    /** Resolves a name; tests replace the system's resolver. */
    @FunctionalInterface
    public interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /** The time limit for resolving a name. */
    public static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Lookups run on platform threads, because they are native calls that would pin the few carriers of virtual
     * threads. If all are stuck in slow lookups, further names count as unresolved, which is a transient failure.
     */
    private static final ThreadPoolExecutor LOOKUPS = new ThreadPoolExecutor(
            0,
            64,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().name("egress-dns-", 0).daemon().factory());

    private final EgressAllow allow;
    private final Resolver resolver;

    public EgressRules(EgressAllow allow) {
        this(allow, host -> List.of(InetAddress.getAllByName(host)));
    }

    public EgressRules(EgressAllow allow, Resolver resolver) {
        this.allow = allow;
        this.resolver = resolver;
    }

    /** These rules with one more allowed host, for an address set by the operator (such as the model's). */
    public EgressRules allowing(String host, int port) {
        return new EgressRules(allow.plus(host, port), resolver);
    }

    /**
     * Why a URL for later calls is invalid, as a sentence; empty if it is valid. Checks the text, and the address if it
     * is a literal; does not resolve names.
     */
    public Optional<String> check(String url) {
        try {
            checked(url);
            return Optional.empty();
        } catch (EgressException refused) {
            return Optional.of(refused.detail());
        }
    }

    /**
     * Like {@link #check}, and also resolves the name. A name that does not resolve passes, because every connection is
     * checked again; so this takes at most {@link #RESOLVE_TIMEOUT}.
     */
    public Optional<String> checkResolving(String url) throws InterruptedException {
        try {
            EgressUrl checked = checked(url);
            resolve(checked.host(), checked.port());
            return Optional.empty();
        } catch (EgressException refused) {
            return refused.kind() == EgressFailureKind.UNRESOLVED ? Optional.empty() : Optional.of(refused.detail());
        }
    }

    /** The parsed URL, if its text is valid. */
    EgressUrl checked(String text) throws EgressException {
        EgressUrl url = EgressUrl.parse(text);
        Optional<InetAddress> literal = url.literal();
        if (literal.isPresent()) {
            requireAllowed(url.host(), url.port(), List.of(literal.get()));
        } else if (isLocalName(url.host()) && !opensLoopback(url)) {
            throw refused(url.host());
        }
        return url;
    }

    /** The addresses of a host, all of them allowed. */
    List<InetAddress> resolve(String host, int port) throws EgressException, InterruptedException {
        Optional<InetAddress> literal = IpLiterals.parse(host);
        List<InetAddress> addresses = literal.isPresent() ? List.of(literal.get()) : lookup(host);
        requireAllowed(host, port, addresses);
        return addresses;
    }

    private void requireAllowed(String host, int port, List<InetAddress> addresses) throws EgressException {
        for (InetAddress address : addresses) {
            if (!AddressRules.isPublic(address) && !allow.opens(host, port, address)) {
                throw refused(host);
            }
        }
    }

    private List<InetAddress> lookup(String host) throws EgressException, InterruptedException {
        Future<List<InetAddress>> pending;
        try {
            pending = LOOKUPS.submit(() -> resolver.resolve(host));
        } catch (RejectedExecutionException allLookupsBusy) {
            throw unresolved(host, allLookupsBusy);
        }
        try {
            List<InetAddress> addresses = pending.get(RESOLVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (addresses.isEmpty()) {
                throw unresolved(host, new UnknownHostException());
            }
            return addresses;
        } catch (TimeoutException | ExecutionException failed) {
            throw unresolved(host, failed);
        } finally {
            pending.cancel(true);
        }
    }

    private boolean opensLoopback(EgressUrl url) {
        return allow.opens(url.host(), url.port(), InetAddress.ofLiteral("127.0.0.1"))
                || allow.opens(url.host(), url.port(), InetAddress.ofLiteral("::1"));
    }

    private static boolean isLocalName(String host) {
        return host.equals("localhost") || host.endsWith(".localhost");
    }

    private static EgressException refused(String host) {
        return new EgressException(
                EgressFailureKind.REFUSED_ADDRESS,
                "The host '" + host + "' is not on the public internet, and the operator has not allowed it.");
    }

    private static EgressException unresolved(String host, Throwable cause) {
        return new EgressException(
                EgressFailureKind.UNRESOLVED, "The host '" + host + "' could not be resolved.", cause);
    }
}
