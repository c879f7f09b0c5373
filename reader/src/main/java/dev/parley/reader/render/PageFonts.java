package dev.parley.reader.render;

import java.io.IOException;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.TextNode;

/**
 * The fonts of a page. Every page has Liberation Sans; the others are loaded only for characters that it lacks. Their
 * files, in {@code src/main/resources/fonts}, contain only characters that can be shown correctly without further
 * shaping.
 */
final class PageFonts {
    /** Small files first. */
    private static final List<String> FALLBACK = List.of(
            "NotoSans",
            "NotoSansThai",
            "NotoSansArmenian",
            "NotoSansGeorgian",
            "NotoSansMono",
            "NotoSansArabic",
            "NotoSansEthiopic",
            "NotoSansSymbols",
            "NotoEmoji",
            "NotoSansMath",
            "NotoSansSymbols2",
            "DroidSansFallback",
            "NotoSansJP",
            "NotoSansSC");

    private static final int OBJECT_REPLACEMENT = 0xFFFC;

    private PageFonts() {}

    /**
     * Composes the characters of a page, and removes those that are invisible in any font.
     *
     * @return the names of the fonts that the page needs beyond Liberation
     * @throws UnrenderableText if no font has a character of the page
     */
    static List<String> prepare(Document page) throws IOException, UnrenderableText {
        Set<Integer> missing = new LinkedHashSet<>();
        page.body().nodeStream(TextNode.class).forEach(node -> {
            String text = printable(node.getWholeText());
            node.text(text);
            text.codePoints().filter(PageFonts::isVisible).forEach(missing::add);
        });
        remove(missing, "/liberation/LiberationSans-Regular.ttf");
        List<String> fonts = new ArrayList<>();
        for (String font : FALLBACK) {
            if (!missing.isEmpty() && remove(missing, path(font))) {
                fonts.add(font);
            }
        }
        if (!missing.isEmpty()) {
            int first = missing.iterator().next();
            throw new UnrenderableText(
                    "A PDF cannot show the character %s (U+%04X). Use other characters or another type of file."
                            .formatted(Character.toString(first), first));
        }
        return fonts;
    }

    static InputStream open(String path) {
        return Objects.requireNonNull(PageFonts.class.getResourceAsStream(path), () -> "no font " + path);
    }

    static String path(String font) {
        return "/fonts/" + font + ".ttf";
    }

    private static String printable(String text) {
        var printable = new StringBuilder(text.length());
        Normalizer.normalize(text, Normalizer.Form.NFC)
                .codePoints()
                .filter(c -> Character.isWhitespace(c) || !(Character.isISOControl(c) || isVariationSelector(c)))
                .filter(c -> c != OBJECT_REPLACEMENT)
                .map(c -> c == '\u2028' || c == '\u2029' ? '\n' : c)
                .forEach(printable::appendCodePoint);
        return printable.toString();
    }

    private static boolean isVariationSelector(int c) {
        return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
    }

    /** Fonts position points below and in letters by rules that PDFBox does not apply. */
    private static boolean isHebrewPoint(int c) {
        return c >= 0x0591 && c <= 0x05C7 && Character.getType(c) == Character.NON_SPACING_MARK;
    }

    private static boolean isVisible(int c) {
        return !Character.isWhitespace(c) && !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
    }

    /** Whether the font has any of the characters, which are removed. */
    private static boolean remove(Set<Integer> characters, String path) throws IOException {
        try (TrueTypeFont font = new TTFParser().parse(new RandomAccessReadBuffer(open(path)))) {
            CmapLookup glyphs = font.getUnicodeCmapLookup();
            return characters.removeIf(c -> glyphs.getGlyphId(c) != 0 && !isHebrewPoint(c));
        }
    }
}
