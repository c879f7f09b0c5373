package dev.parley.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.settings.SettingsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressRulesTest {
    private static final Map<String, List<InetAddress>> NAMES = Map.of(
            "public.example", addresses("93.184.216.34", "2606:4700:4700::1111"),
            "private.example", addresses("10.0.0.1"),
            "mixed.example", addresses("93.184.216.34", "127.0.0.1"),
            "localhost", addresses("127.0.0.1"));

    private static List<InetAddress> addresses(String... literals) {
        return Arrays.stream(literals).map(InetAddress::ofLiteral).toList();
    }

    private static EgressRules rules(String allow) {
        return new EgressRules(EgressAllow.parse(allow), host -> {
            List<InetAddress> found = NAMES.get(host);
            if (found == null) {
                throw new UnknownHostException(host);
            }
            return found;
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com",
                "https://example.com/",
                "HTTPS://Example.COM:8443/a/b?c=d&e=%20",
                "http://example.com.:80/hook",
                "http://xn--bcher-kva.example/",
                "http://8.8.8.8/",
                "http://[2606:4700:4700::1111]:8080/",
                "http://single-label/",
                "http://1.example/",
                "http://example.com:/",
            })
    void aPublicUrlIsAccepted(String url) {
        assertThat(rules("").check(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "/path",
                "//example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "http:",
                "http://",
                "http:///path",
                "http:example.com",
                "http://user@example.com/",
                "http://user:secret@example.com/",
                "http://example.com@10.0.0.1/",
                "http://example.com:secret@",
                "http://example.com/#fragment",
                "http://example.com#",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:-1/",
                "http://example.com:80:80/",
                "http://example.com:http/",
                " http://example.com/",
                "http://example.com/a b",
                "http://example.com/\n",
                "http://example.com/\u0000",
                "http://example.com\\@10.0.0.1/",
                "http://b\u00fccher.example/",
                "http://\uff11\uff12\uff17.0.0.1/",
                "http://127\u30020\u30020\u30021/",
                "http://%31%32%37.0.0.1/",
                "http://example..com/",
                "http://.example.com/",
                "http://example.com../",
                "http://-example.com/",
                "http://under_score.example/",
                "http://./",
                "http://example.com//double",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://0177.0.0.1/",
                "http://8.8.8.08/",
                "http://8.8.8/",
                "http://8.8.8.256/",
                "http://8.8.8.8.8/",
                "http://example.0x8/",
                "http://[::ffff:8.8.8.8]/",
                "http://[::ffff:808:808]/",
                "http://[2606:4700::1%25eth0]/",
                "http://[2606:4700::1/",
                "http://[8.8.8.8]/",
                "http://0/",
                "http://0.0.0.0/",
                "http://127.0.0.1/",
                "http://127.0.0.1./",
                "http://10.0.0.1:8080/",
                "http://169.254.169.254/latest/meta-data/",
                "http://192.168.1.1/",
                "http://[::]/",
                "http://[::1]/",
                "http://[0:0:0:0:0:0:0:1]/",
                "http://[::7f00:1]/",
                "http://[::127.0.0.1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://[fd00::1]/",
                "http://localhost/",
                "http://LOCALHOST:8080/",
                "http://localhost./",
                "http://a.localhost/",
            })
    void anythingElseIsRefusedWithASentence(String url) {
        assertThat(rules("").check(url)).hasValueSatisfying(detail -> assertThat(detail)
                .endsWith(".")
                .doesNotContain("Exception")
                .doesNotContain("secret"));
    }

    @Test
    void aUrlHasAtMost2048Characters() {
        String longest = "http://example.com/" + "a".repeat(2048 - 19);
        assertThat(rules("").check(longest)).isEmpty();
        assertThat(rules("").check(longest + "a")).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "http://public.example/, true",
        "http://private.example/, false",
        "http://mixed.example/, false",
        "http://not-there.example/, true"
    })
    void aNameIsResolvedWhenAskedForAndEveryAddressCounts(String url, boolean good) throws Exception {
        assertThat(rules("").check(url)).isEmpty();
        assertThat(rules("").checkResolving(url).isEmpty()).isEqualTo(good);
    }

    @Test
    void theSentenceOfARefusedNameKeepsItsAddressSecret() throws Exception {
        assertThat(rules("").checkResolving("http://private.example/"))
                .hasValueSatisfying(
                        detail -> assertThat(detail).contains("private.example").doesNotContain("10.0.0.1"));
    }

    @Test
    void aNameThatResolvesTooSlowlyIsUnresolved() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        EgressRules slow = new EgressRules(EgressAllow.none(), host -> {
            try {
                never.await();
            } catch (InterruptedException cut) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        });
        long start = System.nanoTime();
        assertThat(slow.checkResolving("http://slow.example/")).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
        assertThatThrownBy(() -> slow.resolve("slow.example", 80))
                .isInstanceOfSatisfying(EgressException.class, e -> assertThat(e.kind())
                        .isEqualTo(EgressException.EgressFailureKind.UNRESOLVED));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost                  | http://localhost:9/        | true",
                "LocalHost                  | http://localhost:9/        | true",
                "localhost                  | http://127.0.0.1/          | false",
                "127.0.0.0/8                | http://127.0.0.1:9/        | true",
                "127.0.0.0/8                | http://localhost:9/        | true",
                "127.0.0.0/8                | http://[::1]/              | false",
                "::1                        | http://[::1]/              | true",
                "[::1]:8080                 | http://[::1]:8080/         | true",
                "[::1]:8080                 | http://[::1]:8081/         | false",
                "10.0.0.1                   | http://private.example/    | true",
                "10.0.0.1:80                | http://private.example/    | true",
                "10.0.0.1:81                | http://private.example/    | false",
                "private.example            | http://private.example/    | true",
                "private.example:443        | https://private.example/   | true",
                "private.example:443        | http://private.example/    | false",
                "private.example            | http://10.0.0.1/           | false",
                "private.example            | http://mixed.example/      | false",
                "other.example, 127.0.0.1 , | http://mixed.example/      | true",
                "10.0.0.0/8                 | http://mixed.example/      | false",
            })
    void theOperatorsListOpensExceptions(String allow, String url, boolean good) throws Exception {
        assertThat(rules(allow).checkResolving(url).isEmpty()).isEqualTo(good);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "host name",
                "http://localhost",
                "*.example",
                "localhost:0",
                "localhost:99999",
                "2130706433",
                "127.1",
                "a..b",
                "::1:",
                "[::1",
                "10.0.0.0/8:80"
            })
    void aWrongEntryIsNamedInASentence(String entry) {
        assertThatThrownBy(() -> EgressAllow.parse("localhost," + entry))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("PARLEY_EGRESS_ALLOW must be")
                .hasMessageEndingWith("not '" + entry + "'.");
    }

    @Test
    void anOperatorsOwnHostIsOpenedAtItsPortOnly() throws Exception {
        EgressRules rules = rules("").allowing("private.example", 11434);
        assertThat(rules.checkResolving("http://private.example:11434/v1")).isEmpty();
        assertThat(rules.checkResolving("http://private.example/v1")).isPresent();
        assertThat(rules.checkResolving("http://mixed.example:11434/v1")).isPresent();
    }
}
