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
import org.jboss.logging.Logger;

/**
 * Keeps prestarted child processes ready for code. Starts none before a language is first used, so that a service
 * without Coder tasks pays nothing; idle ones are ended, and the next use starts new ones.
 */
final class ChildPool {
    private static final Logger LOG = Logger.getLogger(ChildPool.class);
    private static final Duration IDLE_LIMIT = Duration.ofMinutes(5);

    private final SandboxInstallation home;
    private final SandboxIsolation layers;
    private final SandboxLimits limits;
    private final int size;
    private final Map<CodeLanguage, Deque<ChildProcess>> waiting = new EnumMap<>(CodeLanguage.class);
    private final Map<CodeLanguage, Long> usedAt = new EnumMap<>(CodeLanguage.class);
    private final Set<CodeLanguage> refilling = EnumSet.noneOf(CodeLanguage.class);

    private final Semaphore background;

    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param size idle children of each language
     * @param starts background starts at a time, which must not occupy all cores
     */
    ChildPool(SandboxInstallation home, SandboxIsolation layers, SandboxLimits limits, int size, int starts) {
        this.home = home;
        this.layers = layers;
        this.limits = limits;
        this.size = size;
        this.background = new Semaphore(starts);
        for (CodeLanguage language : CodeLanguage.values()) {
            waiting.put(language, new ArrayDeque<>());
        }
    }

    /** Removes a starting or ready child from the pool; the caller must run and kill it. */
    ChildProcess take(CodeLanguage language) throws IOException, InterruptedException {
        ChildProcess found = poll(language);
        if (found == null) {
            found = start(language);
        }
        return found;
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
                background.acquire();
                try {
                    fill(language);
                } finally {
                    background.release();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                synchronized (this) {
                    refilling.remove(language);
                }
            }
        });
    }

    private void fill(CodeLanguage language) throws InterruptedException {
        try {
            while (missing(language)) {
                ChildProcess child = start(language);
                if (!child.awaitReady(Sandbox.START_LIMIT) || !offer(language, child)) {
                    child.kill();
                    return;
                }
            }
            // The cache speeds up later children only, so the first one does not wait for it.
            home.train(language);
        } catch (IOException e) {
            LOG.warnf("No child process for %s could be prepared: %s", language.text(), e.getMessage());
        }
    }

    private ChildProcess start(CodeLanguage language) throws IOException, InterruptedException {
        home.unpack(language);
        List<String> command = layers.command(home.run(language, Sandbox.CONSOLE_BYTES, limits));
        return ChildProcess.start(command, layers, limits.resultBytes());
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
        return queue(language).size();
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
