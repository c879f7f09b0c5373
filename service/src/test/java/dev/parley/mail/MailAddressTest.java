package dev.parley.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one rule for addresses of accounts and recipients. */
class MailAddressTest {
    @ParameterizedTest
    @CsvSource({
        "ada@acme.example,ada@acme.example",
        "' Ada@ACME.example ',Ada@acme.example",
        "a.b+c_d-e'f@sub.acme.example,a.b+c_d-e'f@sub.acme.example",
        "a@localhost,a@localhost",
        "a@1and1.example,a@1and1.example",
        "a@bücher.example,a@xn--bcher-kva.example",
        "a@BÜCHER.example,a@xn--bcher-kva.example",
        "a@bu\u0308cher.example,a@xn--bcher-kva.example",
        "a@xn--bcher-kva.example,a@xn--bcher-kva.example",
        "a@例え.テスト,a@xn--r8jz45g.xn--zckzah"
    })
    void aPlainAddressIsValid(String text, String smtp) {
        assertThat(MailAddress.parse(text)).contains(smtp);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "@",
                "a@",
                "@acme.example",
                "<a@acme.example>",
                "Ada <a@acme.example>",
                "\"Ada\" <a@acme.example>",
                "mailto:a@acme.example",
                "a@acme.example (Ada)",
                "a@acme.example,b@acme.example",
                "a@acme.example, b@acme.example",
                "a@acme.example;b@acme.example",
                "a@acme.example b@acme.example",
                "a@b@acme.example",
                "a b@acme.example",
                "a@acme .example",
                "a@acme.example.",
                "a@.acme.example",
                "a@acme..example",
                "a@-acme.example",
                "a@acme-.example",
                "a@acme_1.example",
                ".a@acme.example",
                "a.@acme.example",
                "a..b@acme.example",
                "\"a b\"@acme.example",
                "\"a\"@acme.example",
                "a\\b@acme.example",
                "jürgen@acme.example",
                "\u212aelvin@acme.example",
                "\u0430da@acme.example",
                "a@[127.0.0.1]",
                "a@127.0.0.1",
                "a@acme.123",
                "a\u200b@acme.example",
                "a@acme\u200b.example",
                "a@acme\u00ad.example",
                "\u00a0a@acme.example",
                "a\n@acme.example",
                "a@acme.example\r\nbcc:b",
                "a@acme\u3002example",
                "a@\uff41cme.example",
                "a@stra\u00dfe.example",
                "a@ac\u212a.example"
            })
    void anythingElseIsInvalid(String text) {
        assertThat(MailAddress.parse(text)).isEmpty();
    }

    @Test
    void lengthsAreLimited() {
        String domain = ("d".repeat(60) + ".").repeat(4);
        assertThat(MailAddress.parse("a".repeat(64) + "@acme.example")).isPresent();
        assertThat(MailAddress.parse("a".repeat(65) + "@acme.example")).isEmpty();
        assertThat(MailAddress.parse("12345@" + domain + "test")).isPresent();
        assertThat(MailAddress.parse("123456@" + domain + "test")).isEmpty();
        assertThat(MailAddress.parse("a@" + "d".repeat(63) + ".example")).isPresent();
        assertThat(MailAddress.parse("a@" + "d".repeat(64) + ".example")).isEmpty();
        assertThat(MailAddress.parse("a@" + ("ü".repeat(40) + ".").repeat(6) + "example"))
                .isEmpty();
    }

    @Test
    void anAddressIsComparedInLowerCaseAndAnythingElseAsItIs() {
        assertThat(MailAddress.normalized(" Ada@BÜCHER.Example")).isEqualTo("ada@xn--bcher-kva.example");
        assertThat(MailAddress.normalized(" No Address ")).isEqualTo("no address");
    }
}
