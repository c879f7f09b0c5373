package dev.parley.egress.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "93.184.216.34",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "191.255.255.255",
                "192.0.1.0",
                "192.0.3.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "198.51.101.0",
                "203.0.112.255",
                "203.0.114.0",
                "223.255.255.255",
                "2000::1",
                "2001:200::1",
                "2001:db7:ffff::1",
                "2001:db9::1",
                "2003::1",
                "2606:4700:4700::1111",
                "2a00:1450:4001:81b::200e",
                "3ffe::1"
            })
    void publicUnicastIsAllowed(String address) {
        assertThat(AddressRules.isPublic(InetAddress.ofLiteral(address))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "this network, 0.0.0.0",
        "this network, 0.255.255.255",
        "private, 10.0.0.0",
        "private, 10.255.255.255",
        "CGNAT, 100.64.0.0",
        "CGNAT, 100.127.255.255",
        "loopback, 127.0.0.1",
        "loopback, 127.255.255.255",
        "link-local, 169.254.0.0",
        "cloud metadata, 169.254.169.254",
        "private, 172.16.0.0",
        "private, 172.31.255.255",
        "protocol assignments, 192.0.0.1",
        "documentation, 192.0.2.255",
        "6to4 relay, 192.88.99.1",
        "private, 192.168.0.1",
        "benchmark, 198.18.0.0",
        "benchmark, 198.19.255.255",
        "documentation, 198.51.100.1",
        "documentation, 203.0.113.1",
        "multicast, 224.0.0.1",
        "multicast, 239.255.255.255",
        "reserved, 240.0.0.0",
        "broadcast, 255.255.255.255",
        "unspecified, ::",
        "loopback, ::1",
        "v4-compatible, ::808:808",
        "NAT64, 64:ff9b::808:808",
        "local NAT64, 64:ff9b:1::808:808",
        "discard, 100::1",
        "unassigned, 1fff:ffff::1",
        "Teredo, 2001::1",
        "benchmark, 2001:2::1",
        "ORCHID, 2001:10::1",
        "ORCHIDv2, 2001:20::1",
        "last protocol assignment, 2001:1ff:ffff::1",
        "documentation, 2001:db8::1",
        "6to4, 2002:808:808::1",
        "documentation, 3fff:0fff::1",
        "unassigned, 4000::1",
        "SRv6, 5f00::1",
        "ULA, fc00::1",
        "ULA, fdff::1",
        "link-local, fe80::1",
        "link-local, febf::1",
        "site-local, fec0::1",
        "multicast, ff02::1"
    })
    void everythingElseIsRefused(String kind, String address) {
        assertThat(AddressRules.isPublic(InetAddress.ofLiteral(address)))
                .as(kind)
                .isFalse();
    }

    @Test
    void mappedV4IsRefusedInItsSixteenBytesAndJudgedAsV4WhenTheJdkUnwrapsIt() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 8, 8, 8, 8};
        assertThat(AddressRules.isPublic(mapped)).isFalse();
        mapped[12] = 127;
        assertThat(AddressRules.isPublic(InetAddress.getByAddress(mapped))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "10.1.2.3", "::1", "fc00::/7", "0.0.0.0/0", "::/0"})
    void rangesAreParsed(String range) {
        assertThat(CidrRange.parse(range)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10/8",
                "::1/129",
                "example.com/8",
                "1.2.3",
                "01.2.3.4",
                "::ffff:1.2.3.4",
                "fe80::1%eth0",
                "[::1]"
            })
    void anInvalidRangeIsEmpty(String range) {
        assertThat(CidrRange.parse(range)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.9.9.9, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "172.16.0.0/12, 172.31.0.1, true",
        "172.16.0.0/12, 172.32.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "fc00::/7, fdff::1, true",
        "fc00::/7, fe00::1, false"
    })
    void aRangeHoldsItsAddressesOnly(String range, String address, boolean holds) {
        assertThat(CidrRange.parse(range).orElseThrow().contains(InetAddress.ofLiteral(address)))
                .isEqualTo(holds);
    }
}
