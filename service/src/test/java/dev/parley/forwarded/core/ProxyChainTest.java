package dev.parley.forwarded.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.CpuTime;
import dev.parley.egress.core.CidrRange;
import dev.parley.forwarded.TrustedProxies;
import dev.parley.settings.SettingsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's address behind the proxies 10.0.0.0/8 and 2001:db8:1::/48. */
class ProxyChainTest {
    private final ProxyChain chain = new ProxyChain(List.of(
            CidrRange.parse("10.0.0.0/8").orElseThrow(),
            CidrRange.parse("2001:db8:1::/48").orElseThrow()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // peer | X-Forwarded-For | client
                "192.0.2.1 | 198.51.100.7 | 192.0.2.1",
                "10.0.0.1 | 198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | 203.0.113.9, 198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | 203.0.113.9,198.51.100.7,10.0.0.2 | 198.51.100.7",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | 198.51.100.7:4711 | 198.51.100.7",
                "10.0.0.1 | [2001:db8::7]:4711 | 2001:db8::7",
                "10.0.0.1 | 2001:db8::7 | 2001:db8::7",
                "2001:db8:1::1 | ::ffff:198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | unknown | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7, unknown, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | 198.51.100.7, | 10.0.0.1",
                "10.0.0.1 | '' | 10.0.0.1",
                "10.0.0.1 | 0x7f.1 | 10.0.0.1",
            })
    void xForwardedFor(String peer, String header, String client) {
        assertThat(chain.client(address(peer), List.of(header), List.of())).isEqualTo(address(client));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | for=198.51.100.7 | 192.0.2.1",
                "10.0.0.1 | for=198.51.100.7;proto=https;by=10.0.0.1 | 198.51.100.7",
                "10.0.0.1 | For=\"[2001:db8::7]:4711\" | 2001:db8::7",
                "10.0.0.1 | for=203.0.113.9, for=198.51.100.7;proto=http | 198.51.100.7",
                "10.0.0.1 | for=198.51.100.7, proto=https;for=10.0.0.2 | 198.51.100.7",
                "10.0.0.1 | for=\"a, for=203.0.113.9\", for=198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | for=_hidden | 10.0.0.1",
                "10.0.0.1 | for=198.51.100.7, by=10.0.0.2 | 10.0.0.1",
                "10.0.0.1 | for=198.51.100.7 and more | 10.0.0.1",
                "10.0.0.1 | for=\"198.51.100.7 | 10.0.0.1",
            })
    void forwarded(String peer, String header, String client) {
        assertThat(chain.client(address(peer), List.of(), List.of(header))).isEqualTo(address(client));
    }

    @ParameterizedTest
    @CsvSource({"198.51.100.7,198.51.100.7", "203.0.113.9,10.0.0.1"})
    void bothCountOnlyWhereTheyAgree(String other, String client) {
        assertThat(chain.client(address("10.0.0.1"), List.of("198.51.100.7"), List.of("for=" + other)))
                .isEqualTo(address(client));
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "proxy.example", "10.0.0.1;10.0.0.2", "127.1"})
    void aWrongSettingIsRefusedInOneSentence(String entry) {
        assertThatThrownBy(() -> TrustedProxies.parse("::1, " + entry))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("PARLEY_TRUSTED_PROXIES must be")
                .hasMessageEndingWith("not '" + entry + "'.");
    }

    /** Each took a second when the pattern was tried at each position. */
    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "for=1;", "for="})
    void longHeadersAreReadInLinearTime(String part) {
        String header = part.repeat(500_000 / part.length());
        assertThat(CpuTime.of(() -> chain.client(address("10.0.0.1"), List.of(), List.of(header))))
                .isLessThan(Duration.ofSeconds(10));
    }
}
