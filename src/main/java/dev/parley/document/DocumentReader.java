package dev.parley.document;

import dev.parley.disk.TempFiles;
import dev.parley.document.child.DocumentReaderMain;
import dev.parley.settings.ServiceSize;
import jakarta.inject.Singleton;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Reads untrusted documents, each in its own process with limited memory and time and without the service's
 * environment, so that a malicious document cannot harm the service. A few run concurrently; others wait.
 */
@Singleton
public final class DocumentReader {
    private static final Logger LOG = Logger.getLogger(DocumentReader.class);
    private static final int PARSER_MEGABYTES = 256;
    private static final int ENGINE_MEGABYTES = 384;
    private static final int ENGINE_HEAP_MEGABYTES = 128;
    private static final int EXIT_GRACE_SECONDS = 5;
    private static final int MAX_ERROR_BYTES = 4_096;
    private static final char SENTENCE = '\u0001';

    /** The JVM's message when the operating system refuses a thread, which is unrelated to the file. */
    private static final String NO_THREAD = "unable to create native thread";

    /** Platform threads, because blocking on pipes would pin virtual threads. */
    private static final Executor PIPES =
            task -> Thread.ofPlatform().daemon().name("document-pipe").start(task);

    private final TempFiles scratch;
    private final Semaphore permits;

    public DocumentReader(TempFiles scratch, ServiceSize size) {
        this.scratch = scratch;
        this.permits = new Semaphore(size.documentReaders(), true);
    }

    /** The text of a PDF, up to the given pages and characters. */
    public String pdf(Path file, int pages, int characters, Duration limit)
            throws DocumentException, InterruptedException {
        return run(
                PARSER_MEGABYTES,
                false,
                List.of("pdf", path(file), text(pages), text(characters)),
                List.of(),
                4 * characters + 1_000,
                limit);
    }

    /** The sheets of an XLSX file as CSV, each after its name. */
    public String sheets(Path file, int rows, int characters, Duration limit)
            throws DocumentException, InterruptedException {
        return run(
                PARSER_MEGABYTES,
                false,
                List.of("xlsx", path(file), text(rows), text(characters)),
                List.of(),
                8 * characters + 100_000,
                limit);
    }

    /**
     * Converts a table's files to one Parquet file. The files must have the same columns; they are {@code 0.csv} and so
     * on in a directory that also holds intermediate files.
     *
     * @param names of the files for error messages; empty if there is only one
     * @param format {@code csv}, {@code jsonl}, {@code parquet} or {@code xlsx}
     * @return the contents as JSON: {@code {"rows", "columns": [{"name", "type"}]}}
     */
    public String convert(Path directory, List<String> names, String format, Path parquet, Duration limit)
            throws DocumentException, InterruptedException {
        return run(
                format.equals("xlsx") ? PARSER_MEGABYTES : ENGINE_HEAP_MEGABYTES,
                true,
                List.of("import", path(directory), format, path(parquet), text(ENGINE_MEGABYTES)),
                names,
                4 << 20,
                limit);
    }

    /**
     * The rows of a query over the view {@code lake}, which is the Parquet file, each as JSON text.
     *
     * @param sql built by the service, with one column; user input is passed only as parameters
     * @param maxBytes of all rows together
     */
    public List<String> rows(Path parquet, String sql, List<String> parameters, int maxBytes, Duration limit)
            throws DocumentException, InterruptedException {
        List<String> texts = new ArrayList<>(List.of(sql));
        texts.addAll(parameters);
        return run(
                        ENGINE_HEAP_MEGABYTES,
                        true,
                        List.of("rows", path(parquet), text(ENGINE_MEGABYTES), text(maxBytes)),
                        texts,
                        4 * maxBytes,
                        limit)
                .lines()
                .toList();
    }

    private static String path(Path file) {
        return file.toAbsolutePath().toString();
    }

    private static String text(int number) {
        return Integer.toString(number);
    }

    private String run(int heap, boolean tables, List<String> args, List<String> input, int maxBytes, Duration limit)
            throws DocumentException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!permits.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new DocumentException("Too many documents are being read at the moment.", true);
        }
        Process process = null;
        Path own = null;
        try {
            // The reader's temporary files are deleted with it, however it ends.
            own = scratch.directory("reader");
            List<String> command =
                    new ArrayList<>(DocumentReaderInstallation.command(heap, limit.toSeconds() + 1, tables, own));
            command.addAll(args);
            process = start(command);
            return response(process, input, maxBytes, deadline);
        } catch (DocumentException e) {
            throw e;
        } catch (IOException e) {
            LOG.errorf(e, "A document could not be read");
            throw new DocumentException("The file could not be read.", true);
        } finally {
            if (process != null) {
                end(process);
            }
            permits.release();
            TempFiles.delete(own);
        }
    }

    /** Waits until the process has exited, so that it writes nothing more into directories that are deleted. */
    private static void end(Process process) {
        process.destroyForcibly()
                .onExit()
                .completeOnTimeout(process, EXIT_GRACE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private static String response(Process process, List<String> input, int maxBytes, long deadline)
            throws IOException, InterruptedException {
        CompletableFuture<byte[]> stdout = read(process.getInputStream(), maxBytes, process);
        CompletableFuture<byte[]> stderr = read(process.getErrorStream(), MAX_ERROR_BYTES, null);
        var _ = CompletableFuture.runAsync(() -> write(process, input), PIPES);
        try {
            byte[] text = stdout.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            if (text.length > maxBytes) {
                throw new DocumentException("The file has too much content.", false);
            }
            if (process.exitValue() != 0) {
                throw refused(process.exitValue(), text, stderr.get(1, TimeUnit.SECONDS));
            }
            return new String(text, StandardCharsets.UTF_8);
        } catch (TimeoutException _) {
            throw new DocumentException("Reading the file took too long.", false);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    static DocumentException refused(int exit, byte[] stdout, byte[] stderr) {
        String text = new String(stderr, StandardCharsets.UTF_8);
        int sentence = text.indexOf(SENTENCE);
        if (exit == DocumentReaderMain.REFUSED && sentence >= 0) {
            return new DocumentException(text.substring(sentence + 1).strip(), false);
        }
        LOG.infof("The document reader exited with %d", exit);
        // The JVM reports errors on standard output until it has started.
        if (text.contains(NO_THREAD) || new String(stdout, StandardCharsets.UTF_8).contains(NO_THREAD)) {
            return new DocumentException("The machine has no threads left to read the file.", true);
        }
        return new DocumentException("The file cannot be read: it is damaged, or needs too much memory.", false);
    }

    /** Reads at most one byte more than allowed; then the process, if any, is killed. */
    private static CompletableFuture<byte[]> read(
            InputStream stream, int max, @org.jspecify.annotations.Nullable Process killed) {
        return CompletableFuture.supplyAsync(
                () -> {
                    var bytes = new ByteArrayOutputStream();
                    byte[] buffer = new byte[8_192];
                    try (stream) {
                        for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                            if (bytes.size() <= max) {
                                bytes.write(buffer, 0, n);
                            } else if (killed != null) {
                                killed.destroyForcibly();
                            }
                        }
                    } catch (IOException _) {
                        // The process has exited; its exit code is the result.
                    }
                    return bytes.toByteArray();
                },
                PIPES);
    }

    private static void write(Process process, List<String> texts) {
        try (OutputStream pipe = process.getOutputStream();
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(pipe))) {
            out.writeInt(texts.size());
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        } catch (IOException _) {
            // The process does not read its input or has exited; its exit code is the result.
        }
    }
}
