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
 * Sends the mails of the outbox: this node's own at once, and every few seconds retries and mails of dead nodes.
 *
 * <p><b>Never twice.</b> A mail is retried only after a failure in which the server certainly did not accept it.
 * Between the end of the mail and the server's response the outcome is unknown; a mail whose connection or node is lost
 * there becomes UNCERTAIN and is not sent again, so one change is never announced twice.
 */
@Singleton
public final class MailSender {
    /** The delays after the first failed attempt, the second, and so on; after the last one the mail is FAILED. */
    static final List<Duration> PAUSES = List.of(
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
    private static final int CONNECTIONS = 4;
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration SHORTEST_REST = Duration.ofSeconds(2);
    private static final Duration LONGEST_REST = Duration.ofMinutes(1);
    private static final int MARKS = 60;

    private final MailOutbox outbox;
    private final MailQueue queue;
    private final Clock clock;
    private final Optional<SmtpClient> mailer;
    private final Semaphore connections = new Semaphore(CONNECTIONS);
    private volatile boolean stopped;
    private @Nullable Thread thread;
    private Duration rest = Duration.ZERO;
    private Instant restsUntil = Instant.MIN;

    @Inject
    public MailSender(MailOutbox outbox, MailQueue queue, Clock clock, Settings.Mail settings) {
        this(outbox, queue, clock, settings.smtp().map(SmtpClient::new));
    }

    MailSender(MailOutbox outbox, MailQueue queue, Clock clock, Optional<SmtpClient> mailer) {
        this.outbox = outbox;
        this.queue = queue;
        this.clock = clock;
        this.mailer = mailer;
    }

    @Produces
    @Singleton
    MaintenanceJob forgetting() {
        return new MaintenanceJob("forget old mails", Duration.ofHours(1), queue::forgetOld);
    }

    void start(@Observes @Priority(5_000) StartupEvent event) {
        mailer.ifPresent(this::start);
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
                var _ = connections.tryAcquire(CONNECTIONS, 5, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(SmtpClient server) {
        boolean lookedForKept = false;
        while (!stopped) {
            try {
                if (!lookedForKept) {
                    int kept = queue.queueKept();
                    lookedForKept = true;
                    if (kept > 0) {
                        LOG.infof("%d e-mail(s) that were kept without an SMTP server are sent now", kept);
                    }
                }
                Duration resting = resting();
                if (resting.isPositive()) {
                    Thread.sleep(resting);
                }
                if (connections.tryAcquire()) {
                    Thread.ofVirtual().name("mail-connection").start(() -> work(server));
                }
                outbox.await(LOOK);
            } catch (InterruptedException _) {
                return;
            } catch (RuntimeException e) {
                LOG.warnf("Mails wait: %s", e.getMessage());
            }
        }
    }

    /** Sends on one connection while mails are due; further workers help if there are more. */
    private void work(SmtpClient server) {
        try (SmtpClient.SmtpSession line = server.line()) {
            while (!stopped && !resting().isPositive()) {
                Optional<OutgoingMail> mail = queue.claim();
                if (mail.isEmpty()) {
                    return;
                }
                outbox.wake();
                send(line, mail.get());
            }
        } catch (RuntimeException e) {
            LOG.logf(
                    e instanceof ApiProblem ? Logger.Level.WARN : Logger.Level.ERROR,
                    e instanceof ApiProblem ? null : e,
                    "Mails wait: %s",
                    e.getMessage());
        } finally {
            connections.release();
        }
    }

    private void send(SmtpClient.SmtpSession line, OutgoingMail mail) {
        SendResult result = line.send(mail, () -> queue.handOver(mail));
        switch (result) {
            case SendResult.Sent _ -> {
                reached();
                mark(() -> queue.sent(mail));
            }
            case SendResult.SendRejected refused -> {
                reached();
                LOG.warnf("Mail %s was refused: %s", mail.id(), refused.answer());
                mark(() -> queue.failed(mail, refused.answer()));
            }
            case SendResult.Later later -> later(mail, later.reason());
            case SendResult.Unreachable unreachable -> {
                later(mail, unreachable.reason());
                rest(unreachable.reason());
            }
            case SendResult.Uncertain uncertain -> {
                LOG.warnf("Mail %s may have gone; it is not sent again: %s", mail.id(), uncertain.reason());
                mark(() -> queue.uncertain(mail, uncertain.reason()));
            }
            case SendResult.UncertainDelivery _ -> LOG.infof("Mail %s is sent by another node", mail.id());
        }
    }

    private void later(OutgoingMail mail, String reason) {
        if (mail.attempt() > PAUSES.size()) {
            LOG.warnf("Mail %s is given up: %s", mail.id(), reason);
            mark(() -> queue.failed(mail, reason));
            return;
        }
        Duration pause = PAUSES.get(mail.attempt() - 1);
        Duration jitter =
                pause.dividedBy(10).multipliedBy(ThreadLocalRandom.current().nextInt(3));
        LOG.debugf("Mail %s waits: %s", mail.id(), reason);
        mark(() -> queue.later(mail, reason, clock.instant().plus(pause).plus(jitter)));
    }

    /**
     * Records the result of a mail, even if the database is unavailable for a minute: otherwise it would be uncertain.
     */
    private void mark(Runnable note) {
        for (int attempt = 1; ; attempt++) {
            try {
                note.run();
                return;
            } catch (ApiProblem e) {
                if (attempt == MARKS || stopped) {
                    throw e;
                }
                pause(Duration.ofSeconds(1));
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void reached() {
        if (rest.isPositive()) {
            LOG.info("The SMTP server answers again");
        }
        rest = Duration.ZERO;
        restsUntil = Instant.MIN;
    }

    /** An unavailable server is probed by one mail at intervals, not by all pending ones. */
    private synchronized void rest(String reason) {
        if (resting().isPositive()) {
            return; // Other connections failed at the same time.
        }
        Duration twice = rest.multipliedBy(2);
        if (!rest.isPositive()) {
            LOG.warnf("The SMTP server cannot be used, and mails wait: %s", reason);
        }
        rest = twice.compareTo(SHORTEST_REST) < 0
                ? SHORTEST_REST
                : twice.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : twice;
        restsUntil = Instant.now().plus(rest);
    }

    private synchronized Duration resting() {
        return restsUntil.equals(Instant.MIN) ? Duration.ZERO : Duration.between(Instant.now(), restsUntil);
    }
}
