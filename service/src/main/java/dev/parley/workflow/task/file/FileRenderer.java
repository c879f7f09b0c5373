package dev.parley.workflow.task.file;

import static dev.parley.document.RenderedFormat.HTML;
import static dev.parley.document.RenderedFormat.PDF;
import static dev.parley.document.RenderedFormat.SLIDES;

import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.document.RenderedFormat;
import dev.parley.id.OrganizationId;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Renders a task's text as a file of the output's type. PDFs come from Markdown or HTML, PPTs from Markdown, all others
 * from the text itself; an existing file is given as a base64 {@code data:} URL. Nothing is fetched, and active content
 * is removed. Formats whose libraries may need much time or memory are rendered in a separate process.
 */
@Singleton
public final class FileRenderer {
    /** The maximum length of rendered text, in characters. */
    static final int MAX_LENGTH = 1 << 20;

    /** Namespaces that are in scope at one place of an XML text. */
    private static final int MAX_NAMESPACES = 1_000;

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final Duration CPU_TIME = Duration.ofSeconds(20);
    private static final String PPTX_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

    private static final Pattern DATA = Pattern.compile(
            "data:([a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,80})?(?:;charset=[a-z0-9-]{1,20})?;base64,(.*)",
            Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private final DocumentReader reader;

    public FileRenderer(DocumentReader reader) {
        this.reader = reader;
    }

    /**
     * Renders the file.
     *
     * @throws UnrenderableTextException if the text is not valid for the type
     * @throws DocumentException if its process ended without a result
     */
    public MadeFile render(OrganizationId organization, OutputParameter output, String text)
            throws UnrenderableTextException, DocumentException, InterruptedException {
        if (text.startsWith("data:")) {
            Optional<MadeFile> encodedFile = encodedFile(organization, output, text);
            if (encodedFile.isPresent()) {
                return encodedFile.get();
            }
        }
        return rendered(organization, output, text);
    }

    /** An early check of a text: a sentence if it is invalid, empty if no error was found. */
    public static Optional<String> fault(OutputType type, String text) {
        try {
            switch (type) {
                case CSV -> table(MarkdownFence.open(text).text());
                case XML -> checkXml(MarkdownFence.open(text).text());
                case BOOLEAN, INTEGER, FLOAT, STRING, DATETIME, TEXT, MARKDOWN, HTML, CODE, PDF, FILE, PPT -> {}
            }
            return Optional.empty();
        } catch (UnrenderableTextException e) {
            return Optional.of(e.detail());
        }
    }

    private MadeFile rendered(OrganizationId organization, OutputParameter output, String text)
            throws UnrenderableTextException, DocumentException, InterruptedException {
        if (text.length() > MAX_LENGTH) {
            throw new UnrenderableTextException(
                    "The text is longer than the " + MAX_LENGTH + " characters that a file may have.");
        }
        MarkdownFence fence = MarkdownFence.open(text);
        String markdown = fence.isOf("markdown", "md") ? fence.text() : text;
        return switch (output.type()) {
            case MARKDOWN -> text(output, ".md", "text/markdown", markdown);
            case HTML -> file(output, ".html", "text/html", render(organization, output, HTML, fence.text()));
            case CSV -> text(output, ".csv", "text/csv", table(fence.text()));
            case XML -> {
                checkXml(fence.text());
                yield text(output, ".xml", "application/xml", fence.text());
            }
            case CODE -> text(output, fence.extension(), "text/plain", fence.text());
            case PDF -> file(output, ".pdf", "application/pdf", render(organization, output, PDF, markdown));
            case PPT -> file(output, ".pptx", PPTX_TYPE, render(organization, output, SLIDES, markdown));
            case TEXT, FILE, BOOLEAN, INTEGER, FLOAT, STRING, DATETIME -> text(output, ".txt", "text/plain", text);
        };
    }

    private byte[] render(OrganizationId organization, OutputParameter output, RenderedFormat format, String text)
            throws DocumentException, InterruptedException {
        return reader.render(organization, format, output.name(), text, CPU_TIME);
    }

    /** A file given by its bytes; empty if the text must be rendered. */
    private Optional<MadeFile> encodedFile(OrganizationId organization, OutputParameter output, String url)
            throws UnrenderableTextException, DocumentException, InterruptedException {
        Matcher parts = DATA.matcher(url);
        if (!parts.matches()) {
            return Optional.empty();
        }
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(parts.group(2));
        } catch (IllegalArgumentException _) {
            throw new UnrenderableTextException("The data: URL does not hold base64.");
        }
        return switch (output.type()) {
            case PDF -> Optional.of(of(output, "application/pdf", bytes));
            case PPT -> Optional.of(of(output, PPTX_TYPE, bytes));
            case FILE, BOOLEAN, INTEGER, FLOAT, STRING, DATETIME -> {
                String type = parts.group(1);
                yield Optional.of(of(output, type == null ? "application/octet-stream" : type, bytes));
            }
            case TEXT, MARKDOWN, HTML, CODE, CSV, XML ->
                Optional.of(rendered(organization, output, new String(bytes, StandardCharsets.UTF_8)));
        };
    }

