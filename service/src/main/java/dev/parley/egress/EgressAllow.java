package dev.parley.egress;

import dev.parley.egress.core.CidrRange;
import dev.parley.egress.core.IpLiterals;
import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Destinations that the operator allows beyond public addresses (PARLEY_EGRESS_ALLOW): comma-separated host names,
 * addresses and CIDR ranges; names and addresses may have a port ({@code internal.example:8080}, {@code [::1]:8080}). A
 * name allows every address that it resolves to; a range allows its addresses under any name.
 */
public final class EgressAllow {
    private record AllowedTarget(Optional<String> host, Optional<CidrRange> range, int port) {
        boolean matchesPort(int requested) {
            return port == 0 || port == requested;
        }
    }

    private final List<AllowedTarget> entries;

    private EgressAllow(List<AllowedTarget> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Allows nothing beyond public addresses. */
    public static EgressAllow none() {
        return new EgressAllow(List.of());
    }

    /** @throws SettingsException with a sentence that names the invalid entry */
    public static EgressAllow parse(String setting) {
        List<AllowedTarget> entries = new ArrayList<>();
        for (String part : setting.split(",", -1)) {
            String text = part.strip();
            if (!text.isEmpty()) {
                entries.add(entry(text)
                        .orElseThrow(() -> new SettingsException(
                                Setting.PARLEY_EGRESS_ALLOW,
                                "must be a list of host names, addresses and CIDR ranges such as 10.0.0.0/8, not '"
                                        + text + "'.")));
            }
        }
        return new EgressAllow(entries);
    }

    /** Additionally allows this host at this port, whatever it resolves to. For addresses set by the operator. */
    public EgressAllow plus(String host, int port) {
        List<AllowedTarget> more = new ArrayList<>(entries);
        more.add(new AllowedTarget(Optional.of(host.toLowerCase(Locale.ROOT)), Optional.empty(), port));
        return new EgressAllow(more);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Whether the operator allows this address under this name. */
    boolean opens(String host, int port, InetAddress address) {
        return opensName(host, port)
                || entries.stream()
                        .anyMatch(entry -> entry.matchesPort(port)
                                && entry.range()
                                        .map(range -> range.contains(address))
                                        .orElse(false));
    }

    /** Whether the operator allows this name, whatever it resolves to. */
    boolean opensName(String host, int port) {
        return entries.stream()
                .anyMatch(entry -> entry.matchesPort(port)
                        && entry.host().map(host::equals).orElse(false));
    }

    private static Optional<AllowedTarget> entry(String text) {
        Optional<CidrRange> range = CidrRange.parse(text);
        if (range.isPresent()) {
            return Optional.of(new AllowedTarget(Optional.empty(), range, 0));
        }
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return host(text, 0);
        }
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535) {
            return Optional.empty();
        }
        return host(text.substring(0, colon), Integer.parseInt(port));
    }

    private static Optional<AllowedTarget> host(String text, int port) {
        String withoutBrackets =
                text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        Optional<CidrRange> address =
                withoutBrackets.contains("/") ? Optional.empty() : CidrRange.parse(withoutBrackets);
        if (address.isPresent()) {
            return Optional.of(new AllowedTarget(Optional.empty(), address, port));
        }
        String name = withoutBrackets.toLowerCase(Locale.ROOT);
        return EgressUrl.isName(name) && !IpLiterals.looksNumeric(name)
                ? Optional.of(new AllowedTarget(Optional.of(name), Optional.empty(), port))
                : Optional.empty();
    }
}
