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
 * Where the service may connect to: to public addresses, and to what the operator opened. A
 * name is good only when every address that it resolves to is, since any of them may be connected to.
 */
public final class EgressRules {
    /** Asks for the addresses of a name; tests put their own in the place of the system's. */
    @FunctionalInterface
    public interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /** How long a name may take to resolve. */
    public static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Look-ups run on platform threads: they are native calls, which would hold the few carriers of the virtual
     * threads. When all are stuck in slow look-ups, further names count as unresolved, which is a transient fault.
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

    /** These rules with one more host opened, for an address that the operator set (such as the model's). */
    public EgressRules allowing(String host, int port) {
        return new EgressRules(allow.plus(host, port), resolver);
    }

    /**
     * What is wrong with a URL that the service is to call later, as a sentence; empty when nothing is. Judges the
     * text, and the address when one is written out; asks no resolver.
     */
    public Optional<String> check(String url) {
        try {
            checked(url);
            return Optional.empty();
        } catch (EgressException refused) {
            return Optional.of(refused.sentence());
        }
    }

    /**
     * As {@link #check}, and the name is resolved too. A name that does not resolve now passes, since every connection
     * is checked again; so it takes at most {@link #RESOLVE_TIMEOUT}.
     */
    public Optional<String> checkResolving(String url) throws InterruptedException {
        try {
            EgressUrl checked = checked(url);
            resolve(checked.host(), checked.port());
            return Optional.empty();
        } catch (EgressException refused) {
            return refused.kind() == EgressFailureKind.UNRESOLVED ? Optional.empty() : Optional.of(refused.sentence());
        }
    }

    /** The URL, when its text passes. */
    EgressUrl checked(String text) throws EgressException {
        EgressUrl url = EgressUrl.parse(text);
        Optional<InetAddress> literal = url.literal();
        if (literal.isPresent()) {
            judge(url.host(), url.port(), List.of(literal.get()));
        } else if (isLocalName(url.host()) && !opensLoopback(url)) {
            throw refused(url.host());
        }
        return url;
    }

    /** The addresses of a host, every one of them allowed. */
    List<InetAddress> resolve(String host, int port) throws EgressException, InterruptedException {
        Optional<InetAddress> literal = IpLiterals.parse(host);
        List<InetAddress> addresses = literal.isPresent() ? List.of(literal.get()) : lookUp(host);
        judge(host, port, addresses);
        return addresses;
    }

    private void judge(String host, int port, List<InetAddress> addresses) throws EgressException {
        for (InetAddress address : addresses) {
            if (!AddressRules.isPublic(address) && !allow.opens(host, port, address)) {
                throw refused(host);
            }
        }
    }

    private List<InetAddress> lookUp(String host) throws EgressException, InterruptedException {
        Future<List<InetAddress>> answer;
        try {
            answer = LOOKUPS.submit(() -> resolver.resolve(host));
        } catch (RejectedExecutionException allBusy) {
            throw unresolved(host, allBusy);
        }
        try {
            List<InetAddress> addresses = answer.get(RESOLVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (addresses.isEmpty()) {
                throw unresolved(host, new UnknownHostException());
            }
            return addresses;
        } catch (TimeoutException | ExecutionException failed) {
            throw unresolved(host, failed);
        } finally {
            answer.cancel(true);
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
