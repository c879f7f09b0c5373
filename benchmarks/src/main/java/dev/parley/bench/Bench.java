package dev.parley.bench;

import dev.parley.bench.Round.Measured;
import dev.parley.bench.Round.Post;
import dev.parley.bench.Round.Webhooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Measures the hot paths of the service beside what the machine could do at all, all in one run on one PostgreSQL: the
 * ratios hold on any machine, the figures only on this one. Run by {@code ./parley bench} from the repository's root,
 * with {@code --quick} in less time. {@code --messages}, {@code --triggers}, {@code --sandbox}, {@code --big-work}, {@code --slow-readers},
 * {@code --streams} and {@code --agents} measure one thing and write no results; {@code --peers}, {@code --engine}, {@code --nodes} and
 * {@code --growth} compare systems in alternating rounds ({@link Comparison}).
 */
public final class Bench {
    private static final int STARTS = 3;

    private final Path directory;
    private final boolean quick;
    private final Service service;
    private final Api api;
    private final DataSource database;
    private final Set<Long> driver;
    private final Receiver receiver = new Receiver();
    private final Tenant tenant;
    private final PgBench pgbench;
    private final Optional<String> oneTask;
    private final Optional<String> tenTasks;
    private final String bareUrl;

    private Bench(Path directory, boolean quick) throws IOException {
        this.directory = directory;
        this.quick = quick;
        say("starting the service ...");
        this.service = Service.start(directory);
        this.database = service.dataSource(1);
        this.driver = Messages.backends(database);
        this.api = new Api(service.url());
        this.tenant = Tenant.create(api, database, receiver.url());
        this.pgbench = new PgBench(service, database, directory);
        this.oneTask = tenant.workflow(api, "one-task.json");
        this.tenTasks = tenant.workflow(api, "ten-tasks.json");
        this.bareUrl = startBareHandler();
        compareAnswers(api);
    }

