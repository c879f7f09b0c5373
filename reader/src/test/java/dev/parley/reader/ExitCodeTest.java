package dev.parley.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.reader.table.UnreadableDocument;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Libraries report a full disk as a damaged document, and their own faults in many ways. */
class ExitCodeTest {
    private final IOException full = new IOException("No space left on device");

    @Test
    void fullDiskIsNotTheFaultOfTheDocument() {
        for (Throwable cause : List.of(
                full,
                new UncheckedIOException(full),
                new FileSystemException("/tmp/a", null, "Too many open files"),
                new SQLException("IO Error: Async write failed for range [offset=33291, size=286167]: "
                        + "{\"exception_message\":\"Could not write: No space left on device\",\"errno\":\"28\"}"))) {
            assertThat(DocumentReaderMain.exitCode(new UnreadableDocument("The PDF is damaged.", cause)))
                    .isEqualTo(DocumentReaderMain.exitCode(full))
                    .isNotEqualTo(DocumentReaderMain.REFUSED);
        }
    }

    @Test
    void faultOfTheDocumentStaysOne() {
        assertThat(DocumentReaderMain.exitCode(new UnreadableDocument("It is damaged.", new EOFException())))
                .isEqualTo(DocumentReaderMain.REFUSED);
        String message = "Could not convert string 'No space left on device' to a number";
        assertThat(DocumentReaderMain.exitCode(new UnreadableDocument(message))).isEqualTo(DocumentReaderMain.REFUSED);
        assertThat(DocumentReaderMain.exitCode(new IllegalStateException()))
                .isEqualTo(DocumentReaderMain.exitCode(new StackOverflowError()))
                .isEqualTo(DocumentReaderMain.LIBRARY_FAILED);
    }
}
