package dev.parley.mail;

import java.time.Duration;
import org.jboss.logging.Logger;

/** Delays all mails while the SMTP server is unavailable. After each delay one mail probes the server. */
final class ServerBackoff {
    private static final Logger LOG = Logger.getLogger(ServerBackoff.class);
    private static final Duration MIN_DELAY = Duration.ofSeconds(2);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    private Duration delay = Duration.ZERO;
    private long nextProbe;
    private boolean probing;

    /** Whether a mail may be sent now; during a backoff true permits one mail. */
    synchronized boolean mayRun() {
        if (delay.isZero()) {
            return true;
        }
        long now = System.nanoTime();
        if (now - nextProbe < 0) {
            return false;
        }
        probing = true;
        nextProbe = now + MAX_DELAY.toNanos(); // In case that no mail used the permission.
        return true;
    }

    synchronized void onAvailable() {
        if (!delay.isZero()) {
            LOG.info("The SMTP server is available again");
        }
        delay = Duration.ZERO;
        probing = false;
    }

    synchronized void onUnavailable(String reason) {
        if (delay.isZero()) {
            LOG.warnf("The SMTP server is unavailable; emails are delayed: %s", reason);
            delay = MIN_DELAY;
        } else if (probing) {
            Duration doubled = delay.multipliedBy(2);
            delay = doubled.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : doubled;
        } else {
            return; // Other connections failed at the same time.
        }
        probing = false;
        nextProbe = System.nanoTime() + delay.toNanos();
    }

    /** Called after each mail: the next one probes if this one did not reveal whether the server is available. */
    synchronized void onEnd() {
        if (probing) {
            probing = false;
            nextProbe = System.nanoTime();
        }
    }
}
