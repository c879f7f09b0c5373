package dev.parley.reader;

import dev.parley.reader.render.RenderedFormat;
import dev.parley.reader.render.UnrenderableText;
import dev.parley.reader.table.DuckDbTables;
import dev.parley.reader.table.LakeFiles;
import dev.parley.reader.table.UnreadableDocument;
import dev.parley.reader.table.XlsxSheets;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads one document and writes its contents to standard output, in UTF-8, or renders one. Whatever a malicious document
 * does to a library (endless loops, memory, native crashes) is confined to this process. Exits with 0, with
 * {@link #REFUSED} and a user-readable sentence on standard error, with {@link #LIBRARY_FAILED}, or with another code if
 * the machine failed.
 */
public final class DocumentReaderMain {
    /** This and the next are also in the service's DocumentReader, since no module depends on another. */
    public static final int REFUSED = 7;

    /** A library failed on the document, and fails on it again. */
    public static final int LIBRARY_FAILED = 8;

    private static final int MACHINE_FAILED = 9;

    /**
     * The system's messages when it refuses a resource, whatever the document. They are the end of a message, except in
     * those of the table engine, which name its kind of error.
     */
    private static final List<String> SYSTEM_ERRORS = List.of(
            "No space left on device",
            "Disk quota exceeded",
            "File too large",
            "Read-only file system",
            "Input/output error",
            "Too many open files",
            "Too many open files in system",
            "Cannot allocate memory");

    /** System property with the process id of the service. */
    public static final String PARENT = "parley.parent";

    /** System property with the CPU time that the service grants. */
    public static final String CPU_SECONDS = "parley.cpu-seconds";

    private static final long WATCH_MILLIS = 500;

    private DocumentReaderMain() {}

    public static void main(String[] args) throws IOException {
        // Libraries may write to standard output, which must contain only the result.
        OutputStream bytes = new FileOutputStream(FileDescriptor.out);
        Writer out = new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), 1 << 16);
        var errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(errors);
        Thread.ofPlatform().daemon().start(DocumentReaderMain::exitWithTheService);
        try {
            if (args[0].equals("render")) {
                List<String> texts = DuckDbTables.texts(System.in);
                bytes.write(RenderedFormat.valueOf(args[1]).render(texts.getFirst(), texts.getLast()));
            } else {
                read(args[0], Arrays.asList(args).subList(1, args.length), out);
            }
            out.flush();
        } catch (UnrenderableText | IOException | RuntimeException | StackOverflowError e) {
            int exit = exitCode(e);
            if (exit == REFUSED) {
                out.flush();
                errors.print("\u0001" + e.getMessage() + "\n");
            } else {
                errors.println(e);
            }
            errors.flush();
            Runtime.getRuntime().halt(exit);
        }
        Runtime.getRuntime().halt(0);
    }

    static int exitCode(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage()).strip();
            if (SYSTEM_ERRORS.stream()
                    .anyMatch(error ->
                            message.endsWith(error) || (message.contains("IO Error: ") && message.contains(error)))) {
                return MACHINE_FAILED;
            }
        }
        return switch (failure) {
            case UnreadableDocument _, UnrenderableText _ -> REFUSED;
            case IOException _ -> MACHINE_FAILED;
            default -> LIBRARY_FAILED;
        };
    }

    private static void read(String mode, List<String> args, Writer out) throws IOException {
        Path file = Path.of(args.getFirst());
        switch (mode) {
            case "pdf" -> PdfText.write(file, number(args, 1), number(args, 2), out);
            case "xlsx" -> XlsxSheets.write(file, number(args, 1), number(args, 2), out);
            case "import" ->
                new LakeFiles(file, args.get(1), Path.of(args.get(2)), number(args, 3)).convert(System.in, out);
            case "rows" -> DuckDbTables.rows(file, number(args, 1), number(args, 2), System.in, out);
            default -> throw new UnreadableDocument("There is no such operation.");
        }
    }

    /** The service kills a process that takes too long; this covers a service that was killed itself. */
    private static void exitWithTheService() {
        try {
            while (ProcessHandle.current().parent().map(ProcessHandle::pid).equals(Optional.of(Long.getLong(PARENT)))) {
                Thread.sleep(WATCH_MILLIS);
            }
        } catch (InterruptedException _) {
            // Also the time to exit.
        }
        Runtime.getRuntime().halt(1);
    }

    private static int number(List<String> args, int index) {
        return Integer.parseInt(args.get(index));
    }
}
