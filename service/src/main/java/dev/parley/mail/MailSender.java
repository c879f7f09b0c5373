package dev.parley.mail;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.json.StrictJson;
import dev.parley.id.NodeId;
import dev.parley.mail.MailOutbox.EmailBody;
import dev.parley.metrics.Metric;
import dev.parley.node.MaintenanceJob;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.work.KeyWorker;
import dev.parley.work.LeasedWork;
import dev.parley.work.NextRun;
import dev.parley.work.OwnedKey;
import dev.parley.work.WorkGroup;
import dev.parley.work.WorkLimits;
import dev.parley.work.WorkSettings;
import dev.parley.work.WorkStore;
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
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;

/**
 * Sends the mails of the outbox: new mails of this node after their commit, and retries and mails of dead nodes as a
 * sweep finds them.
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
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);
    private static final Duration RECORD_RETRY_DELAY = Duration.ofSeconds(1);
    private static final int MAX_RECORD_ATTEMPTS = 60;

    /** New mails beyond the keys in memory are found by a sweep. */
    private static final WorkLimits LIMITS = new WorkLimits(
            MAX_CONNECTIONS, MAX_CONNECTIONS, MAX_CONNECTIONS, MAX_CONNECTIONS, MailStore.MAX_DUE, MailStore.MAX_DUE);

    private static final Duration RETENTION = Duration.ofDays(30);

    /** Mails held longer than this are outdated and never sent. */
    static final Duration MAX_HELD_AGE = Duration.ofDays(3);

    private final MailStore store;
    private final Clock clock;
    private final AeadCipher cipher;
    private final List<String> toolDomains;
    private final Optional<SmtpClient> smtp;
    private final ServerBackoff backoff = new ServerBackoff();
    private final LeasedWork<MailKey, KeyWorker> work;

    @Inject
    public MailSender(NodeLease node, Database database, Clock clock, MasterKey masterKey, Settings.Mail settings) {
        this(node, database, clock, masterKey, settings, SWEEP_INTERVAL);
    }

    MailSender(
            NodeLease node,
            Database database,
            Clock clock,
            MasterKey masterKey,
            Settings.Mail settings,
            Duration sweepEvery) {
        this.store = database.statements(MailStore.class);
        this.clock = clock;
        this.cipher = masterKey.cipher("mail");
        this.toolDomains = settings.toolDomains();
        this.smtp = settings.smtp().map(SmtpClient::new);
        this.work = new LeasedWork<>(
                new WorkSettings("mail", LIMITS, sweepEvery, Optional.empty(), backoff::mayRun),
                node,
                new DueMails(),
                (mail, owner) -> () -> send(mail, owner));
    }

    @Produces
    @Singleton
    MaintenanceJob retentionJob() {
        return new MaintenanceJob("delete old emails", Duration.ofHours(1), this::deleteOld);
    }

    /** Deletes mails that ended or were held more than 30 days ago. */
    void deleteOld() {
        store.deleteOld(clock.instant().minus(RETENTION));
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        work.start();
    }

    /** Waits briefly for mails being sent; others are sent by another node or after the next start. */
    void stop(@Observes @Priority(60) ShutdownEvent event) {
        stop();
    }

    void start() {
        work.start();
    }

    void stop() {
        work.stop();
        smtp.ifPresent(SmtpClient::closeIdle);
    }

    /** Whether an SMTP server is configured. */
    boolean sends() {
        return smtp.isPresent();
    }

    Optional<String> from() {
        return smtp.map(SmtpClient::from);
    }

    /** Domains to which workflows may currently send. */
    List<String> toolDomains() {
        return toolDomains;
    }

    /** Sends a mail that this node has added. */
    void wake(MailKey mail) {
        work.wake(mail, WorkGroup.of(mail.organization()));
    }

    /** A node without an SMTP server adopts mails, too, but leaves them to others. */
    private final class DueMails implements WorkStore<MailKey> {
        private boolean queuedHeld;

        @Override
        public List<OwnedKey<MailKey>> due(NodeId node) {
            if (smtp.isEmpty()) {
                return List.of();
            }
            smtp.get().closeIdle();
            if (!queuedHeld) {
                Instant now = clock.instant();
                int held = store.queueHeld(now, now.minus(MAX_HELD_AGE), toolDomains);
                queuedHeld = true;
                if (held > 0) {
                    LOG.infof("Sending %d email(s) that were held without an SMTP server", held);
                }
            }
            Instant now = clock.instant();
            store.claimUnowned(node, now);
            return store.due(node, now).stream()
                    .map(key -> new OwnedKey<>(key, WorkGroup.of(key.organization()), 0))
                    .toList();
        }

        @Override
        public void adopt(Handle handle, NodeId from, NodeId to) {
            store.disown(from);
        }
    }

    private NextRun send(MailKey key, NodeId owner) throws InterruptedException {
        try {
            Optional<OutgoingMail> mail = begin(key, owner);
            return mail.isPresent() ? send(mail.get()) : NextRun.NEVER;
        } finally {
            backoff.onEnd();
        }
    }

    /** Empty unless an attempt was begun. */
    Optional<OutgoingMail> begin(MailKey key, NodeId owner) {
        Optional<MailStore.BegunMail> found = store.begin(key, owner, clock.instant());
        found.filter(mail -> mail.state() == MailState.UNCERTAIN).ifPresent(_ -> count("uncertain"));
        return found.filter(begun -> begun.state() == MailState.SENDING).map(begun -> {
            var body = begun.bodyEncrypted() == null
                    ? new EmailBody(begun.bodyText() == null ? "" : begun.bodyText(), begun.bodyHtml())
                    : StrictJson.readTrusted(
                            cipher.decrypt(begun.bodyEncrypted(), key.id().text()), EmailBody.class);
            return new OutgoingMail(
                    key,
                    owner,
                    begun.attempts(),
                    begun.recipient(),
                    begun.subject(),
                    body.text(),
                    body.html(),
                    begun.createdAt());
        });
    }

    private NextRun send(OutgoingMail mail) throws InterruptedException {
        SendResult result = smtp.orElseThrow().send(mail, () -> store.handOver(mail.key(), mail.owner()));
        var _ = Thread.interrupted(); // At a stop, the connection is closed, and the result is recorded nevertheless.
        switch (result) {
            case SendResult.Sent _ -> {
                backoff.onAvailable();
                count("sent");
                record(() -> store.markSent(mail.key(), mail.owner(), clock.instant()));
            }
            case SendResult.SendRejected rejected -> {
                backoff.onAvailable();
                LOG.warnf("Email %s was rejected: %s", mail.key().id(), rejected.response());
                count("failed");
                record(() -> store.markUnsent(mail.key(), mail.owner(), MailState.FAILED, rejected.response()));
            }
            case SendResult.Deferred deferred -> retry(mail, deferred.reason());
            case SendResult.Unreachable unreachable -> {
                backoff.onUnavailable(unreachable.reason());
                retry(mail, unreachable.reason());
            }
            case SendResult.Uncertain uncertain -> {
                LOG.warnf(
                        "Email %s may have been sent and is not sent again: %s",
                        mail.key().id(), uncertain.reason());
                count("uncertain");
                record(() -> store.markUnsent(mail.key(), mail.owner(), MailState.UNCERTAIN, uncertain.reason()));
            }
            case SendResult.LeaseLost _ -> {
                return NextRun.FENCED;
            }
        }
        return NextRun.NEVER;
    }

    private void retry(OutgoingMail mail, String reason) throws InterruptedException {
        if (mail.attempt() > RETRY_DELAYS.size()) {
            LOG.warnf("Email %s failed after its last attempt: %s", mail.key().id(), reason);
            count("failed");
            record(() -> store.markUnsent(mail.key(), mail.owner(), MailState.FAILED, reason));
            return;
        }
        count("retrying");
        Duration delay = RETRY_DELAYS.get(mail.attempt() - 1);
        Duration jitter =
                delay.dividedBy(10).multipliedBy(ThreadLocalRandom.current().nextInt(3));
        LOG.debugf("Email %s is retried later: %s", mail.key().id(), reason);
        record(() -> store.retryAt(
                mail.key(), mail.owner(), reason, clock.instant().plus(delay).plus(jitter)));
    }

    private static void count(String outcome) {
        Metric.MAILS.counter(outcome).increment();
    }

    /**
     * Records the result of a mail, even if the database is unavailable for up to a minute. An unrecorded result would
     * make the mail UNCERTAIN.
     */
    private void record(Runnable update) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                update.run();
                return;
            } catch (ApiProblem e) {
                if (attempt == MAX_RECORD_ATTEMPTS || work.isStopping()) {
                    throw e;
                }
                Thread.sleep(RECORD_RETRY_DELAY);
            }
        }
    }
}
