package dev.parley.reader.render;

import com.openhtmltopdf.bidi.BidiReorderer;
import com.openhtmltopdf.bidi.BidiSplitter;
import com.openhtmltopdf.bidi.BidiTextRun;
import java.text.Bidi;
import java.util.HashMap;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Lays out Hebrew and Arabic text from right to left. */
final class RightToLeft {
    private static final Map<Integer, Integer> MIRRORED = mirrored("()[]{}<>«»‹›≤≥⟨⟩「」『』【】《》〈〉");

    private RightToLeft() {}

    static boolean isIn(String text) {
        return Bidi.requiresBidi(text.toCharArray(), 0, text.length());
    }

    static boolean isDirectionOf(String text) {
        return !new Bidi(text, Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT).baseIsLeftToRight();
    }

    /** The layout draws the markers of lists on the left. */
    static void writeListMarkers(Document page) {
        for (Element list : page.select("ul, ol")) {
            int number = list.attr("start").isEmpty() ? 1 : Integer.parseInt(list.attr("start"));
            for (Element item : list.children()) {
                if (isDirectionOf(item.wholeText())) {
                    Element first = item.firstElementChild();
                    Element start = first != null && first.normalName().equals("p") ? first : item;
                    start.prependText(list.normalName().equals("ol") ? number + ". " : "• ");
                    item.attr("style", "list-style-type: none");
                }
                number++;
            }
        }
    }

    private static Map<Integer, Integer> mirrored(String pairs) {
        Map<Integer, Integer> all = new HashMap<>();
        for (int i = 0; i < pairs.length(); i += 2) {
            all.put((int) pairs.charAt(i), (int) pairs.charAt(i + 1));
            all.put((int) pairs.charAt(i + 1), (int) pairs.charAt(i));
        }
        return all;
    }

    /** A text whose runs the layout would put in a wrong order. */
    static final class UnorderableRuns extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnorderableRuns(String text) {
            super(text);
        }
    }

    /**
     * The runs of a paragraph. The layout puts the runs of a line one after the other in the paragraph's direction, which
     * is right for two levels, the paragraph's and the one above.
     */
    static final class RunSplitter implements BidiSplitter {
        private Bidi bidi = new Bidi("", Bidi.DIRECTION_LEFT_TO_RIGHT);

        @Override
        public void setParagraph(String paragraph, byte direction) {
            int base = direction == RTL ? 1 : 0;
            bidi = new Bidi(paragraph, base == 1 ? Bidi.DIRECTION_RIGHT_TO_LEFT : Bidi.DIRECTION_LEFT_TO_RIGHT);
            for (int run = 0; run < bidi.getRunCount(); run++) {
                int level = bidi.getRunLevel(run);
                if (level < base || level > base + 1) {
                    String text = paragraph.substring(bidi.getRunStart(run), bidi.getRunLimit(run));
                    throw new UnorderableRuns(text.strip());
                }
            }
        }

        @Override
        public int countTextRuns() {
            return Math.max(1, bidi.getRunCount());
        }

        @Override
        public BidiTextRun getVisualRun(int run) {
            if (run >= bidi.getRunCount()) {
                return new BidiTextRun(0, bidi.getLength(), LTR);
            }
            int start = bidi.getRunStart(run);
            byte direction = bidi.getRunLevel(run) % 2 == 0 ? LTR : RTL;
            return new BidiTextRun(start, bidi.getRunLimit(run) - start, direction);
        }

        @Override
        public byte getBaseDirection(String paragraph) {
            return isDirectionOf(paragraph) ? RTL : LTR;
        }
    }

    static final class Reorderer implements BidiReorderer {
        /** A mark comes before its letter then: it has no width, and is drawn over what follows. */
        @Override
        public String reorderRTLTextToLTR(String text) {
            return new StringBuilder(text)
                    .reverse()
                    .codePoints()
                    .map(c -> MIRRORED.getOrDefault(c, c))
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }

        @Override
        public String shapeText(String text) {
            return ArabicForms.shape(text);
        }

        @Override
        public String deshapeText(String text) {
            return text;
        }

        @Override
        public boolean isLiveImplementation() {
            return true;
        }
    }
}
