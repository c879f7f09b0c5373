package dev.parley.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The body of an email, rendered as plain text and as HTML. The HTML escapes all content. It uses tables and inline
 * styles only, as mail clients ignore most else, and sets each background with its text color, so that clients with a
 * dark theme keep or invert both.
 */
public final class EmailTemplate {
    /** Longer labels wrap, so that the values keep room on phones. */
    private static final int MAX_UNWRAPPED_LABEL = 20;

    private static final String FONT = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

    private final List<EmailPart> parts = new ArrayList<>();
    private String footer = "";
    private Optional<FooterLink> footerLink = Optional.empty();

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
            return "<h1 style=\"margin: 0 0 12px; font-size: 20px; line-height: 1.3\">" + escaped(title) + "</h1>\n";
        }
    }

    private record Paragraph(String content) implements EmailPart {
        @Override
        public String text() {
            return content + "\n";
        }

        @Override
        public String html() {
            return "<p style=\"margin: 0 0 16px; white-space: pre-wrap\">" + escaped(content) + "</p>\n";
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
                            <tr><td style="padding: 3px 16px 3px 0; color: #5c636a; vertical-align: top%s">%s</td>\
                            <td style="padding: 3px 0; vertical-align: top; white-space: pre-wrap">%s</td></tr>
                            """.formatted(
                                    row.label.length() > MAX_UNWRAPPED_LABEL ? "" : "; white-space: nowrap",
                                    escaped(row.label),
                                    escaped(row.value)))
                    .collect(Collectors.joining(
                            "",
                            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\""
                                    + " style=\"margin: 0 0 16px; border-collapse: collapse\">\n",
                            "</table>\n"));
        }
    }

    private record ButtonLink(String label, String url) implements EmailPart {
        @Override
        public String text() {
            return label + ":\n" + url + "\n";
        }

        @Override
        public String html() {
            return """
                    <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 8px 0 16px">
                    <tr><td bgcolor="#3b5bdb" style="border-radius: 6px; background: #3b5bdb">\
                    <a href="%s" style="display: inline-block; padding: 11px 20px; color: #ffffff; font-weight: 600; \
                    text-decoration: none">%s</a></td></tr>
                    </table>
                    """.formatted(escaped(url), escaped(label));
        }
    }

    private record FooterLink(String label, String url) {
        String text() {
            return label + ": " + url + "\n";
        }

        String html() {
            return "<br><a href=\"" + escaped(url) + "\" style=\"color: #5c636a\">" + escaped(label) + "</a>";
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

    /**
     * Adds a button.
     *
     * @param url an http or https URL of this service, never one that a user supplied
     */
    public EmailTemplate link(String label, String url) {
        parts.add(new ButtonLink(label, url));
        return this;
    }

    /** Sets the sentence below the content that says why the reader gets the email. */
    public EmailTemplate footer(String sentence) {
        footer = sentence;
        return this;
    }

    /**
     * Adds a link below the footer's sentence.
     *
     * @param url as for {@link #link}
     */
    public EmailTemplate footerLink(String label, String url) {
        footerLink = Optional.of(new FooterLink(label, url));
        return this;
    }

    public String text() {
        String content = rendered(EmailPart::text, "\n");
        String end = footerLink.map(FooterLink::text).orElse("");
        return footer.isEmpty() ? content : content + "\n" + footer + "\n" + end;
    }

    public String html() {
        return """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1"></head>
                <body style="margin: 0; padding: 0; background: #f1f3f5">
                <table role="presentation" width="100%%" cellpadding="0" cellspacing="0" bgcolor="#f1f3f5" \
                style="background: #f1f3f5"><tr><td align="center" style="padding: 20px 10px">
                <table role="presentation" width="600" cellpadding="0" cellspacing="0" \
                style="width: 100%%; max-width: 600px; table-layout: fixed; text-align: left">
                <tr><td style="padding: 0 4px 10px; %1$s; font-size: 16px; font-weight: 700; color: #364fc7">Parley</td></tr>
                <tr><td bgcolor="#ffffff" style="padding: 24px 20px 8px; border: 1px solid #dee2e6; border-radius: 8px; \
                background: #ffffff; color: #212529; %1$s; font-size: 15px; line-height: 1.5; overflow-wrap: anywhere">
                %2$s</td></tr>
                <tr><td style="padding: 12px 4px; %1$s; font-size: 12px; line-height: 1.5; color: #5c636a">%3$s</td></tr>
                </table>
                </td></tr></table>
                </body></html>
                """.formatted(
                        FONT,
                        rendered(EmailPart::html, ""),
                        escaped(footer) + footerLink.map(FooterLink::html).orElse(""));
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
