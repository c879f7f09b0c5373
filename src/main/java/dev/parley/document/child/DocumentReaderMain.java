package dev.parley.document.child;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads one document and writes its contents to standard output, in UTF-8. Whatever a malicious document does to a
 * parser (endless loops, memory, native crashes) is confined to this process. Exits with 0, with {@link #REFUSED} and a
 * user-readable sentence on standard error, or with another code.
 */
public final class DocumentReaderMain {
    public static final int REFUSED = 7;

    private DocumentReaderMain() {}

    /** The document cannot be read; the message says why. */
    static final class UnreadableDocument extends Exception {
        private static final long serialVersionUID = 1;

        UnreadableDocument(String detail) {
            super(detail);
        }

        UnreadableDocument(String detail, Throwable cause) {
            super(detail, cause);
        }
    }

    public static void main(String[] args) throws IOException {
        // Libraries may write to standard output, which must contain only the result.
        Writer out = new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
        var errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(errors);
        Thread.ofPlatform().daemon().start(DocumentReaderMain::exitAtDeadline);
        try {
            run(args[0], Arrays.asList(args).subList(1, args.length), out);
            out.flush();
        } catch (UnreadableDocument e) {
            out.flush();
            errors.print("\u0001" + e.getMessage() + "\n");
            errors.flush();
            Runtime.getRuntime().halt(REFUSED);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void run(String mode, List<String> args, Writer out) throws IOException, UnreadableDocument {
        Path file = Path.of(args.getFirst());
        switch (mode) {
            case "pdf" -> PdfText.write(file, number(args, 1), number(args, 2), out);
            case "xlsx" -> XlsxSheets.write(file, number(args, 1), number(args, 2), true, out);
            case "import" ->
                new LakeFiles(file, args.get(1), Path.of(args.get(2)), number(args, 3)).convert(System.in, out);
            case "rows" -> DuckDbTables.rows(file, number(args, 1), number(args, 2), System.in, out);
            default -> throw new UnreadableDocument("There is no such operation.");
        }
    }

    /** The service kills a process that takes too long; this covers a service that was killed itself. */
    private static void exitAtDeadline() {
        try {
            Thread.sleep(1_000L * Long.getLong("parley.seconds", 600));
        } catch (InterruptedException _) {
            // Also the time to exit.
        }
        Runtime.getRuntime().halt(1);
    }

    private static int number(List<String> args, int index) {
        return Integer.parseInt(args.get(index));
    }
}
