package dev.parley.db;

import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.CommitCapacity;
import io.micrometer.core.instrument.DistributionSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jboss.logging.Logger;

/**
 * Batches concurrent writes, or reads, without a delay: rows that arrive during a commit form the next batch, which is one
 * transaction, and each caller is answered after its commit. One writer writes rows in the order of submission; several
 * may commit batches concurrently. If a batch fails for another reason than an outage, its rows are written one by one,
 * so that an invalid row fails alone.
 *
 * @param <T> the row
 * @param <R> the caller's result after the commit
 */
public final class GroupCommit<T, R> implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(GroupCommit.class);
    /** The maximum size of a batch in characters; its statement takes several times as much. */
    private static final long BATCH_WEIGHT = 2L << 20;

    private static final long IDLE_CHECK_MILLIS = 100;

    /**
     * Writes rows in one transaction and returns their results in order. It may write only the first rows; the others
     * are then written by the next call.
     */
    @FunctionalInterface
    public interface BatchWriter<T, R> {
        List<R> write(List<T> rows);
    }

    private record QueuedRow<T, R>(T row, long weight, long since, CompletableFuture<R> result) {}

    private final BatchWriter<T, R> batchWriter;
    private final ToLongFunction<T> weigher;
    private final AtomicLong waiting = new AtomicLong();
    private final int batchLimit;
    private final long queueWeight;
    private final LinkedBlockingQueue<QueuedRow<T, R>> queue;
    private final List<Thread> writers = new ArrayList<>();
    private final DistributionSummary batchSizes;
    private volatile boolean closed;
    private volatile long lingerNanos;
    private volatile LongConsumer watcher = _ -> {};
    private volatile ToIntFunction<T> sizer = _ -> 1;

    /**
     * @param name of its threads and meters
     * @param capacity with at least two writers the disk is busy while the next batch is built; further rows than it
     *     allows are rejected
     * @param batchLimit the maximum rows of one statement, or their maximum total size ({@link #weighingRowsBy})
     */
    public GroupCommit(String name, CommitCapacity capacity, int batchLimit, BatchWriter<T, R> batchWriter) {
        this(name, capacity, batchLimit, _ -> 0, batchWriter);
    }

    /** @param weigher a row's characters beyond a few hundred, so that large rows form small batches */
    public GroupCommit(
            String name,
            CommitCapacity capacity,
            int batchLimit,
            ToLongFunction<T> weigher,
            BatchWriter<T, R> batchWriter) {
        this.queueWeight = capacity.characters();
        this.queue = new LinkedBlockingQueue<>(capacity.rows());
        this.weigher = weigher;
        this.batchWriter = batchWriter;
        this.batchLimit = batchLimit;
        this.batchSizes = Metric.GROUP_COMMIT_ROWS.summary(name);
        Metric.GROUP_COMMIT_WAITING.gauge(queue, LinkedBlockingQueue::size, name);
        for (int i = 0; i < capacity.writers(); i++) {
            this.writers.add(Thread.ofPlatform().daemon().name(name + "-" + i).start(this::run));
        }
    }

    /**
     * Lets a batch under load wait briefly for more rows, for writes without a waiting client; a single row still
     * starts at once.
     */
    public GroupCommit<T, R> gatheringFor(Duration time) {
        lingerNanos = time.toNanos();
        return this;
    }

    /** Counts a row as several if it lengthens the transaction accordingly. */
    public GroupCommit<T, R> weighingRowsBy(ToIntFunction<T> size) {
        sizer = size;
        return this;
    }

    /** Reports after each batch how long its oldest row waited, in nanoseconds from submission to commit. */
    public GroupCommit<T, R> onBatchWritten(LongConsumer waited) {
        watcher = waited;
        return this;
    }

    /** Queues the row. The future completes after its commit, or with an {@link ApiProblem} if it was not stored. */
    public CompletableFuture<R> submit(T row) {
        var entry = new QueuedRow<T, R>(row, weigher.applyAsLong(row), System.nanoTime(), new CompletableFuture<>());
        boolean tooMuch = waiting.addAndGet(entry.weight) > queueWeight && entry.weight > 0;
        if (closed || tooMuch || !queue.offer(entry)) {
            waiting.addAndGet(-entry.weight);
            refuse(entry);
        } else if (closed && writers.stream().noneMatch(Thread::isAlive) && queue.remove(entry)) {
            refuse(entry); // It was queued between the check above and the end of the last writer.
        }
        return entry.result;
    }

    private void refuse(QueuedRow<T, R> entry) {
        entry.result.completeExceptionally(
                ApiProblem.unavailable("The service is at capacity.", Duration.ofSeconds(1)));
    }

    /** Writes the queued rows, then stops. */
    @Override
    public void close() {
        closed = true;
        for (Thread writer : writers) {
            try {
                writer.join(Duration.ofSeconds(10));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        List<QueuedRow<T, R>> batch = new ArrayList<>();
        boolean busy = false;
        while (true) {
            batch.clear();
            try {
                QueuedRow<T, R> first = queue.poll(IDLE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (first == null) {
                    if (closed) {
                        return;
                    }
                    continue;
                }
                batch.add(first);
            } catch (InterruptedException _) {
                return;
            }
            if (busy && lingerNanos > 0 && !closed) {
                LockSupport.parkNanos(lingerNanos);
            }
            collect(batch);
            busy = batch.size() > 1;
            write(batch);
        }
    }

    private void collect(List<QueuedRow<T, R>> batch) {
        long weight = batch.getFirst().weight;
        int size = size(batch.getFirst().row);
        while (size < batchLimit && weight < BATCH_WEIGHT) {
            QueuedRow<T, R> next = queue.poll();
            if (next == null) {
                break;
            }
            batch.add(next);
            weight += next.weight;
            size += size(next.row);
        }
        waiting.addAndGet(-weight);
    }

    /** The sizer may query the database. A failure must not end the writer, which would block all later writes. */
    private int size(T row) {
        try {
            return sizer.applyAsInt(row);
        } catch (RuntimeException e) {
            LOG.debugf("Cannot determine the size of a row: %s", e.getMessage());
            return 1;
        }
    }

    private void write(List<QueuedRow<T, R>> batch) {
        List<QueuedRow<T, R>> rest = batch;
        while (!rest.isEmpty()) {
            rest = rest.subList(writeFirst(rest), rest.size());
        }
    }

    /** Completes at least one of the entries, in order, and returns how many. */
    private int writeFirst(List<QueuedRow<T, R>> entries) {
        try {
            List<R> results =
                    batchWriter.write(entries.stream().map(QueuedRow::row).toList());
            batchSizes.record(results.size());
            watcher.accept(System.nanoTime() - entries.getFirst().since);
            for (int i = 0; i < results.size(); i++) {
                entries.get(i).result.complete(results.get(i));
            }
            return results.size();
        } catch (RuntimeException e) {
            if (entries.size() == 1 || isOutage(e)) {
                RuntimeException problem = Database.translate(e);
                entries.forEach(entry -> entry.result.completeExceptionally(problem));
            } else {
                boolean refused = e instanceof ApiProblem;
                LOG.logf(
                        refused ? Logger.Level.DEBUG : Logger.Level.WARN,
                        refused ? null : e,
                        "A batch of %d rows failed and is written row by row",
                        entries.size());
                entries.forEach(entry -> writeFirst(List.of(entry)));
            }
        } catch (Error e) {
            // The writer must survive, or the queued rows would wait forever.
            LOG.error("A batch could not be written", e);
            entries.forEach(entry -> entry.result.completeExceptionally(e));
        }
        return entries.size();
    }

    private static boolean isOutage(RuntimeException e) {
        return e instanceof ApiProblem problem
                ? problem.kind() == ProblemKind.UNAVAILABLE
                : SqlFailure.outage(e).isPresent();
    }
}
