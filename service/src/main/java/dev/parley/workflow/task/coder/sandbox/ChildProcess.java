package dev.parley.workflow.task.coder.sandbox;

import dev.parley.workflow.task.coder.sandbox.host.LowPriority;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One child process, which runs at most one piece of code. */
final class ChildProcess {
    /** Frame limit relative to the result limit; JSON escapes may turn one byte into six. */
    private static final int MAX_JSON_ESCAPE_FACTOR = 6;

    /** The kernel kills the child when the thread that started it ends, so one permanent thread starts all of them. */
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("coder-starter").factory());

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Process process;
    private final SandboxIsolation isolation;
    private final byte[] token;
    private final OutputStream toChild;
    private final int maxLength;
    private final long startedAt = System.nanoTime();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<ChildExit> ending = new CompletableFuture<>();
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    /** The end of a child: its answer, or if that is null, its exit code. */
    @SuppressWarnings("ArrayRecordComponent") // Endings are never compared.
    record ChildExit(FrameCodec.@Nullable Frame answer, int exitCode) {}

    private ChildProcess(Process process, SandboxIsolation isolation, byte[] token, int maxLength) throws IOException {
        this.process = process;
        this.isolation = isolation;
        this.token = token;
        this.maxLength = maxLength;
        this.toChild = new BufferedOutputStream(process.getOutputStream());
        try {
            LowPriority.take(process);
            toChild.write(token);
            toChild.flush();
            Thread.ofPlatform().daemon().name("coder-" + process.pid()).start(this::listen);
        } catch (IOException | OutOfMemoryError e) {
            // Without a listener thread, nothing else would end the process.
            kill();
            throw e;
        }
    }

    /** A process without the service's environment and working directory, whose standard error is discarded. */
    static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(new File("/")).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }

    static ChildProcess start(List<String> command, SandboxIsolation isolation, int resultBytes)
            throws IOException, InterruptedException {
        byte[] token = new byte[FrameCodec.TOKEN_BYTES];
        RANDOM.nextBytes(token);
        int maxLength = resultBytes * MAX_JSON_ESCAPE_FACTOR + Sandbox.CONSOLE_BYTES;
        return started(
                STARTER.submit(() -> new ChildProcess(builder(command).start(), isolation, token, maxLength)),
                ChildProcess::kill);
    }

    /** Starts a process without user code, whose output is discarded. */
    static Process startPreparation(List<String> command) throws IOException, InterruptedException {
        return started(
                STARTER.submit(() -> {
                    Process process = builder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
                    LowPriority.take(process);
                    return process;
                }),
                Process::destroyForcibly);
    }

    private static <T> T started(Future<T> start, Consumer<T> kill) throws IOException, InterruptedException {
        try {
            return start.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            var _ = CompletableFuture.runAsync(() -> killLate(start, kill));
            throw e;
        }
    }

    private static <T> void killLate(Future<T> start, Consumer<T> kill) {
        try {
            kill.accept(start.get());
        } catch (InterruptedException | ExecutionException _) {
            // It did not start.
        }
    }

    boolean isUsable() {
        return process.isAlive() && !ready.isCompletedExceptionally();
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - startedAt > age.toNanos();
    }

    boolean isReady() {
        return isUsable() && ready.getNow(false);
    }

    /** Waits until it is ready for its job; false if it never will be. */
    boolean awaitReady(Duration patience) throws InterruptedException, TimeoutException {
        try {
            return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Sends the code and waits for the end.
     *
     * @param inputs null to parse the code without running it
     * @throws TimeoutException if it takes longer; the process is then still running
     */
    ChildExit run(String source, byte @Nullable [] inputs, Duration limit)
            throws InterruptedException, TimeoutException {
        try {
            FrameCodec.write(toChild, token, FrameCodec.SOURCE, source.getBytes(StandardCharsets.UTF_8));
            if (inputs == null) {
                FrameCodec.write(toChild, token, FrameCodec.CHECK, new byte[0]);
            } else {
                FrameCodec.write(toChild, token, FrameCodec.INPUTS, inputs);
            }
        } catch (IOException _) {
            // It has exited; the listener reports how.
        }
        try {
            return ending.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Kills it and all processes that it started. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!isolation.endsWhole() && process.isAlive()) {
            killGroup();
        }
        try {
            toChild.close();
        } catch (IOException _) {
            // The stream was already closed.
        }
    }

    /** Without a PID namespace, a process that changed its parent would be missed. */
    private void killGroup() {
        try {
            builder(List.of("/bin/kill", "-KILL", "--", "-" + process.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            // The process itself was already killed.
        }
    }

    /** The console output so far, at most {@link Sandbox#CONSOLE_BYTES}. */
    String console() {
        synchronized (console) {
            return console.toString(StandardCharsets.UTF_8);
        }
    }

    private void listen() {
        try (var in = new BufferedInputStream(process.getInputStream())) {
            expect(in, FrameCodec.READY);
            ready.complete(true);
            FrameCodec.Frame frame = FrameCodec.read(in, token, maxLength);
            while (frame.kind() == FrameCodec.CONSOLE) {
                keep(frame.body());
                frame = FrameCodec.read(in, token, maxLength);
            }
            if (frame.kind() != FrameCodec.RESULT && frame.kind() != FrameCodec.FAILURE) {
                throw new IOException("an unexpected frame");
            }
            ending.complete(new ChildExit(frame, 0));
        } catch (IOException _) {
            ready.complete(false);
            ending.complete(new ChildExit(null, exitCode()));
        } finally {
            kill();
        }
    }

    private void keep(byte[] written) {
        synchronized (console) {
            console.write(written, 0, Math.min(written.length, Sandbox.CONSOLE_BYTES - console.size()));
        }
    }

    private void expect(BufferedInputStream in, byte kind) throws IOException {
        if (FrameCodec.read(in, token, maxLength).kind() != kind) {
            throw new IOException("an unexpected frame");
        }
    }

    /** The exit code; a child that sends an invalid frame is not awaited for long. */
    private int exitCode() {
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                kill();
                process.waitFor();
                return -1;
            }
            return process.exitValue();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }
}
