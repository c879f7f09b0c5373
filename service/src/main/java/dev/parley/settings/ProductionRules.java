package dev.parley.settings;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What {@code parley serve} requires of the settings, beyond their being valid: nothing unsafe is a default that nobody
 * chose. {@code parley start} is for trying the service out and has none of these rules.
 */
record ProductionRules(SettingsReader reader) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String PREFIX = "PARLEY_";
    private static final Set<String> SETTINGS =
            Arrays.stream(Setting.values()).map(Setting::name).collect(Collectors.toSet());

    /** Read by the launcher. */
    private static final Set<String> OTHERS = Set.of("PARLEY_JAVA_FLAGS");

    /**
     * Throws one exception with all violations, one a line.
     *
     * @param names of the environment's variables; a misspelt setting would otherwise have no effect
     */
    void require(Collection<String> names) {
        List<String> violations = violations(names);
        if (!violations.isEmpty()) {
            throw new SettingsException("serve refuses to start:\n  " + String.join("\n  ", violations));
        }
    }

    List<String> violations(Collection<String> names) {
        List<String> violations = new ArrayList<>();
        names.stream()
                .filter(name -> name.startsWith(PREFIX) && !SETTINGS.contains(name) && !OTHERS.contains(name))
                .sorted()
                .forEach(name -> violations.add(name + " is not a setting: correct its name, or unset it."));
        if (reader.bool(Setting.PARLEY_DEMO)) {
            violations.add("PARLEY_DEMO must be false: the password of the demo organization is printed.");
        }
        if (isUnset(Setting.PARLEY_SECRET)) {
            violations.add("PARLEY_SECRET is required: a random master key of at least 32 characters.");
        }
        if (isUnset(Setting.PARLEY_ADMIN_EMAIL)) {
            violations.add("PARLEY_ADMIN_EMAIL is required: the address of the first operator.");
        }
        addOfPublicUrl(violations);
        addOfDatabase(violations);
        return violations;
    }

    private void addOfPublicUrl(List<String> violations) {
        if (isUnset(Setting.PARLEY_PUBLIC_URL)) {
            violations.add("PARLEY_PUBLIC_URL is required: the https address of the proxy in front of the service.");
            return;
        }
        URI url = reader.http(Setting.PARLEY_PUBLIC_URL, reader.text(Setting.PARLEY_PUBLIC_URL));
        if ("https".equals(url.getScheme())) {
            if (isUnset(Setting.PARLEY_TRUSTED_PROXIES)) {
                violations.add("PARLEY_TRUSTED_PROXIES is required with an https address: the addresses from which the"
                        + " proxies connect, such as 127.0.0.1.");
            }
        } else if (!LOOPBACK.contains(url.getHost())) {
            violations.add("PARLEY_PUBLIC_URL must begin with https: passwords and keys would be sent in clear text.");
        }
    }

    private void addOfDatabase(List<String> violations) {
        if (isUnset(Setting.PARLEY_DB_URL)) {
            violations.add("PARLEY_DB_URL is required: an external PostgreSQL, or the word 'embedded' for the one in"
                    + " PARLEY_DATA.");
            return;
        }
        reader.externalDatabase().map(database -> URI.create(database.jdbcUrl().substring("jdbc:".length()))).stream()
                .filter(Predicate.not(url -> LOOPBACK.contains(url.getHost())))
                .filter(url -> url.getQuery() == null || !url.getQuery().contains("sslmode="))
                .forEach(_ -> violations.add("PARLEY_DB_URL must end with a parameter sslmode: verify-full for TLS, or"
                        + " disable on a network that you trust."));
    }

    private boolean isUnset(Setting setting) {
        return reader.optional(setting).isEmpty();
    }
}
