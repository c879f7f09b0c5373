package dev.parley.document;

import dev.parley.disk.NativeLibraries;
import dev.parley.disk.TempFiles;
import dev.parley.id.OrganizationId;
import dev.parley.settings.ServiceSize;
import dev.parley.work.FairSemaphore;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Reads untrusted documents and renders files, each in its own process with limited memory and CPU time and without the
 * service's environment, so that a malicious document cannot harm the service. A few run concurrently, with a fair share
 * for each organization; others wait. On a busy machine that takes longer, and is never the document's fault.
 */
@Singleton
public final class DocumentReader {
    private static final Logger LOG = Logger.getLogger(DocumentReader.class);
    private static final int PARSER_MEGABYTES = 256;
    private static final int ENGINE_MEGABYTES = 384;
    private static final int ENGINE_HEAP_MEGABYTES = 128;
    private static final int MAX_RENDERED_BYTES = 8 << 20;
    private static final int EXIT_GRACE_SECONDS = 5;
    private static final int MAX_ERROR_BYTES = 4_096;
    private static final int CHECK_MILLIS = 100;
    private static final char SENTENCE = '\u0001';

    /** How the JVM reports that the system refused it a thread or memory, or a page of a file on a full disk. */
    private static final List<String> REFUSED_BY_SYSTEM =
            List.of("unable to create native thread", "insufficient memory for the Java Runtime Environment", "SIGBUS");

    /** How the JVM reports a crash of native code, or its own; it exits with 1 then. */
    private static final String CRASH = "fatal error has been detected by the Java Runtime Environment";

    /** The exit codes of DocumentReaderMain in the module {@code reader}, after which a sentence for users or the libraries' error is on standard error. */
    private static final int REFUSED = 7;

    private static final int LIBRARY_FAILED = 8;

    /** Exit codes of the JVM. */
    private static final int OUT_OF_HEAP = 3;

    private static final int ABORTED = 134;

    /** Platform threads, because blocking on pipes would pin virtual threads. */
    private static final Executor PIPES =
            task -> Thread.ofPlatform().daemon().name("document-pipe").start(task);

    private final TempFiles tempFiles;
    private final FairSemaphore permits;

    /** Imports take long, so they leave a reader to other work, if there are at least two. */
    private final FairSemaphore imports;

    public DocumentReader(TempFiles tempFiles, ServiceSize size) {
        this.tempFiles = tempFiles;
        this.permits = new FairSemaphore(size.documentReaders());
        this.imports = new FairSemaphore(Math.max(1, size.documentReaders() - 1));
    }

    /**
     * What a process does.
     *
     * @param heap in megabytes
     * @param input texts for its standard input
     * @param maxBytes of its output
     */
    private record ReaderTask(int heap, ReaderJars jars, List<String> args, List<String> input, int maxBytes) {
        /** The sentences for users when the process ends without one of its own. */
        String fault(String ofReading, String ofRendering) {
            return jars == ReaderJars.RENDERERS ? ofRendering : ofReading;
        }
    }

