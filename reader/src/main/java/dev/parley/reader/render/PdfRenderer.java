package dev.parley.reader.render;

import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FSFontUseCase;
import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Document;

/** Renders A4 pages from Markdown or HTML, with embedded {@link PageFonts}. Ignores the page's own styles and images. */
final class PdfRenderer {
    private static final int NODES = 60_000;
    private static final int DEPTH = 100;

    private static final String STYLE = """
            @page { size: A4; margin: 20mm 18mm;
                    @bottom-center { content: counter(page) " / " counter(pages); font-family: Sans; font-size: 8pt; } }
            body { font-family: Sans; font-size: 10.5pt; line-height: 1.4; color: #1a1a1a; }
            h1 { font-size: 20pt; margin: 0 0 8pt; } h2 { font-size: 15pt; margin: 14pt 0 6pt; }
            h3 { font-size: 12pt; margin: 12pt 0 4pt; } h1, h2, h3 { page-break-after: avoid; }
            table { border-collapse: collapse; width: 100%; -fs-table-paginate: paginate; }
            th, td { border: 0.5pt solid #999; padding: 3pt 5pt; text-align: left; vertical-align: top; }
            th { background: #eee; } tr { page-break-inside: avoid; }
            pre, code { font-family: Mono, Sans; font-size: 9pt; }
            pre { background: #f4f4f4; padding: 6pt; white-space: pre-wrap; word-wrap: break-word; }
            blockquote { border-left: 2pt solid #ccc; margin-left: 0; padding-left: 8pt; color: #444; }
            p, li, td { word-wrap: break-word; } a { color: #0b57d0; }
            """;

    /** Each block has the direction of its first letter. */
    private static final String AUTO_DIRECTION = "html { direction: auto; }";

    static {
        com.openhtmltopdf.util.XRLog.listRegisteredLoggers()
                .forEach(name -> com.openhtmltopdf.util.XRLog.setLevel(name, Level.OFF));
    }

    private PdfRenderer() {}

    static byte[] of(String title, String text) throws UnrenderableText {
        var out = new ByteArrayOutputStream();
        try {
            Document page = SafeHtml.plain(title, SafeHtml.isHtml(text) ? text : SafeHtml.ofMarkdown(text));
            rejectOversized(page);
            List<String> fallback = PageFonts.prepare(page);
            boolean rightToLeft = RightToLeft.isIn(page.body().wholeText());
            page.head().appendElement("style").text(rightToLeft ? STYLE + AUTO_DIRECTION : STYLE);
            var builder = new PdfRendererBuilder();
            fonts(builder, fallback);
            builder.useUnicodeLineBreaker(new LineBreaks());
            if (rightToLeft) {
                RightToLeft.writeListMarkers(page);
                builder.useUnicodeBidiSplitter(RightToLeft.RunSplitter::new);
                builder.useUnicodeBidiReorderer(new RightToLeft.Reorderer());
            }
            builder.useUriResolver((_, _) -> null);
            builder.withProducer("Parley");
            builder.withW3cDocument(new W3CDom().fromJsoup(page), "about:blank");
            builder.toStream(out);
            builder.run();
            return out.toByteArray();
        } catch (RightToLeft.UnorderableRuns e) {
            throw new UnrenderableText(
                    "A PDF cannot show a line that goes from left to right with text in both directions inside a text "
                            + "from right to left, near “" + e.getMessage() + "”. Put it into a paragraph of its own.",
                    e);
        } catch (IOException | RuntimeException e) {
            throw new UnrenderableText("The text could not be converted to a PDF.", e);
        }
    }

    /** The layout engine is recursive, and takes time and memory for each element. */
    private static void rejectOversized(Document page) throws UnrenderableText {
        int[] counts = new int[2];
        page.traverse((_, depth) -> {
            counts[0]++;
            counts[1] = Math.max(counts[1], depth);
        });
        if (counts[0] > NODES || counts[1] > DEPTH) {
            throw new UnrenderableText("The text is too long or nested too deeply for a PDF.");
        }
    }

    private static void fonts(PdfRendererBuilder builder, List<String> fallback) {
        font(builder, "LiberationSans-Regular", "Sans", 400, FontStyle.NORMAL);
        font(builder, "LiberationSans-Bold", "Sans", 700, FontStyle.NORMAL);
        font(builder, "LiberationSans-Italic", "Sans", 400, FontStyle.ITALIC);
        font(builder, "LiberationSans-BoldItalic", "Sans", 700, FontStyle.ITALIC);
        font(builder, "LiberationMono-Regular", "Mono", 400, FontStyle.NORMAL);
        font(builder, "LiberationMono-Bold", "Mono", 700, FontStyle.NORMAL);
        for (String font : fallback) {
            String path = PageFonts.path(font);
            Set<FSFontUseCase> use = EnumSet.of(FSFontUseCase.FALLBACK_PRE);
            builder.useFont(() -> PageFonts.open(path), font, 400, FontStyle.NORMAL, true, use);
        }
    }

    private static void font(PdfRendererBuilder builder, String file, String family, int weight, FontStyle style) {
        builder.useFont(() -> PageFonts.open("/liberation/" + file + ".ttf"), family, weight, style, true);
    }
}
