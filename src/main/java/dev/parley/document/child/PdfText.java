package dev.parley.document.child;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;

/** The text of a PDF, page by page. */
final class PdfText {
    private PdfText() {}

    static void write(Path file, int maxPages, int maxCharacters, Writer out)
            throws IOException, DocumentReaderMain.UnreadableDocument {
        try (PDDocument document = Loader.loadPDF(file.toFile(), IOUtils.createTempFileOnlyStreamCache())) {
            int pages = document.getNumberOfPages();
            int room = maxCharacters;
            var stripper = new PDFTextStripper();
            for (int page = 1; page <= Math.min(pages, maxPages) && room > 0; page++) {
                stripper.setStartPage(page);
                stripper.setEndPage(page);
                String text = "[Page " + page + " of " + pages + "]\n"
                        + stripper.getText(document).strip() + "\n";
                out.write(text, 0, Math.min(text.length(), room));
                out.flush();
                room -= text.length();
            }
            if (room <= 0 || pages > maxPages) {
                out.write("\n[The rest is omitted.]\n");
            }
        } catch (InvalidPasswordException e) {
            throw new DocumentReaderMain.UnreadableDocument("The PDF is protected by a password.", e);
        } catch (IOException | RuntimeException e) {
            throw new DocumentReaderMain.UnreadableDocument("The PDF is damaged.", e);
        }
    }
}
