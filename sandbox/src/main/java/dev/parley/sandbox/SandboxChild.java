package dev.parley.sandbox;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.graalvm.polyglot.Engine;

/**
 * Runs one piece of user code and exits. It starts with the language, prepares the interpreter, reports readiness,
 * reads a job from standard input and answers on standard output; console output is captured in memory and forwarded.
 * It exits as soon as its standard input closes, because the service is then done with it or has ended.
 */
public final class SandboxChild {
    /** Lets the interpreter itself report the time limit, with the line. */
    private static final Duration GRACE_PERIOD = Duration.ofMillis(500);

    private static final Duration TICK = Duration.ofMillis(50);
    private static final int PIPE_BYTES = 64 << 10;

    /** Positions in {@code /proc/self/stat} after the program's name. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;
    private static final long CLOCK_TICK_NANOS = 10_000_000;

    private final byte[] token;
    private final InputStream in;
    private final OutputStream out;

    private SandboxChild(byte[] token, InputStream in, OutputStream out) {
        this.token = token;
        this.in = in;
        this.out = out;
    }

    /**
     * Arguments: {@code run LANGUAGE CONSOLE_BYTES RESULT_BYTES CPU_MILLIS}; {@code train LANGUAGE}, which runs
     * built-in code and exits cleanly so that the JVM can write its AOT cache; {@code unpack DIRECTORY}, which writes
     * the languages' files; {@code check DIRECTORY}, which tests whether a child could start.
     */
    public static void main(String[] args) throws IOException {
        InputStream in = endingWithService();
        switch (args[0]) {
            case "check" -> System.exit(Files.isReadable(Path.of(args[1])) ? 0 : 1);
            case "unpack" -> Engine.copyResources(Path.of(args[1]), "python");
            case "train" -> train(args[1]);
            default ->
                serve(in, args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), Long.parseLong(args[4]));
        }
    }

    /**
     * Standard input, read by a thread that ends this process when the service closes it or ends itself, also while an
     * interpreter is being prepared.
     */
    private static InputStream endingWithService() throws IOException {
        var in = new PipedInputStream(PIPE_BYTES);
        var toMain = new PipedOutputStream(in);
        Thread.ofPlatform().daemon().name("stdin-monitor").start(() -> {
            byte[] bytes = new byte[PIPE_BYTES];
            try (var service = new FileInputStream(FileDescriptor.in)) {
                for (int read = service.read(bytes); read >= 0; read = service.read(bytes)) {
                    toMain.write(bytes, 0, read);
                    toMain.flush();
                }
            } catch (IOException _) {
                // Treated as the end of the stream.
            }
            Runtime.getRuntime().halt(1);
        });
        return in;
    }

    private static void serve(InputStream in, String language, int consoleBytes, int resultBytes, long cpuMillis)
            throws IOException {
        var out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        byte[] token = in.readNBytes(FrameCodec.TOKEN_BYTES);
        var child = new SandboxChild(token, in, out);
        try {
            child.answer(language, consoleBytes, resultBytes, cpuMillis);
        } catch (IOException | RuntimeException | Error _) {
            // The service ended or cancelled, or the interpreter could not be prepared.
            Runtime.getRuntime().halt(1);
        }
        // Halts, so that nothing that the code left behind runs.
        Runtime.getRuntime().halt(0);
    }

    private void answer(String language, int consoleBytes, int resultBytes, long cpuMillis) throws IOException {
        var console = new ConsoleCapture(consoleBytes);
        LanguageRuntime runtime = LanguageRuntime.of(language, console, resultBytes, cpuMillis);
        console.clear();
        // Started before the child reports ready: if the system refuses the thread, no code has been accepted yet.
        var jobTaken = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        Thread.ofPlatform().daemon().name("watchdog").start(() -> watch(main, jobTaken, console, cpuMillis));
        Thread.ofPlatform().daemon().name("console").start(() -> follow(console));
        FrameCodec.write(out, token, FrameCodec.READY, new byte[0]);
        String source = text(FrameCodec.read(in, token, FrameCodec.MAX_JOB_LENGTH));
        FrameCodec.Frame job = FrameCodec.read(in, token, FrameCodec.MAX_JOB_LENGTH);
        jobTaken.countDown();
        CodeOutcome outcome = job.kind() == FrameCodec.CHECK ? runtime.check(source) : runtime.run(source, text(job));
        tell(console);
        byte kind = outcome.failure() == null ? FrameCodec.RESULT : FrameCodec.FAILURE;
        String text = outcome.failure() == null
                ? outcome.text()
                : outcome.failure() + "\n" + outcome.line() + "\n" + outcome.text();
        synchronized (out) {
            FrameCodec.write(out, token, kind, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Forwards console output while the code runs, so that it is complete when the code is stopped at a limit. */
    private void follow(ConsoleCapture console) {
        try {
            while (true) {
                console.await();
                tell(console);
            }
        } catch (IOException | InterruptedException _) {
            // The service has closed the stream.
        }
    }

    private void tell(ConsoleCapture console) throws IOException {
        synchronized (out) {
            byte[] bytes = console.take();
            if (bytes.length > 0) {
                FrameCodec.write(out, token, FrameCodec.CONSOLE, bytes);
            }
        }
    }

    /**
     * Ends the process at the time limit of the code. Counts the CPU time of the process, and the time in which the code
     * waits for something other than the CPU, for example by sleeping. So a busy machine slows code down, but does not
     * stop it.
     */
    private void watch(Thread main, CountDownLatch jobTaken, ConsoleCapture console, long limitMillis) {
        long limit = Duration.ofMillis(limitMillis).plus(GRACE_PERIOD).toNanos();
        try {
            jobTaken.await();
            long begun = cpuNanos();
            long waited = 0;
            long used = 0;
            while (used + waited < limit) {
                Thread.sleep(TICK);
                used = cpuNanos() - begun;
                if (main.getState() != Thread.State.RUNNABLE) {
                    waited += TICK.toNanos();
                }
            }
            tell(console);
            Runtime.getRuntime().halt(waited > used ? FrameCodec.WAITED_TOO_LONG : FrameCodec.OUT_OF_CPU_TIME);
        } catch (IOException | InterruptedException _) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** The CPU time of this process; the time of the wall clock where the system does not provide it. */
    private static long cpuNanos() {
        try (var stat = new FileInputStream("/proc/self/stat")) {
            String text = new String(stat.readAllBytes(), StandardCharsets.US_ASCII);
            // The program's name in parentheses may contain anything; the state follows it.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) * CLOCK_TICK_NANOS;
        } catch (IOException _) {
            return System.nanoTime();
        }
    }

    private static String text(FrameCodec.Frame frame) {
        return new String(frame.body(), StandardCharsets.UTF_8);
    }

    private static void train(String language) {
        LanguageRuntime runtime = LanguageRuntime.of(language, new ConsoleCapture(1_024), 10_000, 60_000);
        String source = language.equals("python")
                ? "def main(inputs):\n    print('x')\n    return {'sum': sum(inputs['list']), 't': str(inputs)}\n"
                : "function main(inputs) { console.log('x'); return { sum: inputs.list.reduce((a, b) => a + b, 0), t: `${inputs}` }; }";
        CodeOutcome outcome = runtime.run(source, "{\"list\": [1, 2.5, 3], \"text\": \"a\"}");
        if (outcome.failure() != null) {
            throw new IllegalStateException(outcome.failure() + ": " + outcome.text());
        }
    }
}
