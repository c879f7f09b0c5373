package dev.parley.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A mail's body as text and as HTML. */
class EmailTemplateTest {
    private final EmailTemplate letter = new EmailTemplate()
            .heading("<b>Hello</b>")
            .paragraph("One\nTwo & \"three\"")
            .row("Name", "<img src=x onerror='alert(1)'>")
            .row("Number", "7")
            .link("Open <it>", "https://parley.example/a?b=\"c\"&d")
            .footer("Because of <that>.");

    @Test
    void everythingIsEscapedInTheHtml() {
        assertThat(letter.html())
                .contains("&lt;b&gt;Hello&lt;/b&gt;", "Two &amp; &quot;three&quot;", "Open &lt;it&gt;")
                .contains("href=\"https://parley.example/a?b=&quot;c&quot;&amp;d\"")
                .contains("&lt;img src=x onerror=&#39;alert(1)&#39;&gt;", "Because of &lt;that&gt;.")
                .doesNotContain("<b>", "<img", "<it>", "<that>");
    }

    @Test
    void markdownIsFormattedWithoutHtmlLinksOrImages() {
        String html = new EmailTemplate().markdown("""
                        * Reject lines over **€ 500**.

                        <script>alert(1)</script>

                        [Pay](https://bad.example/?a=1&b) ![Chart](https://bad.example/x.png)
                        [x](javascript:alert(1)) `<b>`""").html();

        assertThat(html)
                .contains("<li>Reject lines over <strong>€ 500</strong>.</li>", "<code>&lt;b&gt;</code>")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "Pay (https://bad.example/?a=1&amp;b) Chart")
                .doesNotContain("<script", "<a", "<img", "href", "src=");
    }

    @Test
    void shortLabelsStayOnOneLine() {
        assertThat(letter.html()).containsPattern("white-space: nowrap\">Number</td>");
        assertThat(new EmailTemplate()
                        .row("Name of the second applicant", "Ada")
                        .html())
                .doesNotContain("nowrap");
    }

    @Test
    void theFrameLoadsNothingAndSetsEachBackgroundWithItsTextColor() {
        assertThat(letter.html())
                .contains("max-width: 600px", "background: #ffffff; color: #212529")
                .doesNotContain("<style", "<link", "url(", "src=\"", "<script");
    }

    @Test
    void rendersTheText() {
        assertThat(letter.text()).isEqualTo("""
                <b>Hello</b>

                One
                Two & "three"

                Name: <img src=x onerror='alert(1)'>
                Number: 7

                Open <it>:
                https://parley.example/a?b="c"&d

                Because of <that>.
                """);
    }
}
