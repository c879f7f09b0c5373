package dev.parley.chaos;

import dev.parley.chaos.Reconciliation.Promise;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code ./parley chaos}: two nodes of the built service on one PostgreSQL, with clients on both, while nodes are
 * killed and suspended and PostgreSQL is killed. Then the same for one node with an embedded PostgreSQL, which the node
 * itself must restart. Afterwards a ledger of all acknowledgements is reconciled with the stored data.
 */
public final class Chaos {
    private static final int CHATTERS = 6;
    private static final int TALKERS = 3;
    private static final int TRIGGERERS = 4;
    private static final int PEOPLE = 2;

    /** An instance continues within 30 s of the loss of its node. */
    private static final Duration SETTLE = Duration.ofSeconds(30);

    private final ChaosOptions options;
    private final PrintStream out;
    private final Ledger ledger = new Ledger();

    Chaos(ChaosOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @SuppressWarnings("SystemOut") // A command's output.
    public static void main(String[] arguments) throws Exception {
        ChaosOptions options;
        try {
            options = ChaosOptions.parse(List.of(arguments));
        } catch (RuntimeException e) {
            System.err.println("parley: " + e.getMessage());
            System.exit(2);
            return;
        }
        boolean isClean = new Chaos(options, System.out).run().isClean();
        if (!options.embedded()) {
            isClean &= new AgentChaos(options, System.out).run().isEmpty();
        }
        if (options.databaseFaults() && !options.embedded()) {
            isClean &= new Chaos(options.forEmbedded(), System.out).run().isClean();
        }
        System.exit(isClean ? 0 : 1);
    }

    Reconciliation run() throws InterruptedException, IOException, SQLException {
        out.printf(
                "chaos: %s, seed %d, %d s of faults, lease %d s%n",
                options.embedded() ? "one node with an embedded PostgreSQL" : "two nodes on one PostgreSQL",
                options.seed(),
                options.length().toSeconds(),
                options.lease().toSeconds());
        try (WebhookReceiver receiver = new WebhookReceiver();
                Cluster cluster = Cluster.start(options)) {
            ChaosTenant tenant =
                    ChaosTenant.create(new ChaosClient(cluster.nodes(), new Random(options.seed()), Map.of()));
            var faults = new FaultInjector(cluster, options);
            inject(cluster, tenant, faults, receiver);
            long settled = settle(cluster, tenant, receiver);
            try (Connection connection = cluster.database().connect()) {
                var books = new Reconciliation(connection);
                new MessageChecks(books, ledger).run();
                new InstanceChecks(books, ledger).run();
                new WebhookChecks(books, ledger, receiver).run();
                ledger.wrongAnswers.forEach(answer -> books.broken(Promise.WRONG_ANSWERS, answer));
                report(books, faults, settled, receiver);
                if (books.isClean()) {
                    cluster.stopAndForget();
                } else {
                    out.println("The nodes' logs are in " + cluster.logs());
                }
                return books;
            }
        }
    }

    /** Runs clients and faults until the time is over and all nodes are back. */
    private void inject(Cluster cluster, ChaosTenant tenant, FaultInjector faults, WebhookReceiver receiver)
            throws InterruptedException {
        long patience = System.nanoTime() + options.length().plusSeconds(60).toNanos();
        var traffic = new LoadGenerator(
                tenant, ledger, receiver.url(), faults::isOver, () -> System.nanoTime() - patience > 0);
        var actors = new ArrayList<Callable<Boolean>>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < CHATTERS; i++) {
                    String name = "chat" + i;
                    actors.add(actor(random -> traffic.chat(name, random), name));
                }
                for (int i = 0; i < TALKERS; i++) {
                    String name = "talk" + i;
                    actors.add(actor(random -> traffic.talk(name, random), name));
                }
                for (int i = 0; i < TRIGGERERS; i++) {
                    String name = "trigger" + i;
                    actors.add(actor(random -> traffic.trigger(name, random), name));
                }
                for (int i = 0; i < PEOPLE; i++) {
                    actors.add(actor(traffic::answerTickets, "person" + i));
                }
                addFaults(actors, cluster, faults);
                var ends = new ExecutorCompletionService<Boolean>(threads);
                actors.forEach(ends::submit);
                for (int i = 0; i < actors.size(); i++) {
                    ends.take().get();
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a client or a fault ended early", e.getCause());
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private void addFaults(List<Callable<Boolean>> actors, Cluster cluster, FaultInjector faults) {
        if (options.embedded()) {
            actors.add(actor(faults::injectIntoEmbedded, "embedded"));
            return;
        }
        for (ChaosNode node : cluster.nodes()) {
            actors.add(actor(random -> faults.inject(node, random), node.name()));
        }
        if (options.databaseFaults()) {
            actors.add(actor(faults::tormentDatabase, "database"));
        }
    }

    /** An actor with its own random choices. */
    private interface Act {
        void perform(Random random) throws InterruptedException, IOException;
    }

    private Callable<Boolean> actor(Act act, String name) {
        var random = new Random(options.seed() * 31 + name.hashCode());
        return () -> {
            act.perform(random);
            return true;
        };
    }

    /**
     * Waits until no work is left; returns the duration in milliseconds. Messages and instances have {@link #SETTLE}.
     * Webhooks have longer as long as some are sent, because the receiver refuses some and each retry delays its queue.
     */
    private long settle(Cluster cluster, ChaosTenant tenant, WebhookReceiver receiver)
            throws InterruptedException, SQLException, IOException {
        long begin = System.nanoTime();
        long end = begin + SETTLE.toNanos();
        var traffic = new LoadGenerator(tenant, ledger, receiver.url(), () -> true, () -> System.nanoTime() - end > 0);
        try (Connection connection = cluster.database().connect()) {
            var books = new Reconciliation(connection);
            int sent = receiver.requests();
            long sentAt = begin;
            while (true) {
                long processing =
                        books.count(MessageChecks.WAITING) + books.count("SELECT count(*) " + InstanceChecks.STUCK);
                long now = System.nanoTime();
                if (receiver.requests() > sent) {
                    sent = receiver.requests();
                    sentAt = now;
                }
                boolean isLate = now - end > 0 && (processing > 0 || now - sentAt > SETTLE.toNanos());
                if (isLate || processing + books.count(WebhookChecks.WAITING) == 0) {
                    break;
                }
                // A client that got no response to its pause did not resume the instance.
                traffic.resumeAll(books
                        .rows("SELECT " + Reconciliation.id("i.id") + " " + InstanceChecks.STUCK
                                + " AND i.status = 'PAUSED'")
                        .stream()
                        .map(List::getFirst)
                        .toList());
                ChaosClient.pause(200);
            }
        }
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private void report(Reconciliation books, FaultInjector faults, long settled, WebhookReceiver receiver)
            throws SQLException {
        out.println();
        faults.counts().forEach((fault, count) -> line("faults: " + fault, count));
        line("requests without an answer, or 503", ledger.unanswered.get());
        line("messages acknowledged", ledger.messages.size());
        line("messages stored", books.count("SELECT count(*) FROM message"));
        line("instances acknowledged", ledger.instances.size());
        line("instances stored", books.count("SELECT count(*) FROM workflow_instance"));
        line("changes of instances", books.count("SELECT count(*) FROM workflow_instance_change"));
        line("cancellations acknowledged", ledger.cancelled.size());
        line("tickets completed", ledger.completed.size());
        line("webhooks sent", receiver.requests());
        line("webhooks stored", books.count("SELECT count(*) FROM webhook_delivery"));
        line("milliseconds to settle", settled);
        out.println();
        books.violations().forEach((promise, violations) -> {
            line(promise.text(), violations.size());
            violations.stream().limit(10).forEach(violation -> out.println("    " + violation));
        });
        out.println();
        out.println(books.isClean() ? "chaos: all promises hold" : "chaos: BROKEN, with seed " + options.seed());
    }

    private void line(String what, long number) {
        out.printf("%-50s %8d%n", what, number);
    }
}