    /**
     * The text of a document.
     *
     * @param cpuTime that reading it took
     */
    public record DocumentText(String text, Duration cpuTime) {
        private static DocumentText of(ReaderOutput output) {
            return new DocumentText(output.text(), output.cpuTime);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record ReaderOutput(byte[] bytes, Duration cpuTime) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The text of a PDF, up to the given pages and characters. */
    public DocumentText pdf(OrganizationId organization, Path file, int pages, int characters, Duration cpuTime)
            throws DocumentException, InterruptedException {
        List<String> args = List.of("pdf", path(file), text(pages), text(characters));
        return DocumentText.of(run(
                organization,
                new ReaderTask(PARSER_MEGABYTES, ReaderJars.PARSERS, args, List.of(), 4 * characters + 1_000),
                ReaderLimits.ofTask(cpuTime)));
    }

    /** The sheets of an XLSX file as CSV, each after its name. */
    public DocumentText sheets(OrganizationId organization, Path file, int rows, int characters, Duration cpuTime)
            throws DocumentException, InterruptedException {
        List<String> args = List.of("xlsx", path(file), text(rows), text(characters));
        return DocumentText.of(run(
                organization,
                new ReaderTask(PARSER_MEGABYTES, ReaderJars.PARSERS, args, List.of(), 8 * characters + 100_000),
                ReaderLimits.ofTask(cpuTime)));
    }

    /** Renders a text as a file. */
    public byte[] render(
            OrganizationId organization, RenderedFormat format, String title, String text, Duration cpuTime)
            throws DocumentException, InterruptedException {
        return run(
                        organization,
                        new ReaderTask(
                                PARSER_MEGABYTES,
                                ReaderJars.RENDERERS,
                                List.of("render", format.name()),
                                List.of(title, text),
                                MAX_RENDERED_BYTES),
                        ReaderLimits.ofTask(cpuTime))
                .bytes;
    }

    /**
     * Converts a table's files to one Parquet file. The files must have the same columns; they are {@code 0.csv} and so
     * on in a directory that also holds intermediate files.
     *
     * @param names of the files for error messages; empty if there is only one
     * @param format {@code csv}, {@code jsonl}, {@code parquet} or {@code xlsx}
     * @return the contents as JSON: {@code {"rows", "columns": [{"name", "type", "note", "chosen", "samples"}], "sheets",
     *     "notes"}}; of a Parquet file only the rows, names and types
     * @throws DocumentException whose output has the sheets of a workbook that is refused
     */
    public String convert(
            OrganizationId organization,
            Path directory,
            List<String> names,
            String format,
            TableOptions options,
            Path parquet,
            Duration cpuTime)
            throws DocumentException, InterruptedException {
        int heap = format.equals("xlsx") ? PARSER_MEGABYTES : ENGINE_HEAP_MEGABYTES;
        List<String> args = List.of("import", path(directory), format, path(parquet), text(ENGINE_MEGABYTES));
        List<String> texts = new ArrayList<>(options.texts());
        texts.addAll(names);
        ReaderLimits limits = ReaderLimits.ofRequest(cpuTime);
        long start = System.nanoTime();
        try (FairSemaphore.FairPermit permit = imports.take(organization, limits.permitTime())) {
            if (permit == null) {
                throw busy();
            }
            var task = new ReaderTask(heap, ReaderJars.TABLES, args, texts, 4 << 20);
            return run(organization, task, limits.waitedSince(start)).text();
        }
    }

    /**
     * The rows of a query over the view {@code lake}, which is the Parquet file, each as JSON text.
     *
     * @param sql built by the service, with one column; user input is passed only as parameters
     * @param maxBytes of all rows together
     */
    public List<String> rows(
            OrganizationId organization,
            Path parquet,
            String sql,
            List<String> parameters,
            int maxBytes,
            ReaderLimits limits)
            throws DocumentException, InterruptedException {
        List<String> texts = new ArrayList<>(List.of(sql));
        texts.addAll(parameters);
        List<String> args = List.of("rows", path(parquet), text(ENGINE_MEGABYTES), text(maxBytes));
        return run(
                        organization,
                        new ReaderTask(ENGINE_HEAP_MEGABYTES, ReaderJars.TABLES, args, texts, 4 * maxBytes),
                        limits)
                .text()
                .lines()
                .toList();
    }

    private static String path(Path file) {
        return file.toAbsolutePath().toString();
    }

    private static String text(int number) {
        return Integer.toString(number);
    }

    private static DocumentException busy() {
        return new DocumentException("Too many documents are being read at the moment.", true);
    }

    private ReaderOutput run(OrganizationId organization, ReaderTask task, ReaderLimits limits)
            throws DocumentException, InterruptedException {
        Process process = null;
        Path own = null;
        try (FairSemaphore.FairPermit permit = permits.take(organization, limits.permitTime())) {
            if (permit == null) {
                throw busy();
            }
            long deadline = System.nanoTime() + limits.wallTime().toNanos();
            try {
                // The reader's temporary files are deleted with it, however it ends.
                own = tempFiles.directory("reader");
                List<String> command = new ArrayList<>(
                        DocumentReaderInstallation.command(task.heap, limits.cpuTime(), task.jars, own));
                command.addAll(task.args);
                process = start(command);
                return response(process, task, limits.cpuTime(), deadline);
            } catch (DocumentException e) {
                throw e;
            } catch (IOException e) {
                LOG.errorf(e, "A document could not be read");
                throw new DocumentException(
                        task.fault("The file could not be read.", "The file could not be rendered."), true);
            } finally {
                if (process != null) {
                    end(process);
                }
                TempFiles.delete(own);
            }
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
        NativeLibraries.addTo(builder);
        return builder.start();
    }

    private static ReaderOutput response(Process process, ReaderTask task, Duration cpuTime, long deadline)
            throws IOException, InterruptedException {
        CompletableFuture<byte[]> stderr = read(process.getErrorStream(), MAX_ERROR_BYTES, null);
        CompletableFuture<byte[]> stdout = read(process.getInputStream(), task.maxBytes, process)
                .thenCombine(process.onExit(), (output, _) -> output);
        var _ = CompletableFuture.runAsync(() -> write(process, task.input), PIPES);
        try {
            ReaderOutput output = await(stdout, process, task, cpuTime, deadline);
            if (output.bytes.length > task.maxBytes) {
                throw new DocumentException(
                        task.fault("The file has too much content.", "The rendered file is too large."), false);
            }
            if (process.exitValue() != 0) {
                throw refused(
                        process.exitValue(),
                        output.bytes,
                        stderr.get(1, TimeUnit.SECONDS),
                        task.fault(
                                "The file cannot be read: it is damaged, or needs too much memory.",
                                "The text needs too much memory to render."));
            }
            return output;
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(e);
        }
    }

    /** Waits for the output while the process has CPU time left. */
    private static ReaderOutput await(
            CompletableFuture<byte[]> output, Process process, ReaderTask task, Duration cpuTime, long deadline)
            throws DocumentException, ExecutionException, InterruptedException {
        Duration used = Duration.ZERO;
        while (true) {
            try {
                return new ReaderOutput(output.get(CHECK_MILLIS, TimeUnit.MILLISECONDS), used);
            } catch (TimeoutException _) {
                used = process.info().totalCpuDuration().orElse(used);
                if (used.compareTo(cpuTime) > 0) {
                    throw new DocumentException(
                            task.fault(
                                    "Reading the file took too long.",
                                    "Rendering the text took too long. Shorten it, or split its long paragraphs and words."),
                            false);
                }
                if (System.nanoTime() > deadline) {
                    throw new DocumentException("The machine is too busy at the moment.", true);
                }
            }
        }
    }

    static DocumentException refused(int exit, byte[] stdout, byte[] stderr, String fault) {
        String text = new String(stderr, StandardCharsets.UTF_8);
        int sentence = text.indexOf(SENTENCE);
        if (exit == REFUSED && sentence >= 0) {
            String output = new String(stdout, StandardCharsets.UTF_8);
            return new DocumentException(text.substring(sentence + 1).strip(), false, output);
        }
        LOG.infof("The document reader exited with %d", exit);
        // The JVM reports errors on standard output until it has started, and crashes always.
        String reports = text + new String(stdout, StandardCharsets.UTF_8);
        boolean isOfDocument = exit == REFUSED
                || exit == LIBRARY_FAILED
                || exit == OUT_OF_HEAP
                || exit == ABORTED
                || (exit == 1 && reports.contains(CRASH));
        if (!isOfDocument || REFUSED_BY_SYSTEM.stream().anyMatch(reports::contains)) {
            return new DocumentException("The machine has too little memory, disk space or threads left.", true);
        }
        return new DocumentException(fault, false);
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