    /**
     * A file from a tool's bytes.
     *
     * @throws UnrenderableTextException if they are not of the output's type
     */
    public static MadeFile of(OutputParameter output, String contentType, byte[] bytes)
            throws UnrenderableTextException {
        return switch (output.type()) {
            case PDF -> {
                refuseUnless(begins(bytes, "%PDF-"), "The file is not a PDF.");
                yield file(output, ".pdf", "application/pdf", bytes);
            }
            case PPT -> {
                refuseUnless(begins(bytes, "PK"), "The file is not a presentation.");
                yield file(output, ".pptx", PPTX_TYPE, bytes);
            }
            case TEXT, MARKDOWN, HTML, CODE, CSV, XML, FILE, BOOLEAN, INTEGER, FLOAT, STRING, DATETIME ->
                file(output, OutputFilenames.extension(contentType), contentType, bytes);
        };
    }

    private static void refuseUnless(boolean fits, String detail) throws UnrenderableTextException {
        if (!fits) {
            throw new UnrenderableTextException(detail);
        }
    }

    private static boolean begins(byte[] bytes, String magic) {
        return bytes.length >= magic.length()
                && new String(bytes, 0, magic.length(), StandardCharsets.ISO_8859_1).equals(magic);
    }

    private static MadeFile text(OutputParameter output, String extension, String type, String text) {
        return file(output, extension, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static MadeFile file(OutputParameter output, String extension, String type, byte[] bytes) {
        return new MadeFile(OutputFilenames.of(output.name(), extension), type, bytes);
    }

    /**
     * The table in the format of RFC 4180. With a byte order mark if it is not ASCII: without one, Excel does not read it
     * as UTF-8.
     */
    private static String table(String given) throws UnrenderableTextException {
        String text = given.startsWith(BYTE_ORDER_MARK) ? given.substring(1) : given;
        var out = new StringBuilder(text.length() + 16);
        if (text.chars().anyMatch(c -> c > 127)) {
            out.append(BYTE_ORDER_MARK);
        }
        CSVFormat read = CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();
        try (CSVParser rows = CSVParser.parse(text.strip(), read);
                CSVPrinter printer = new CSVPrinter(out, CSVFormat.RFC4180)) {
            for (CSVRecord row : rows) {
                printer.printRecord(row);
            }
            return out.toString();
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            throw new UnrenderableTextException(
                    "The text is not a table in CSV: a quotation mark is not where it belongs.", e);
        }
    }

    private static void checkXml(String text) throws UnrenderableTextException {
        try {
            SAXParserFactory factory = SAXParserFactory.newDefaultNSInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.newSAXParser().parse(new InputSource(new StringReader(text.strip())), new ThrowingErrorHandler());
        } catch (SAXException e) {
            throw new UnrenderableTextException("The text is not well-formed XML without a document type.", e);
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException("no XML parser", e);
        }
    }

    /** Parses to the end and reports errors only by exceptions. */
    private static final class ThrowingErrorHandler extends DefaultHandler {
        private int namespaces;

        /** The parser looks a prefix up among all that are declared. */
        @Override
        public void startPrefixMapping(String prefix, String uri) throws SAXException {
            if (++namespaces > MAX_NAMESPACES) {
                throw new SAXException("too many namespaces");
            }
        }

        @Override
        public void endPrefixMapping(String prefix) {
            namespaces--;
        }

        @Override
        public @Nullable InputSource resolveEntity(@Nullable String publicId, @Nullable String systemId) {
            return new InputSource(new StringReader(""));
        }

        @Override
        public void error(org.xml.sax.SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(org.xml.sax.SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
