package dev.parley.media.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.media.core.ByteRange.RequestedRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, 14.1.2 and 14.2, for a file of 100 bytes. */
class ByteRangeTest {
    private static final int SIZE = 100;

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-99, 0, 100",
        "bytes=0-100, 0, 100",
        "bytes=99-, 99, 1",
        "bytes=000000000000000000000000000005-6, 5, 2",
        "bytes=5-9223372036854775808, 5, 95",
        "bytes=5-99999999999999999999999, 5, 95",
        "bytes=-1, 99, 1",
        "bytes=-100, 0, 100",
        "bytes=-101, 0, 100",
        "bytes=-9223372036854775808, 0, 100",
        "BYTES= 5-6, 5, 2"
    })
    void aPartOfTheFile(String header, long first, long length) {
        assertThat(ByteRange.of(header, SIZE)).isEqualTo(new RequestedRange.RangePart(new ByteRange(first, length)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=100-",
                "bytes=100-200",
                "bytes=-0",
                "bytes=-00",
                "bytes=9223372036854775807-",
                "bytes=9223372036854775808-",
                "bytes=18446744073709551616-18446744073709551620",
                "bytes=99999999999999999999999999-"
            })
    void nothingThatTheFileHas(String header) {
        assertThat(ByteRange.of(header, SIZE)).isEqualTo(new RequestedRange.Unsatisfiable());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=0-1,4-5",
                "bytes=0-1, 4-5",
                "bytes=9-5",
                "bytes=18446744073709551620-18446744073709551616",
                "bytes=-",
                "bytes=",
                "bytes",
                "lines=1-2",
                "bytes=a-b",
                "bytes=1-b",
                "bytes=--1",
                "bytes=+1-2",
                "bytes=0x1-2",
                "bytes=1.5-2",
                "bytes=\u0661-\u0662",
                "0-1",
                ""
            })
    void ignoresUnsupportedHeaders(String header) {
        assertThat(ByteRange.of(header, SIZE)).isEqualTo(new RequestedRange.WholeFile());
    }

    @Test
    void anEmptyFileHasNoParts() {
        assertThat(ByteRange.of("bytes=0-", 0)).isEqualTo(new RequestedRange.Unsatisfiable());
        assertThat(ByteRange.of("bytes=-1", 0)).isEqualTo(new RequestedRange.Unsatisfiable());
        assertThat(ByteRange.of(null, 0)).isEqualTo(new RequestedRange.WholeFile());
    }
}
