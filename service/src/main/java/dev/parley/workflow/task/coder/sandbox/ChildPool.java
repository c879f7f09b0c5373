package dev.parley.workflow.task.coder.sandbox;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Keeps prestarted child processes ready for code. Starts none before a language is first used, so that a service
 * without Coder tasks pays nothing; idle ones are ended, and the next use starts new ones.
 */
final class ChildPool {
    private static final Logger LOG = Logger.getLogger(ChildPool.class);
    private static final Duration IDLE_LIMIT = Duration.ofMinutes(5);

    private final SandboxInstallation installation;
    private final SandboxIsolation isolation;
    private final SandboxLimits limits;
    private final int size;
    private final Map<CodeLanguage, Deque<ChildProcess>> waiting = new EnumMap<>(CodeLanguage.class);
    private final Map<CodeLanguage, Long> usedAt = new EnumMap<>(CodeLanguage.class);
    private final Set<CodeLanguage> refilling = EnumSet.noneOf(CodeLanguage.class);

    private final Semaphore background;
    private final Semaphore training = new Semaphore(1);

    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param size idle children of each language
     * @param starts background starts at a time, which must not occupy all cores
     */
    ChildPool(
            SandboxInstallation installation, SandboxIsolation isolation, SandboxLimits limits, int size, int starts) {
        this.installation = installation;
        this.isolation = isolation;
        this.limits = limits;
        this.size = size;
        this.background = new Semaphore(starts);
        for (CodeLanguage language : CodeLanguage.values()) {
            waiting.put(language, new ArrayDeque<>());
        }
    }

    /** Removes a starting or ready child from the pool; the caller must run and kill it. */
    ChildProcess take(CodeLanguage language, Duration patience)
            throws IOException, InterruptedException, TimeoutException {
        ChildProcess found = poll(language);
        return found == null ? start(language, patience) : found;
    }

    private synchronized @org.jspecify.annotations.Nullable ChildProcess poll(CodeLanguage language) {
        usedAt.put(language, System.nanoTime());
        Deque<ChildProcess> ready = queue(language);
        while (!ready.isEmpty()) {
            ChildProcess one = ready.poll();
            if (one.isUsable()) {
                return one;
            }
            one.kill();
        }
        return null;
    }

    /** Refills the pool in the background. */
    void refill(CodeLanguage language) {
        synchronized (this) {
            if (closed || size == 0 || !refilling.add(language)) {
                return;
            }
            usedAt.putIfAbsent(language, System.nanoTime());
        }
        Thread.ofVirtual().name("coder-refill").start(() -> {
            try {
                if (fillInTurn(language)) {
                    train(language);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private boolean fillInTurn(CodeLanguage language) throws InterruptedException {
        try {
            background.acquire();
            try {
                return fill(language);
            } finally {
                background.release();
            }
        } finally {
            synchronized (this) {
                refilling.remove(language);
            }
        }
    }

    /** The cache speeds up later children only, so neither the first one nor the pool waits for it. */
    private void train(CodeLanguage language) throws InterruptedException {
        training.acquire();
        try {
            installation.train(language);
        } finally {
            training.release();
        }
    }

    private boolean fill(CodeLanguage language) throws InterruptedException {
        try {
            while (missing(language)) {
                // Offered before it is ready: code that is waiting for a child would start another one otherwise.
                ChildProcess child = start(language, limits.wallTime());
                if (!offer(language, child) || (!isReady(child) && remove(language, child))) {
                    child.kill();
                    return false;
                }
            }
            return true;
        } catch (IOException | TimeoutException e) {
            LOG.warnf("No child process for %s could be prepared: %s", language.text(), e.getMessage());
            return false;
        }
    }

    private boolean isReady(ChildProcess child) throws InterruptedException {
        try {
            return child.awaitReady(limits.wallTime());
        } catch (TimeoutException _) {
            return false;
        }
    }

    /** False if it has been taken. */
    private synchronized boolean remove(CodeLanguage language, ChildProcess child) {
        return queue(language).remove(child);
    }

    private ChildProcess start(CodeLanguage language, Duration patience)
            throws IOException, InterruptedException, TimeoutException {
        installation.unpack(language, patience);
        List<String> command = isolation.command(installation.run(language, Sandbox.CONSOLE_BYTES, limits));
        return ChildProcess.start(command, isolation, limits.resultBytes());
    }

    private synchronized boolean missing(CodeLanguage language) {
        return !closed && queue(language).size() < size;
    }

    private synchronized boolean offer(CodeLanguage language, ChildProcess child) {
        return !closed && queue(language).offer(child);
    }

    /** Ends children of languages that have not been used for a while. */
    synchronized void endIdle() {
        for (CodeLanguage language : CodeLanguage.values()) {
            Long used = usedAt.get(language);
            if (used != null && System.nanoTime() - used > IDLE_LIMIT.toNanos()) {
                queue(language).removeIf(child -> {
                    boolean idle = child.isOlderThan(IDLE_LIMIT);
                    if (idle) {
                        child.kill();
                    }
                    return idle;
                });
            }
        }
    }

    synchronized int waiting(CodeLanguage language) {
        return (int) queue(language).stream().filter(ChildProcess::isReady).count();
    }

    synchronized void close() {
        closed = true;
        waiting.values().forEach(queue -> {
            queue.forEach(ChildProcess::kill);
            queue.clear();
        });
    }

    private Deque<ChildProcess> queue(CodeLanguage language) {
        return Objects.requireNonNull(waiting.get(language));
    }
}
