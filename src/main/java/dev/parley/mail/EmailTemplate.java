package dev.parley.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The body of an email, rendered as plain text and as HTML. The HTML escapes all content. */
public final class EmailTemplate {
    private final List<EmailPart> parts = new ArrayList<>();

    private sealed interface EmailPart {
        String text();

        String html();
    }

    private record Heading(String title) implements EmailPart {
        @Override
        public String text() {
            return title + "\n";
        }

        @Override
        public String html() {
            return "<h2 style=\"font-size: 19px\">" + escaped(title) + "</h2>\n";
        }
    }

    private record Paragraph(String content) implements EmailPart {
        @Override
        public String text() {
            return content + "\n";
        }

        @Override
        public String html() {
            return "<p style=\"white-space: pre-wrap\">" + escaped(content) + "</p>\n";
        }
    }

    private record Formatted(String markdown) implements EmailPart {
        @Override
        public String text() {
            return markdown + "\n";
        }

        @Override
        public String html() {
            return EmailMarkdown.html(markdown);
        }
    }

    private record LabelledValue(String label, String value) {}

    private record LabelledValues(List<LabelledValue> rows) implements EmailPart {
        @Override
        public String text() {
            return rows.stream().map(row -> row.label + ": " + row.value + "\n").collect(Collectors.joining());
        }

        @Override
        public String html() {
            return rows.stream()
                    .map(row -> """
                            <tr><td style="color: #666; padding: 2px 1em 2px 0; vertical-align: top; white-space: nowrap">%s</td>\
                            <td style="white-space: pre-wrap">%s</td></tr>
                            """.formatted(escaped(row.label), escaped(row.value)))
                    .collect(Collectors.joining("", "<table style=\"border-collapse: collapse\">\n", "</table>\n"));
        }
    }

    private record Link(String label, String url) implements EmailPart {
        @Override
        public String text() {
            return label + ":\n" + url + "\n";
        }

        @Override
        public String html() {
            return "<p><a href=\"" + escaped(url) + "\">" + escaped(label) + "</a></p>\n";
        }
    }

    public EmailTemplate heading(String title) {
        parts.add(new Heading(title));
        return this;
    }

    /** Line breaks are kept. */
    public EmailTemplate paragraph(String content) {
        parts.add(new Paragraph(content));
        return this;
    }

    /** Adds Markdown, which the plain text shows as it is. Its links and images become text. */
    public EmailTemplate markdown(String content) {
        parts.add(new Formatted(content));
        return this;
    }

    /** Adds a row to the table that the previous part is, or else to a new one. */
    public EmailTemplate row(String label, String value) {
        if (parts.isEmpty() || !(parts.getLast() instanceof LabelledValues)) {
            parts.add(new LabelledValues(new ArrayList<>()));
        }
        ((LabelledValues) parts.getLast()).rows.add(new LabelledValue(label, value));
        return this;
    }

    /** @param url an http or https URL of this service, never one that a user supplied */
    public EmailTemplate link(String label, String url) {
        parts.add(new Link(label, url));
        return this;
    }

    public String text() {
        return rendered(EmailPart::text, "\n");
    }

    public String html() {
        return """
                <!DOCTYPE html>
                <html><body style="font-family: sans-serif; font-size: 15px; color: #222; max-width: 40em; overflow-wrap: anywhere">
                """ + rendered(EmailPart::html, "") + "</body></html>\n";
    }

    private String rendered(Function<EmailPart, String> format, String separator) {
        return parts.stream().map(format).collect(Collectors.joining(separator));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
