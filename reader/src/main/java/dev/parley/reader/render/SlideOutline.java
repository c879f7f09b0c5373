package dev.parley.reader.render;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BulletList;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * Splits Markdown into slides: a heading of the first two levels, or a thematic break, starts a slide; content that
 * does not fit continues on the next.
 */
final class SlideOutline {
    private static final int LINES = 10;
    private static final int LINE = 400;
    private static final int MAX_SLIDES = 200;
    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();
    private static final TextContentRenderer TEXT = TextContentRenderer.builder()
            .extensions(List.of(TablesExtension.create()))
            .build();

    record OutlineLine(String text, int level, boolean bullet, boolean code) {}

    record Slide(String title, List<OutlineLine> lines) {}

    private final List<Slide> slides = new ArrayList<>();
    private String title;
    private boolean titled;
    private List<OutlineLine> lines = new ArrayList<>();

    private SlideOutline(String title) {
        this.title = title;
    }

    /** At least one slide. */
    static List<Slide> of(String name, String markdown) throws UnrenderableText {
        var outline = new SlideOutline(name);
        for (Node node = PARSER.parse(markdown).getFirstChild(); node != null; node = node.getNext()) {
            outline.block(node, 0);
        }
        outline.flush();
        if (outline.slides.isEmpty()) {
            outline.slides.add(new Slide(name, List.of()));
        }
        if (outline.slides.size() > MAX_SLIDES) {
            throw new UnrenderableText("The text has more than " + MAX_SLIDES + " slides.");
        }
        return outline.slides;
    }

    private void block(Node node, int level) {
        switch (node) {
            case Heading heading
            when heading.getLevel() <= 2 -> {
                flush();
                title = text(heading);
                titled = true;
            }
            case ThematicBreak _ -> flush();
            case BulletList list -> items(list, level);
            case OrderedList list -> items(list, level);
            case FencedCodeBlock code -> code(code.getLiteral());
            case IndentedCodeBlock code -> code(code.getLiteral());
            case TableRow row -> add(new OutlineLine(cells(row), level, false, false));
            case Heading _, Paragraph _ -> add(new OutlineLine(text(node), level, false, false));
            default -> {
                for (Node inner = node.getFirstChild(); inner != null; inner = inner.getNext()) {
                    block(inner, level);
                }
            }
        }
    }

    private void items(Node list, int level) {
        for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
            boolean first = true;
            for (Node inner = item instanceof ListItem ? item.getFirstChild() : null;
                    inner != null;
                    inner = inner.getNext()) {
                if (inner instanceof Paragraph && first) {
                    add(new OutlineLine(text(inner), level, true, false));
                    first = false;
                } else if (level < 4) {
                    block(inner, level + 1);
                }
            }
        }
    }

    private void code(String literal) {
        literal.lines().forEach(line -> add(new OutlineLine(line, 0, false, true)));
    }

    /** A long line continues on the next. */
    private void add(OutlineLine line) {
        String rest = line.text();
        boolean bullet = line.bullet();
        while (rest.length() > LINE) {
            int space = rest.lastIndexOf(' ', LINE);
            int end = space > 0 ? space : rest.offsetByCodePoints(0, rest.codePointCount(0, LINE));
            append(new OutlineLine(rest.substring(0, end), line.level(), bullet, line.code()));
            rest = rest.substring(space > 0 ? end + 1 : end);
            bullet = false;
        }
        append(new OutlineLine(rest, line.level(), bullet, line.code()));
    }

    private void append(OutlineLine line) {
        if (lines.size() == LINES) {
            flush();
        }
        lines.add(line);
    }

    private void flush() {
        if (titled || !lines.isEmpty()) {
            slides.add(new Slide(title, List.copyOf(lines)));
        }
        titled = false;
        lines = new ArrayList<>();
    }

    private static String cells(TableRow row) {
        List<String> cells = new ArrayList<>();
        for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
            cells.add(cell instanceof TableCell ? text(cell) : "");
        }
        return String.join("  |  ", cells);
    }

    private static String text(Node node) {
        return TEXT.render(node).replaceAll("\\s+", " ").strip();
    }
}
