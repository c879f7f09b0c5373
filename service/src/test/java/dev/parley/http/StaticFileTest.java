package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaticFileTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "GZIP | true",
                "deflate, gzip;q=1.0 | true",
                "gzip ; q=0.001 | true",
                "* | true",
                "*;q=0.1 | true",
                "identity, *;q=0 | false",
                "gzip;q=0 | false",
                "gzip; q=0.000, * | false",
                "deflate, br | false",
                "xgzip | false",
                "'' | false"
            })
    void compressesIfAccepted(String codings, boolean accepted) {
        assertThat(StaticFile.acceptsGzip(codings)).isEqualTo(accepted);
        assertThat(StaticFile.acceptsGzip(null)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\" | true",
                "W/\"a\" | true",
                "\"b\",\"a\" | true",
                "\"b\" , W/\"a\" | true",
                "\"a-gzip\" | true",
                "W/\"a--gzip\" | true",
                "\"a;gzip\" | true",
                "\"a-br\" | true",
                "\"a\"-gzip | true",
                "\"a-b\" | false",
                "\"a-gzip-b\" | false",
                "* | true",
                "\"b\" | false",
                "a | false",
                "'' | false"
            })
    void aTagAmongThoseThatTheClientHas(String header, boolean matches) {
        assertThat(EntityTags.matches(header, "\"a\"")).isEqualTo(matches);
        assertThat(EntityTags.matches(header, "W/\"a\"")).isEqualTo(matches);
        assertThat(EntityTags.matches(null, "\"a\"")).isFalse();
    }

    @Test
    void thePlainFormIsSharedWhileItIsUsed() {
        byte[] content = "hello ".repeat(100).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        var file = new StaticFile(content, "text/plain");
        byte[] plain = file.plain();

        assertThat(plain).isEqualTo(content);
        assertThat(file.plain()).isSameAs(plain);
    }
}
