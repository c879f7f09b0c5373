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
 * itself must restart. With {@code --engine restate}, three servers of Restate run the instances, and one process after
 * the other is killed or suspended. Afterwards a ledger of all acknowledgements is reconciled with the stored data.
 */
public final class Chaos {
    /** The number of clients of each kind. */
    private record Clients(int chatters, int talkers, int triggerers, int people) {}

    private static final Clients CLIENTS = new Clients(6, 3, 4, 2);

    /** Restate needs several times the CPU, and a backlog at the end says nothing. */
    private static final Clients CLIENTS_ON_RESTATE = new Clients(1, 2, 2, 1);

    /** Some work ends within this time, also after the loss of a node. */
    private static final Duration PROGRESS = Duration.ofSeconds(30);

    /** The same on Restate. */
    private static final Duration PROGRESS_ON_RESTATE = Duration.ofSeconds(60);

    /** What a client started before the end of the faults is repeated until then. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

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
        if (!options.embedded() && options.upgradeFrom() == null) {
            isClean &= new AgentChaos(options, System.out).run().isEmpty();
        }
        if (options.databaseFaults() && !options.embedded() && !options.restate()) {
            isClean &= new Chaos(options.forEmbedded(), System.out).run().isClean();
        }
        System.exit(isClean ? 0 : 1);
    }

    Reconciliation run() throws InterruptedException, IOException, SQLException {
        out.printf(
                "chaos: %s, seed %d, %s, lease %d s%n",
                options.setup(),
                options.seed(),
                options.extent(),
                options.lease().toSeconds());
        try (WebhookReceiver receiver = new WebhookReceiver();
                ChaosModel model = new ChaosModel();
                Cluster cluster = Cluster.start(options, options.restate() ? model.settings() : Map.of())) {
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
                var calls = new ModelCallChecks(books, model, faults.resumed());
                calls.run();
                ledger.wrongAnswers.forEach(answer -> books.broken(Promise.WRONG_ANSWERS, answer));
                report(books, calls, faults, settled, receiver);
                if (books.isClean()) {
                    cluster.stopAndForget();
                } else {
                    faults.timeline().forEach(out::println);
                    out.println("The nodes' logs are in " + cluster.logs());
                }
                return books;
            }
        }
    }

    /** Runs clients and faults until the time is over and all nodes are back. */
    private void inject(Cluster cluster, ChaosTenant tenant, FaultInjector faults, WebhookReceiver receiver)
            throws InterruptedException {
        Clients clients = options.restate() ? CLIENTS_ON_RESTATE : CLIENTS;
        var traffic =
                new LoadGenerator(tenant, ledger, receiver.url(), faults::isOver, () -> faults.isOverFor(PATIENCE));
        var actors = new ArrayList<Callable<Boolean>>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < clients.chatters(); i++) {
                    String name = "chat" + i;
                    actors.add(actor(random -> traffic.chat(name, random), name));
                }
                for (int i = 0; i < clients.talkers(); i++) {
                    String name = "talk" + i;
                    actors.add(actor(random -> traffic.talk(name, random), name));
                }
                for (int i = 0; i < clients.triggerers(); i++) {
                    String name = "trigger" + i;
                    actors.add(actor(random -> traffic.trigger(name, random), name));
                }
                for (int i = 0; i < clients.people(); i++) {
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
        if (options.restate()) {
            actors.add(actor(faults::injectInTurn, "restate"));
            return;
        }
        if (options.upgradeFrom() != null) {
            actors.add(actor(faults::upgrade, "upgrade"));
            return;
        }
        for (ChaosNode node : cluster.nodes()) {
            actors.add(actor(random -> faults.inject(node, random), node.name()));
        }
        if (options.databaseFaults()) {
            actors.add(actor(faults::interruptDatabase, "database"));
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

    /** A client that got no response to its pause did not resume the instance. */
    private static void resumePaused(Reconciliation books, LoadGenerator traffic)
            throws SQLException, InterruptedException {
        traffic.resumeAll(
                books
                        .rows("SELECT " + Reconciliation.id("i.id") + " " + InstanceChecks.STUCK
                                + " AND i.status = 'PAUSED'")
                        .stream()
                        .map(List::getFirst)
                        .toList());
    }

    /**
     * Waits until no work is left, for as long as some ends: how fast it does depends on the machine. Returns the
     * duration in milliseconds.
     */
    private long settle(Cluster cluster, ChaosTenant tenant, WebhookReceiver receiver)
            throws InterruptedException, SQLException, IOException {
        long begin = System.nanoTime();
        long patience = (options.restate() ? PROGRESS_ON_RESTATE : PROGRESS).toNanos();
        try (Connection connection = cluster.database().connect()) {
            var books = new Reconciliation(connection);
            long fewest = Long.MAX_VALUE;
            long fewestWebhooks = Long.MAX_VALUE;
            long progressAt = begin;
            while (true) {
                long left = books.count(MessageChecks.WAITING)
                        + books.count("SELECT count(*) " + InstanceChecks.STUCK)
                        + books.count(InstanceChecks.UNREPORTED_ENDS);
                long webhooks = books.count(WebhookChecks.WAITING);
                long now = System.nanoTime();
                if (left < fewest || webhooks < fewestWebhooks) {
                    fewest = Math.min(left, fewest);
                    fewestWebhooks = Math.min(webhooks, fewestWebhooks);
                    progressAt = now;
                }
                if (left + webhooks == 0 || now - progressAt > patience) {
                    return Duration.ofNanos(now - begin).toMillis();
                }
                resumePaused(
                        books,
                        new LoadGenerator(
                                tenant, ledger, receiver.url(), () -> true, () -> System.nanoTime() - now > patience));
                ChaosClient.pause(200);
            }
        }
    }

    private void report(
            Reconciliation books, ModelCallChecks calls, FaultInjector faults, long settled, WebhookReceiver receiver)
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
        if (options.restate()) {
            line("completed tasks whose calls were checked", calls.tasks());
            line("tasks in flight that were executed again", calls.repeated());
        }
        line("webhooks sent", receiver.requests());
        line("webhooks stored", books.count("SELECT count(*) FROM webhook_delivery"));
        line("milliseconds to settle", settled);
        line("schema", books.count("SELECT max(version::integer) FROM flyway_schema_history"));
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
