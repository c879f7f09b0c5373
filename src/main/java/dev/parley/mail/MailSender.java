package dev.parley.mail;

import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends the mails of the outbox: new mails of this node immediately, retries and mails of dead nodes every few seconds.
 *
 * <p><b>Never twice.</b> A mail is retried only after a failure in which the server certainly did not accept it.
 * Between the end of the mail and the server's response the outcome is unknown; a mail whose connection or node is lost
 * there becomes UNCERTAIN and is not sent again, so one change is never announced twice.
 */
@Singleton
public final class MailSender {
    /** The delays after the first failed attempt, the second, and so on; after the last one the mail is FAILED. */
    static final List<Duration> RETRY_DELAYS = List.of(
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(4),
            Duration.ofHours(8),
            Duration.ofHours(12),
            Duration.ofHours(24));

    private static final Logger LOG = Logger.getLogger(MailSender.class);
    private static final int MAX_CONNECTIONS = 4;
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration MIN_SERVER_BACKOFF = Duration.ofSeconds(2);
    private static final Duration MAX_SERVER_BACKOFF = Duration.ofMinutes(1);
    private static final int MAX_RECORD_ATTEMPTS = 60;

    private final MailOutbox outbox;
    private final MailQueue queue;
    private final Clock clock;
    private final Optional<SmtpClient> smtp;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);
    private volatile boolean stopped;
    private @Nullable Thread thread;
    private Duration serverBackoff = Duration.ZERO;
    private Instant backoffUntil = Instant.MIN;

    @Inject
    public MailSender(MailOutbox outbox, MailQueue queue, Clock clock, Settings.Mail settings) {
        this(outbox, queue, clock, settings.smtp().map(SmtpClient::new));
    }

    MailSender(MailOutbox outbox, MailQueue queue, Clock clock, Optional<SmtpClient> smtp) {
        this.outbox = outbox;
        this.queue = queue;
        this.clock = clock;
        this.smtp = smtp;
    }

    @Produces
    @Singleton
    MaintenanceJob retentionJob() {
        return new MaintenanceJob("delete old e-mails", Duration.ofHours(1), queue::deleteOld);
    }

    void start(@Observes @Priority(5_000) StartupEvent event) {
        smtp.ifPresent(this::start);
    }

    void start(SmtpClient server) {
        thread = Thread.ofVirtual().name("mail").start(() -> run(server));
    }

    /** Waits briefly for mails being sent; others are sent by another node or after the next start. */
    void stop(@Observes @Priority(60) ShutdownEvent event) {
        stop();
    }

    void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
            try {
                var _ = connections.tryAcquire(MAX_CONNECTIONS, 5, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(SmtpClient server) {
        boolean queuedHeld = false;
        while (!stopped) {
            try {
                if (!queuedHeld) {
                    int held = queue.queueHeld();
                    queuedHeld = true;
                    if (held > 0) {
                        LOG.infof("Sending %d e-mail(s) that were held without an SMTP server", held);
                    }
                }
                Duration backoff = remainingBackoff();
                if (backoff.isPositive()) {
                    Thread.sleep(backoff);
                }
                if (connections.tryAcquire()) {
                    Thread.ofVirtual().name("mail-connection").start(() -> work(server));
                }
                outbox.await(POLL_INTERVAL);
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException e) {
                LOG.warnf("E-mails are delayed: %s", e.getMessage());
            }
        }
    }

    /** Sends on one connection while mails are due; further workers help if there are more. */
    private void work(SmtpClient server) {
        try (SmtpClient.SmtpSession session = server.newSession()) {
            while (!stopped && !remainingBackoff().isPositive()) {
                Optional<OutgoingMail> mail = queue.claim();
                if (mail.isEmpty()) {
                    return;
                }
                outbox.wake();
                send(session, mail.get());
            }
        } catch (RuntimeException e) {
            LOG.logf(
                    e instanceof ApiProblem ? Logger.Level.WARN : Logger.Level.ERROR,
                    e instanceof ApiProblem ? null : e,
                    "E-mails are delayed: %s",
                    e.getMessage());
        } finally {
            connections.release();
        }
    }

    private void send(SmtpClient.SmtpSession session, OutgoingMail mail) {
        SendResult result = session.send(mail, () -> queue.handOver(mail));
        switch (result) {
            case SendResult.Sent _ -> {
                onServerAvailable();
                record(() -> queue.markSent(mail));
            }
            case SendResult.SendRejected rejected -> {
                onServerAvailable();
                LOG.warnf("E-mail %s was rejected: %s", mail.id(), rejected.response());
                record(() -> queue.markFailed(mail, rejected.response()));
            }
            case SendResult.Deferred deferred -> retry(mail, deferred.reason());
            case SendResult.Unreachable unreachable -> {
                retry(mail, unreachable.reason());
                onServerUnavailable(unreachable.reason());
            }
            case SendResult.Uncertain uncertain -> {
                LOG.warnf("E-mail %s may have been sent and is not sent again: %s", mail.id(), uncertain.reason());
                record(() -> queue.markUncertain(mail, uncertain.reason()));
            }
            case SendResult.LeaseLost _ -> LOG.infof("E-mail %s was claimed by another node", mail.id());
        }
    }

    private void retry(OutgoingMail mail, String reason) {
        if (mail.attempt() > RETRY_DELAYS.size()) {
            LOG.warnf("E-mail %s failed after its last attempt: %s", mail.id(), reason);
            record(() -> queue.markFailed(mail, reason));
            return;
        }
        Duration delay = RETRY_DELAYS.get(mail.attempt() - 1);
        Duration jitter =
                delay.dividedBy(10).multipliedBy(ThreadLocalRandom.current().nextInt(3));
        LOG.debugf("E-mail %s is retried later: %s", mail.id(), reason);
        record(() -> queue.retryAt(mail, reason, clock.instant().plus(delay).plus(jitter)));
    }

    /**
     * Records the result of a mail, even if the database is unavailable for up to a minute. An unrecorded result would
     * make the mail UNCERTAIN.
     */
    private void record(Runnable update) {
        for (int attempt = 1; ; attempt++) {
            try {
                update.run();
                return;
            } catch (ApiProblem e) {
                if (attempt == MAX_RECORD_ATTEMPTS || stopped) {
                    throw e;
                }
                sleep(Duration.ofSeconds(1));
            }
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void onServerAvailable() {
        if (serverBackoff.isPositive()) {
            LOG.info("The SMTP server is available again");
        }
        serverBackoff = Duration.ZERO;
        backoffUntil = Instant.MIN;
    }

    /** An unavailable server is probed by one mail at intervals, not by all pending ones. */
    private synchronized void onServerUnavailable(String reason) {
        if (remainingBackoff().isPositive()) {
            return; // Other connections failed at the same time.
        }
        Duration doubled = serverBackoff.multipliedBy(2);
        if (!serverBackoff.isPositive()) {
            LOG.warnf("The SMTP server is unavailable; e-mails are delayed: %s", reason);
        }
        serverBackoff = doubled.compareTo(MIN_SERVER_BACKOFF) < 0
                ? MIN_SERVER_BACKOFF
                : doubled.compareTo(MAX_SERVER_BACKOFF) > 0 ? MAX_SERVER_BACKOFF : doubled;
        backoffUntil = Instant.now().plus(serverBackoff);
    }

    private synchronized Duration remainingBackoff() {
        return backoffUntil.equals(Instant.MIN) ? Duration.ZERO : Duration.between(Instant.now(), backoffUntil);
    }
}