    public static void main(String[] args) throws IOException {
        try {
            BenchOptions options = BenchOptions.parse(args);
            Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("benchmarks/target")), "run")
                    .toAbsolutePath();
            Children.endWith(directory);
            switch (options.only().orElse("")) {
                case "--peers" -> PeerComparison.run(directory, options.quick());
                case "--nodes" -> NodeComparison.run(directory, options.value(), options.quick());
                case "--engine" -> EngineComparison.run(directory, options.value(), options.quick());
                case "--growth" -> GrowthComparison.run(directory, options.value(), options.quick());
                case "--sandbox" -> new Bench(directory, options.quick()).runSandbox();
                case "--big-work" -> new Bench(directory, options.quick()).runBigWork();
                case "--slow-readers" -> new Bench(directory, options.quick()).runSlowReaders();
                case "--streams" -> new Bench(directory, options.quick()).runStreams();
                case "--agents" -> new Bench(directory, options.quick()).runAgents();
                case "--messages" -> new Bench(directory, options.quick()).runMessages();
                case "--triggers" -> new Bench(directory, options.quick()).runTriggers();
                default -> new Bench(directory, options.quick()).run();
            }
        } catch (BenchException e) {
            System.err.println("parley: " + e.getMessage());
            System.exit(1);
        } catch (RuntimeException | Error e) {
            // The threads of the webhooks' receiver would let it live on.
            System.err.println("parley: the bench failed: " + e);
            System.exit(1);
        }
        System.exit(0);
    }

    /** Only what others feel of hostile code; tells it, and writes no file. */
    private void runSandbox() {
        Hostile hostile = Hostile.measure(service, tenant);
        say("%s: %.2f ×".formatted(hostile.text(), hostile.ratio()));
        service.stop();
    }

    /** Only what others feel of one organization's work at its limits; prints it, and writes no file. */
    private void runBigWork() {
        BigWork.measure(service, tenant)
                .forEach((work, latency) ->
                        say("%s: %.2f ×".formatted(latency.text("GET", "POST", work), latency.ratio())));
        service.stop();
    }

    /** Only what slow readers cost others; prints it, and writes no file. */
    private void runSlowReaders() {
        FileTransfer files = FileTransfer.measure(api, service.url(), tenant, directory);
        say("download %,.0f MB/s, copy %,.0f MB/s".formatted(files.download(), files.copy()));
        SlowReaders readers = SlowReaders.measure(service, tenant, files.path());
        say("%s: %.2f ×".formatted(readers.text(), readers.ratio()));
        service.stop();
    }

    /** Only what streamed replies cost others; prints it, and writes no file. */
    private void runStreams() {
        StreamedReplies streams = StreamedReplies.measure(service, tenant);
        say("%s: %.2f ×".formatted(streams.text(), streams.ratio()));
        service.stop();
    }

    /** Only what the journal of agents costs; prints it, and writes no file. */
    private void runAgents() {
        say(agents().text());
        service.stop();
    }

    private Agents agents() {
        String workflow = tenant.workflow(api, "supervised-agent.json")
                .orElseThrow(() -> new BenchException("The service runs no workflows."));
        return Agents.measure(api, database, workflow);
    }

    private void run() throws IOException {
        warmUp();
        List<Round> rounds = new ArrayList<>();
        for (int i = 1; i <= (quick ? 1 : 3); i++) {
            rounds.add(round());
            say("round " + i + " done");
        }
        long memoryNow = Usage.memory(service.pid(), "VmRSS");
        long memoryPeak = Usage.memory(service.pid(), "VmHWM");
        String databaseVersion = Machine.databaseVersion(database);
        Hostile hostile = Hostile.measure(service, tenant);
        say(hostile.text());
        SlowReaders slow =
                SlowReaders.measure(service, tenant, rounds.getLast().files().path());
        say(slow.text());
        Agents agents = agents();
        say(agents.text());
        service.stop();
        String report = new Report(rounds, memoryNow, memoryPeak, starts(), readers(), hostile, slow, agents)
                .text(new Machine(databaseVersion, quick));
        ResultsFile.replace(report);
    }

    /** Only the sending of messages, with and without webhooks; tells it, and writes no file. */
    private void runMessages() {
        say("warming up ...");
        post().run(quick ? 10 : 20);
        drain();
        var _ = measureWebhooks(quick ? 10 : 20);
        int seconds = quick ? 5 : 8;
        for (int i = 1; i <= 3; i++) {
            double reference = pgbench.rate(quick ? 2 : seconds);
            Post post = sayPost(seconds);
            Webhooks webhooks = sayWebhooks(seconds);
            say("pgbench %,.0f/s; POST %.3f × of it; with a callback %.3f × of that"
                    .formatted(
                            reference,
                            post.measured().load().rate() / reference,
                            webhooks.post().rate() / post.measured().load().rate()));
        }
        service.stop();
    }

    /** Only the triggers; tells them, and writes no file. */
    private void runTriggers() {
        say("warming up ...");
        int seconds = quick ? 5 : 8;
        oneTask.ifPresent(id -> trigger(id).run(2 * seconds));
        tenTasks.ifPresent(id -> trigger(id).run(2 * seconds));
        for (int i = 1; i <= 3; i++) {
            double reference = pgbench.rate(seconds);
            oneTask.ifPresent(id -> sayTrigger("one task", id, seconds, reference));
            tenTasks.ifPresent(id -> sayTrigger("ten tasks", id, seconds, reference));
        }
        service.stop();
    }

    private void sayTrigger(String what, String workflow, int seconds, double reference) {
        Measured measured = measure(trigger(workflow), seconds);
        say("%s: %,.0f/s, %.4f × pgbench, p50 %.1f ms, p99 %.1f ms; CPU s / 1,000: service %.3f, database %.3f"
                .formatted(
                        what,
                        measured.load().rate(),
                        measured.load().rate() / reference,
                        measured.load().p50(),
                        measured.load().p99(),
                        measured.serviceCpu(),
                        measured.databaseCpu()));
    }

    /** The compiler of the JVM needs some ten thousand requests before it has made what it can of the code. */
    private void warmUp() {
        say("warming up ...");
        post().run(quick ? 10 : 20);
        drain();
        var _ = measureWebhooks(quick ? 5 : 10);
        get(service.url()).run(quick ? 4 : 8);
        get(bareUrl).run(quick ? 4 : 8);
        oneTask.ifPresent(id -> trigger(id).run(quick ? 4 : 8));
        tenTasks.ifPresent(id -> trigger(id).run(quick ? 4 : 8));
        pgbench.rate(2);
    }

    private Round round() {
        int seconds = quick ? 5 : 8;
        double reference = pgbench.rate(seconds);
        say("pgbench: %,.0f inserts/s".formatted(reference));
        Post post = sayPost(seconds);
        Webhooks webhooks = sayWebhooks(seconds);
        Measured get = measure(get(service.url()), seconds);
        Load.Result bare = get(bareUrl).run(seconds);
        say("GET: %,.0f/s, bare handler %,.0f/s".formatted(get.load().rate(), bare.rate()));
        Optional<Measured> one = oneTask.map(id -> measure(trigger(id), seconds));
        Optional<Measured> ten = tenTasks.map(id -> measure(trigger(id), seconds));
        one.ifPresent(
                measured -> say("one task: %,.0f/s".formatted(measured.load().rate())));
        ten.ifPresent(
                measured -> say("ten tasks: %,.0f/s".formatted(measured.load().rate())));
        FileTransfer files = FileTransfer.measure(api, service.url(), tenant, directory);
        say("files: upload %,.0f MB/s, download %,.0f MB/s, copy %,.0f MB/s"
                .formatted(files.upload(), files.download(), files.copy()));
        return new Round(reference, post, webhooks, get, bare, one, ten, files);
    }

    private Post sayPost(int seconds) {
        Post post = measurePost(seconds);
        say("POST /messages: %,.0f/s, p50 %.1f ms, p99 %.1f ms, %,.0f replies/s beside it, %,d waited %.1f s"
                .formatted(
                        post.measured().load().rate(),
                        post.measured().load().p50(),
                        post.measured().load().p99(),
                        post.duringLoad(),
                        post.backlog(),
                        post.drainSeconds()));
        return post;
    }

    private Webhooks sayWebhooks(int seconds) {
        Webhooks webhooks = measureWebhooks(seconds);
        say(
                "with a callback: %,.0f/s, p50 %.1f ms, p99 %.1f ms; %,d webhooks beside it, %,d in %.1f s after it, %,.0f/s"
                        .formatted(
                                webhooks.post().rate(),
                                webhooks.post().p50(),
                                webhooks.post().p99(),
                                webhooks.during(),
                                webhooks.backlog(),
                                webhooks.drainSeconds(),
                                webhooks.rate()));
        return webhooks;
    }

    private Measured measure(Load load, int seconds) {
        Usage before = Usage.of(service, driver);
        Load.Result result = load.run(seconds);
        return new Measured(result, Usage.of(service, driver).minus(before));
    }

    private Post measurePost(int seconds) {
        long repliesBefore = Messages.count(database, "type = 'AGENT_RESPONSE'");
        Usage before = Usage.of(service, driver);
        Load.Result result = post().run(seconds);
        long end = System.nanoTime();
        long backlog = Messages.waiting(database);
        double replies = Messages.count(database, "type = 'AGENT_RESPONSE'") - repliesBefore;
        drain();
        double drained = (System.nanoTime() - end) / 1e9;
        Usage cpu = Usage.of(service, driver).minus(before);
        return new Post(new Measured(result, cpu), backlog, drained, replies / result.seconds());
    }

    private Webhooks measureWebhooks(int seconds) {
        long before = receiver.taken();
        Load.Result result = post(tenant.withCallback()).run(seconds);
        long end = System.nanoTime();
        long during = receiver.taken() - before;
        drain();
        Messages.awaitWebhooks(database);
        double drained = (System.nanoTime() - end) / 1e9;
        return new Webhooks(result, during, receiver.taken() - before - during, drained);
    }

    private void drain() {
        Messages.awaitProcessed(database);
    }

    private Load post() {
        return post(tenant.conversations());
    }

    private Load post(List<String> conversations) {
        return ServiceLoads.post(List.of(service.url()), tenant.key(), conversations);
    }

    private Load get(String url) {
        return ServiceLoads.get(url, tenant.key(), tenant.longConversation());
    }

    private Load trigger(String workflow) {
        return ServiceLoads.trigger(List.of(service.url()), tenant.key(), workflow);
    }

    private String page() {
        return ServiceLoads.page(tenant.longConversation());
    }

    private String startBareHandler() throws IOException {
        int port = Service.freePort();
        List<String> arguments = List.of(
                Integer.toString(port),
                "12",
                "2",
                Tenant.uuid(tenant.organization()).toString(),
                Tenant.uuid(tenant.longConversation()).toString());
        JavaProcess.start(
                List.of(),
                System.getProperty("java.class.path"),
                BareHandler.class.getName(),
                arguments,
                Map.of("BENCH_JDBC_URL", service.jdbcUrl()),
                directory.resolve("bare.log"));
        return "http://127.0.0.1:" + port;
    }

    /** Both handlers must give the same bytes, or they do not do the same work. */
    private void compareAnswers(Api api) {
        String service = api.send("GET", page(), null).text();
        String bare = "";
        for (int attempt = 0; attempt < 200 && bare.isEmpty(); attempt++) {
            try {
                bare = new Api(bareUrl).send("GET", page(), null).text();
            } catch (BenchException e) {
                java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
            }
        }
        if (!service.equals(bare)) {
            throw new BenchException(
                    "The bare handler does not answer as the service does:\n" + head(service) + "\n" + head(bare));
        }
    }

    private static String head(String text) {
        return text.substring(0, Math.min(600, text.length()));
    }

    /** Seconds from the command to the first answer of the API, on the data of all rounds. */
    private double starts() {
        double[] seconds = new double[quick ? 1 : STARTS];
        for (int i = 0; i < seconds.length; i++) {
            long begin = System.nanoTime();
            Service again = Service.launch(directory);
            again.awaitOk(page(), tenant.key());
            seconds[i] = (System.nanoTime() - begin) / 1e9;
            say("start %d: %.2f s".formatted(i + 1, seconds[i]));
            again.stop();
        }
        return Report.median(Arrays.stream(seconds).boxed().toList());
    }

    private Readers readers() {
        Service fresh = Service.start(directory);
        Readers readers = Readers.measure(fresh, tenant);
        fresh.stop();
        say("%,d readers: %d MiB more".formatted(readers.count(), readers.added()));
        return readers;
    }

    static void say(String text) {
        System.out.println("bench: " + text);
    }
}
