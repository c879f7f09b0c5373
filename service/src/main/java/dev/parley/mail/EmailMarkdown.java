package dev.parley.mail;

import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;
import org.jsoup.safety.Safelist;

/**
 * Renders the Markdown of agents and people for emails. Raw HTML is escaped. Links show their address as text and images
 * only their description: an email of this service must not lead readers elsewhere or load anything.
 */
final class EmailMarkdown {
    private static final Parser PARSER = Parser.builder().build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().escapeHtml(true).softbreak("<br>").build();
    private static final Safelist TAGS = new Safelist()
            .addTags("p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr")
            .addTags("h1", "h2", "h3", "h4", "h5", "h6");

    private EmailMarkdown() {}

    static String html(String markdown) {
        Document page = Jsoup.parseBodyFragment(RENDERER.render(PARSER.parse(markdown)));
        for (Element image : page.select("img")) {
            image.replaceWith(new TextNode(image.attr("alt")));
        }
        for (Element link : page.select("a")) {
            String address = link.attr("href");
            if (!link.text().equals(address)) {
                link.appendText(" (" + address + ")");
            }
        }
        page.outputSettings().prettyPrint(false);
        return Jsoup.clean(page.body().html(), "", TAGS, page.outputSettings()) + "\n";
    }
}
