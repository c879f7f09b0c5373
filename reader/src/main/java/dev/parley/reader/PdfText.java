package dev.parley.reader;

import dev.parley.reader.table.UnreadableDocument;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/**
 * The text of a PDF, page by page. Reading ends early, with what was read, when there are enough characters or half of
 * the granted CPU time is used: pages may share a stream of operators that inflates a thousandfold.
 */
final class PdfText extends PDFTextStripper {
    private static final int OPERATORS_PER_CHECK = 1_000;

    private final Duration cpuTime;
    private int room;
    private int operators;

    private PdfText(int maxCharacters, Duration cpuTime) {
        this.room = maxCharacters;
        this.cpuTime = cpuTime;
    }

    /** The rest of the document is not read. */
    private static final class EnoughRead extends RuntimeException {
        private static final long serialVersionUID = 1;

        EnoughRead() {
            super(null, null, false, false);
        }
    }

    static void write(Path file, int maxPages, int maxCharacters, Writer out) throws IOException {
        Duration cpuTime = Duration.ofSeconds(Long.getLong(DocumentReaderMain.CPU_SECONDS, 60))
                .dividedBy(2);
        try (PDDocument document = Loader.loadPDF(file.toFile(), IOUtils.createTempFileOnlyStreamCache())) {
            int pages = document.getNumberOfPages();
            int room = maxCharacters;
            boolean complete = pages <= maxPages;
            for (int page = 1; page <= Math.min(pages, maxPages) && room > 0; page++) {
                var stripper = new PdfText(room, cpuTime);
                String text = "[Page " + page + " of " + pages + "]\n"
                        + stripper.text(document, page).strip() + "\n";
                int end = Math.min(text.length(), room);
                out.write(text, 0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
                out.flush();
                room -= text.length();
                if (stripper.isSpent()) {
                    complete = false;
                    break;
                }
            }
            if (room <= 0 || !complete) {
                out.write("\n[The rest is omitted.]\n");
            }
        } catch (InvalidPasswordException e) {
            throw new UnreadableDocument("The PDF is protected by a password.", e);
        } catch (IOException | RuntimeException e) {
            throw new UnreadableDocument("The PDF is damaged.", e);
        }
    }

    private String text(PDDocument document, int page) throws IOException {
        setStartPage(page);
        setEndPage(page);
        var text = new StringWriter();
        try {
            writeText(document, text);
        } catch (EnoughRead _) {
            writePage();
        }
        return text.toString();
    }

    private boolean isSpent() {
        return room <= 0
                || ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .filter(used -> used.compareTo(cpuTime) > 0)
                        .isPresent();
    }

    @Override
    protected void processOperator(Operator operator, List<COSBase> operands) throws IOException {
        if (operators++ % OPERATORS_PER_CHECK == 0 && isSpent()) {
            throw new EnoughRead();
        }
        super.processOperator(operator, operands);
    }

    @Override
    protected void processTextPosition(TextPosition text) {
        room -= text.getUnicode().length();
        if (room < 0) {
            throw new EnoughRead();
        }
        super.processTextPosition(text);
    }
}
