package dev.parley.mail;

import java.util.ArrayList;
import java.util.List;

/** A mail's body, written once and read as text and as HTML. Whatever is put in is text, and escaped in the HTML. */
public final class EmailTemplate {
    private final List<EmailPart> parts = new ArrayList<>();

    private sealed interface EmailPart {}

    private record Heading(String text) implements EmailPart {}

    private record Paragraph(String text) implements EmailPart {}

    private record LabelledValue(String label, String value) implements EmailPart {}

    private record Link(String label, String url) implements EmailPart {}

    public EmailTemplate heading(String text) {
        parts.add(new Heading(text));
        return this;
    }

    /** Line breaks are kept. */
    public EmailTemplate paragraph(String text) {
        parts.add(new Paragraph(text));
        return this;
    }

    /** A line of a table. */
    public EmailTemplate row(String label, String value) {
        parts.add(new LabelledValue(label, value));
        return this;
    }

    /**
     * A link on a line of its own.
     *
     * @param url of ours, http or https
     */
    public EmailTemplate link(String label, String url) {
        parts.add(new Link(label, url));
        return this;
    }

    public String text() {
        var text = new StringBuilder();
        boolean inRows = false;
        for (EmailPart part : parts) {
            boolean row = part instanceof LabelledValue;
            if (!text.isEmpty() && !(row && inRows)) {
                text.append('\n');
            }
            inRows = row;
            switch (part) {
                case Heading heading -> text.append(heading.text).append('\n');
                case Paragraph paragraph -> text.append(paragraph.text).append('\n');
                case LabelledValue one ->
                    text.append(one.label).append(": ").append(one.value).append('\n');
                case Link link ->
                    text.append(link.label).append(":\n").append(link.url).append('\n');
            }
        }
        return text.toString();
    }

    public String html() {
        var html = new StringBuilder("""
                <!DOCTYPE html>
                <html><body style="font-family: sans-serif; font-size: 15px; color: #222; max-width: 40em">
                """);
        boolean inRows = false;
        for (EmailPart part : parts) {
            boolean row = part instanceof LabelledValue;
            if (row != inRows) {
                html.append(row ? "<table style=\"border-collapse: collapse\">\n" : "</table>\n");
            }
            inRows = row;
            switch (part) {
                case Heading heading ->
                    html.append("<h2 style=\"font-size: 19px\">")
                            .append(escaped(heading.text))
                            .append("</h2>\n");
                case Paragraph paragraph ->
                    html.append("<p style=\"white-space: pre-wrap\">")
                            .append(escaped(paragraph.text))
                            .append("</p>\n");
                case LabelledValue one ->
                    html.append("<tr><td style=\"color: #666; padding: 2px 1em 2px 0; vertical-align: top\">")
                            .append(escaped(one.label))
                            .append("</td><td style=\"white-space: pre-wrap\">")
                            .append(escaped(one.value))
                            .append("</td></tr>\n");
                case Link link ->
                    html.append("<p><a href=\"")
                            .append(escaped(link.url))
                            .append("\">")
                            .append(escaped(link.label))
                            .append("</a></p>\n");
            }
        }
        return html.append(inRows ? "</table>\n" : "")
                .append("</body></html>\n")
                .toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
