package dev.parley.reader.render;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.poi.xslf.usermodel.SlideLayout;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFSlide;
import org.apache.poi.xslf.usermodel.XSLFSlideLayout;
import org.apache.poi.xslf.usermodel.XSLFTextParagraph;
import org.apache.poi.xslf.usermodel.XSLFTextShape;
import org.openxmlformats.schemas.drawingml.x2006.main.CTTextParagraph;

/** Renders a presentation (PPTX) from Markdown, split by {@link SlideOutline}. */
final class SlideRenderer {
    private SlideRenderer() {}

    static byte[] of(String title, String text) throws UnrenderableText {
        var out = new ByteArrayOutputStream();
        try (var show = new XMLSlideShow()) {
            for (SlideOutline.Slide slide : SlideOutline.of(title, text)) {
                add(show, slide);
            }
            show.write(out);
            return out.toByteArray();
        } catch (IOException | RuntimeException e) {
            throw new UnrenderableText("The text could not be converted to a presentation.", e);
        }
    }

    private static void add(XMLSlideShow show, SlideOutline.Slide slide) {
        boolean cover = slide.lines().isEmpty();
        XSLFSlideLayout layout =
                show.getSlideMasters().getFirst().getLayout(cover ? SlideLayout.TITLE : SlideLayout.TITLE_AND_CONTENT);
        XSLFSlide created = show.createSlide(layout);
        List<XSLFTextShape> places = new ArrayList<>(List.of(created.getPlaceholders()));
        places.getFirst().setText(printable(slide.title()));
        places.getFirst().getTextParagraphs().forEach(paragraph -> orient(paragraph, slide.title()));
        if (cover) {
            places.stream().skip(1).forEach(created::removeShape);
            return;
        }
        XSLFTextShape body = places.get(1);
        body.clearText();
        for (SlideOutline.OutlineLine line : slide.lines()) {
            XSLFTextParagraph paragraph = body.addNewTextParagraph();
            paragraph.setIndentLevel(Math.min(line.level(), 4));
            paragraph.setBullet(line.bullet());
            var run = paragraph.addNewTextRun();
            run.setText(printable(line.text()));
            orient(paragraph, line.text());
            run.setFontSize(line.code() ? 14.0 : 20.0);
            if (line.code()) {
                run.setFontFamily("Courier New");
            }
        }
        places.stream().skip(2).forEach(created::removeShape);
    }

    /** Without characters that XML cannot hold. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\uFFFE\uFFFF&&[^\t]]", "");
    }

    /** A viewer reorders and shapes the text, but does not find out the direction of a paragraph. */
    private static void orient(XSLFTextParagraph paragraph, String text) {
        if (RightToLeft.isDirectionOf(text)) {
            CTTextParagraph xml = paragraph.getXmlObject();
            (xml.isSetPPr() ? xml.getPPr() : xml.addNewPPr()).setRtl(true);
        }
    }
}
