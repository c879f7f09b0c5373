package dev.parley.reader.render;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.NodeFilter.FilterResult;

/**
 * Sanitises HTML: removes scripts, forms, frames, event handlers and external resources. A page that loads a resource
 * reveals its reader and may leak data in the URL.
 */
final class SafeHtml {
    private static final Set<String> REMOVED = Set.of(
            "script",
            "iframe",
            "frame",
            "frameset",
            "object",
            "embed",
            "applet",
            "link",
            "base",
            "meta",
            "form",
            "input",
            "button",
            "textarea",
            "select",
            "audio",
            "video",
            "source",
            "track",
            "portal",
            "template",
            "noscript",
            "svg",
            "math");

    private static final Set<String> ADDRESSES = Set.of(
            "src",
            "srcset",
            "background",
            "poster",
            "action",
            "formaction",
            "data",
            "ping",
            "xlink:href",
            "longdesc",
            "manifest",
            "cite",
            "codebase",
            "usemap",
            "lowsrc",
            "dynsrc");

    private static final Parser MARKDOWN =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();
    private static final HtmlRenderer HTML = HtmlRenderer.builder()
            .extensions(List.of(TablesExtension.create()))
            .escapeHtml(true)
            .sanitizeUrls(true)
            .build();

    private SafeHtml() {}

    /** Whether a text is HTML rather than Markdown. */
    static boolean isHtml(String text) {
        String start =
                text.substring(0, Math.min(text.length(), 200)).stripLeading().toLowerCase(Locale.ROOT);
        return start.startsWith("<!doctype html")
                || start.matches(
                        "(?s)<(html|head|body|div|h[1-6]|p|table|section|article|main|header|ul|ol|style)[\\s>].*");
    }

    static String ofMarkdown(String text) {
        return HTML.render(MARKDOWN.parse(text));
    }

    /** A complete page, with its own styles and embedded images. */
    static String document(String title, String html) {
        Document page = clean(title, html);
        for (Element style : page.select("style")) {
            style.text(withoutAddresses(style.data()));
        }
        for (Element element : page.getAllElements()) {
            if (element.hasAttr("style")) {
                element.attr("style", withoutAddresses(element.attr("style")));
            }
        }
        return page.outerHtml();
    }

    /** A page of text alone, for PDFs: a style or an image could require unlimited pages or memory. */
    static Document plain(String title, String html) {
        Document page = clean(title, html);
        page.select("style").remove();
        page.select("img").forEach(image -> image.replaceWith(new org.jsoup.nodes.TextNode(image.attr("alt"))));
        for (Element element : page.getAllElements()) {
            for (String attribute :
                    List.of("style", "width", "height", "size", "class", "id", "cellpadding", "border")) {
                element.removeAttr(attribute);
            }
            for (String span : List.of("colspan", "rowspan", "start", "value")) {
                if (!element.attr(span).matches("[0-9]{0,2}")) {
                    element.removeAttr(span);
                }
            }
        }
        return page;
    }

    private static Document clean(String title, String html) {
        Document page = Jsoup.parse(html);
        for (Element element : page.getAllElements()) {
            if (REMOVED.contains(element.normalName()) || element.tagName().contains(":")) {
                element.remove();
                continue;
            }
            for (Attribute attribute : element.attributes().asList()) {
                if (isActive(element, attribute)) {
                    element.removeAttr(attribute.getKey());
                }
            }
        }
        page.filter((node, _) -> node instanceof org.jsoup.nodes.Comment ? FilterResult.REMOVE : FilterResult.CONTINUE);
        if (page.documentType() == null) {
            page.prependChild(new org.jsoup.nodes.DocumentType("html", "", ""));
        }
        page.charset(StandardCharsets.UTF_8);
        if (page.title().isBlank()) {
            page.title(title);
        }
        return page;
    }

    private static boolean isActive(Element element, Attribute attribute) {
        String name = attribute.getKey().toLowerCase(Locale.ROOT);
        String value =
                attribute.getValue() == null ? "" : attribute.getValue().strip().toLowerCase(Locale.ROOT);
        if (name.startsWith("on")) {
            return true;
        }
        if (name.equals("href")) {
            return !(value.startsWith("https://")
                    || value.startsWith("http://")
                    || value.startsWith("mailto:")
                    || value.startsWith("#"));
        }
        boolean held = element.normalName().equals("img")
                && name.equals("src")
                && value.matches("(?s)data:image/(png|jpeg|gif|webp);base64,.*");
        return ADDRESSES.contains(name) && !held;
    }

    private static String withoutAddresses(String css) {
        String lower = css.toLowerCase(Locale.ROOT);
        boolean loads = lower.contains("url")
                || lower.contains("@import")
                || lower.contains("\\")
                || lower.contains("image-set")
                || lower.contains("expression")
                || lower.contains("/*");
        return loads ? "" : css;
    }
}
