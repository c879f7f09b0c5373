package dev.parley.mail;

import java.util.ArrayList;
import java.util.List;
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

    private static final String TABLE_START = "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\""
            + " style=\"margin: 0 0 16px; border-collapse: collapse\">\n";
    private static final String TABLE_END = "</table>\n";

    private final List<EmailPart> parts = new ArrayList<>();
    private String footer = "";
    private EmailPart footerLink = new EmailPart("", "");

    private record EmailPart(String text, String html) {}

    private EmailTemplate add(String text, String html) {
        parts.add(new EmailPart(text, html));
        return this;
    }

    public EmailTemplate heading(String title) {
        return add(
                title + "\n",
                "<h1 style=\"margin: 0 0 12px; font-size: 20px; line-height: 1.3\">" + escaped(title) + "</h1>\n");
    }

    /** Line breaks are kept. */
    public EmailTemplate paragraph(String content) {
        return add(
                content + "\n", "<p style=\"margin: 0 0 16px; white-space: pre-wrap\">" + escaped(content) + "</p>\n");
    }

    /** Adds Markdown, which the plain text shows as it is. Its links and images become text. */
    public EmailTemplate markdown(String content) {
        return add(content + "\n", EmailMarkdown.html(content));
    }

    /** Adds a row to the table that the previous part is, or else to a new one. */
    public EmailTemplate row(String label, String value) {
        boolean continues = !parts.isEmpty() && parts.getLast().html.startsWith(TABLE_START);
        EmailPart before = continues ? parts.removeLast() : new EmailPart("", TABLE_START + TABLE_END);
        String row = """
                <tr><td style="padding: 3px 16px 3px 0; color: #5c636a; vertical-align: top%s">%s</td>\
                <td style="padding: 3px 0; vertical-align: top; white-space: pre-wrap">%s</td></tr>
                """.formatted(
                label.length() > MAX_UNWRAPPED_LABEL ? "" : "; white-space: nowrap", escaped(label), escaped(value));
        String rows = before.html.substring(0, before.html.length() - TABLE_END.length());
        return add(before.text + label + ": " + value + "\n", rows + row + TABLE_END);
    }

    /**
     * Adds a button.
     *
     * @param url an http or https URL of this service, never one that a user supplied
     */
    public EmailTemplate link(String label, String url) {
        return add(label + ":\n" + url + "\n", """
                <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 8px 0 16px">
                <tr><td bgcolor="#3b5bdb" style="border-radius: 6px; background: #3b5bdb">\
                <a href="%s" style="display: inline-block; padding: 11px 20px; color: #ffffff; font-weight: 600; \
                text-decoration: none">%s</a></td></tr>
                </table>
                """.formatted(escaped(url), escaped(label)));
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
        footerLink = new EmailPart(
                label + ": " + url + "\n",
                "<br><a href=\"" + escaped(url) + "\" style=\"color: #5c636a\">" + escaped(label) + "</a>");
        return this;
    }

    public String text() {
        String content = rendered(EmailPart::text, "\n");
        return footer.isEmpty() ? content : content + "\n" + footer + "\n" + footerLink.text;
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
                """.formatted(FONT, rendered(EmailPart::html, ""), escaped(footer) + footerLink.html);
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
