package dev.parley.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How much of everything the service uses on a machine (docs/decisions/0150). The numbers in the code are those of a
 * node with two cores and the smallest heap; {@link #byCores}, {@link #byHeap} and {@link #byCoresAndHeap} scale them.
 *
 * @param heapMegabytes maximum size of the heap
 * @param directMegabytes limit of memory outside the heap for network buffers
 * @param eventLoops threads that read and write HTTP
 * @param databaseConnections of the common pool
 * @param commitWriters threads that write messages; as many write journals, and half as many instances
 * @param coderParallel Coder tasks that run concurrently
 * @param coderPool idle interpreters kept ready for each language
 * @param documentReaders processes that read documents at the same time
 * @param sharedBuffersMegabytes of the embedded PostgreSQL
 */
public record ServiceSize(
        MachineSize machine,
        Collector collector,
        int heapMegabytes,
        int directMegabytes,
        int eventLoops,
        int databaseConnections,
        int commitWriters,
        int coderParallel,
        int coderPool,
        int documentReaders,
        int sharedBuffersMegabytes) {
    private static final int BASE_CORES = MachineSize.SMALLEST.cores();

    /** Enough for the live data of a node with two cores under full load, about 60 MB. */
    private static final int BASE_HEAP = 136;

    private static final int HEAP_PER_FURTHER_CORE = 256;

    /** Of the machine's memory; the rest is for PostgreSQL, code, documents and the page cache. */
    private static final int HEAP_SHARE = 8;

    private static final int MIN_G1_CORES = 4;
    private static final int MIN_G1_HEAP = 256;
    private static final int BASE_DIRECT = 64;
    private static final int MEMORY_PER_CONNECTION = 64;
    private static final int MEMORY_PER_CODER_TASK = 1_024;
    private static final int MEMORY_PER_IDLE_INTERPRETER = 4_096;
    private static final int MEMORY_PER_DOCUMENT_READER = 4_096;
    private static final int BASE_SHARED_BUFFERS = 64;
    private static final int SHARED_BUFFERS_SHARE = 16;
    private static final int MIN_POSTGRES_CONNECTIONS = 140;

    /** For the lease, events and tools of the operator. */
    private static final int OTHER_CONNECTIONS = 20;

    private static final int MAX_WAL = 8_192;

    /** Runs with large inputs live for several collections; promoted, they would cause full ones of 90 ms. */
    private static final List<String> LARGE_SURVIVORS = List.of("-XX:SurvivorRatio=3", "-XX:TargetSurvivorRatio=90");

    private static final int MAX_SCALED = 1 << 30;

    /** A garbage collector of the JVM. */
    public enum Collector {
        SERIAL("Serial"),
        PARALLEL("Parallel"),
        G1("G1");

        private final String text;

        Collector(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** The JVM's flag that selects it. */
        String flag() {
            return "-XX:+Use" + text + "GC";
        }

        static Collector of(String setting) {
            return valueOf(setting.toUpperCase(Locale.ROOT));
        }
    }

    /** The size of a service without settings of its own. */
    public static ServiceSize of(MachineSize machine) {
        int cores = Math.max(BASE_CORES, machine.cores());
        int memory = machine.memoryMegabytes();
        int heap = heap(machine);
        return new ServiceSize(
                machine,
                cores >= MIN_G1_CORES && heap >= MIN_G1_HEAP ? Collector.G1 : Collector.SERIAL,
                heap,
                Math.max(BASE_DIRECT, heap / 4),
                cores,
                atMost(memory / MEMORY_PER_CONNECTION, 12, 8 + 2 * cores),
                cores / 2 + 1,
                atMost(memory / MEMORY_PER_CODER_TASK, 4, 2 * cores),
                atMost(memory / MEMORY_PER_IDLE_INTERPRETER, 1, cores / 4),
                atMost(memory / MEMORY_PER_DOCUMENT_READER, 2, cores),
                Math.max(BASE_SHARED_BUFFERS, memory / SHARED_BUFFERS_SHARE));
    }

    private static int heap(MachineSize machine) {
        int byCores = BASE_HEAP + HEAP_PER_FURTHER_CORE * Math.max(0, machine.cores() - BASE_CORES);
        return atMost(machine.memoryMegabytes() / HEAP_SHARE, BASE_HEAP, byCores);
    }

    /** The wanted number, limited to what the memory allows, but never less than on the smallest machine. */
    private static int atMost(int affordable, int least, int wanted) {
        return Math.max(least, Math.min(affordable, wanted));
    }

    /** A number of threads or transactions, given for two cores. */
    public int byCores(int onTwoCores) {
        return (int) scaled(onTwoCores, coreFactor());
    }

    /** A number of bytes, characters, cached entries or waiting rows, given for the smallest heap. */
    public int byHeap(int inSmallestHeap) {
        return (int) scaled(inSmallestHeap, heapFactor());
    }

    /** A number of concurrent pieces of work that hold memory, given for two cores and the smallest heap. */
    public int byCoresAndHeap(int onSmallestMachine) {
        return (int) scaled(onSmallestMachine, Math.min(coreFactor(), heapFactor()));
    }

    private double coreFactor() {
        return (double) machine.cores() / BASE_CORES;
    }

    private double heapFactor() {
        return (double) heapMegabytes / BASE_HEAP;
    }

    private static long scaled(int number, double factor) {
        return Math.min(MAX_SCALED, (long) (number * Math.max(1, factor)));
    }

    /** Connections for what every request waits for: the writers of messages, keys and rate limits. */
    public int requestConnections() {
        return commitWriters + Math.max(2, machine.cores() / 4);
    }

    /** Concurrent reads of one kind that leave most of the pool to others. */
    public int concurrentReads() {
        return Math.max(2, databaseConnections / 3);
    }

    /** For a queue with several writers. */
    public CommitCapacity commits() {
        return new CommitCapacity(commitWriters, byHeap(20_000), byHeap(16 << 20));
    }

    /** On two cores a second writer would only make the batches of instances smaller (docs/decisions/0042). */
    public CommitCapacity instanceCommits() {
        return commits().withWriters(Math.max(1, commitWriters / 2));
    }

    /** For the embedded PostgreSQL. */
    public PostgresSize postgres() {
        return new PostgresSize(
                sharedBuffersMegabytes,
                Math.max(MIN_POSTGRES_CONNECTIONS, databaseConnections + requestConnections() + OTHER_CONNECTIONS),
                Math.min(MAX_WAL, byCores(1_024)));
    }

    /** The flags of the JVM that depend on the machine. */
    public List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(List.of(
                "-XX:ActiveProcessorCount=" + machine.cores(),
                collector.flag(),
                "-Xms" + heapMegabytes / 2 + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:MaxDirectMemorySize=" + directMegabytes + "m"));
        if (collector == Collector.SERIAL) {
            flags.addAll(LARGE_SURVIVORS);
        }
        return List.copyOf(flags);
    }

    /** The same with the heap and the collector that the JVM was started with. */
    ServiceSize with(RunningJvm jvm) {
        return new ServiceSize(
                machine,
                jvm.collector().orElse(collector),
                jvm.heapMegabytes(),
                directMegabytes,
                eventLoops,
                databaseConnections,
                commitWriters,
                coderParallel,
                coderPool,
                documentReaders,
                sharedBuffersMegabytes);
    }

    /** What was chosen, in two lines for the operator. */
    public List<String> text() {
        return List.of(
                "%d cores, %,d MiB: heap %,d MiB (%s), %d event loops, %d + %d database connections, %d commit writers"
                        .formatted(
                                machine.cores(),
                                machine.memoryMegabytes(),
                                heapMegabytes,
                                collector.text(),
                                eventLoops,
                                databaseConnections,
                                requestConnections(),
                                commitWriters),
                "%d Coder tasks and %d document readers at once (PARLEY_CORES and PARLEY_MEMORY change all of it)"
                        .formatted(coderParallel, documentReaders));
    }
}
