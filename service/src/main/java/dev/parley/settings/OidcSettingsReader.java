package dev.parley.settings;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the settings of the OpenID Connect provider, and rejects issuers that do not stand for one organization. */
final class OidcSettingsReader {
    private static final String DISCOVERY = "/.well-known/";
    private static final Set<String> ENTRA_HOSTS = Set.of(
            "login.microsoftonline.com",
            "login.microsoftonline.us",
            "login.microsoft.com",
            "login.partner.microsoftonline.cn",
            "login.chinacloudapi.cn",
            "login.windows.net",
            "sts.windows.net");

    /** The tenant of all personal Microsoft accounts. */
    private static final String ENTRA_CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

    private static final Set<String> ENTRA_MANY_TENANTS = Set.of("", "common", "organizations", "consumers");

    /** Providers with whom anyone can have an account. Google names the organization of an account in {@code hd}. */
    private static final Set<String> PUBLIC_HOSTS = Set.of(
            "access.line.me",
            "account.apple.com",
            "api.login.yahoo.com",
            "appleid.apple.com",
            "discord.com",
            "gitlab.com",
            "id.twitch.tv",
            "kauth.kakao.com",
            "login.live.com",
            "login.salesforce.com",
            "login.yahoo.com",
            "orcid.org",
            "slack.com",
            "test.salesforce.com",
            "www.facebook.com",
            "www.linkedin.com",
            "www.paypal.com");

    private OidcSettingsReader() {}

    static Optional<Settings.Oidc> read(SettingsReader reader) {
        Optional<String> issuer = reader.optional(Setting.PARLEY_OIDC_ISSUER);
        if (issuer.isEmpty()) {
            return Optional.empty();
        }
        URI url = issuer(reader, issuer.get());
        List<String> domains = domains(reader, Setting.PARLEY_OIDC_DOMAINS);
        Optional<String> organization = reader.optional(Setting.PARLEY_OIDC_ORGANIZATION);
        if (organization.isPresent() == domains.isEmpty()
                || organization.filter(id -> !id.matches("[0-9a-f]{32}")).isPresent()) {
            throw new SettingsException(
                    Setting.PARLEY_OIDC_ORGANIZATION,
                    "must be an id of 32 hex digits with PARLEY_OIDC_DOMAINS, and empty without.");
        }
        List<String> trustedDomains = domains(reader, Setting.PARLEY_OIDC_TRUSTED_DOMAINS);
        if (!trustedDomains.isEmpty() && isOpenToAnyone(url)) {
            throw new SettingsException(
                    Setting.PARLEY_OIDC_TRUSTED_DOMAINS,
                    "must be empty: anyone can have an account with the provider in PARLEY_OIDC_ISSUER, so its addresses "
                            + "cannot be trusted.");
        }
        return Optional.of(new Settings.Oidc(
                url,
                reader.required(Setting.PARLEY_OIDC_CLIENT_ID, Setting.PARLEY_OIDC_ISSUER),
                reader.required(Setting.PARLEY_OIDC_CLIENT_SECRET, Setting.PARLEY_OIDC_ISSUER),
                reader.text(Setting.PARLEY_OIDC_NAME),
                domains,
                organization,
                trustedDomains));
    }

    private static URI issuer(SettingsReader reader, String issuer) {
        if (issuer.contains("{") || issuer.toLowerCase(Locale.ROOT).contains("%7b")) {
            throw oneTenant();
        }
        URI url = reader.http(Setting.PARLEY_OIDC_ISSUER, issuer);
        boolean loopback = List.of("localhost", "127.0.0.1", "[::1]").contains(url.getHost());
        if (url.getRawQuery() != null
                || url.getRawFragment() != null
                || (url.getScheme().equals("http") && !loopback)) {
            throw new SettingsException(
                    Setting.PARLEY_OIDC_ISSUER,
                    "must be an https URL (http on this machine only) without query and fragment.");
        }
        if (url.getPath().contains(DISCOVERY)) {
            throw new SettingsException(
                    Setting.PARLEY_OIDC_ISSUER, "must be the issuer, which ends before '" + DISCOVERY + "'.");
        }
        if (isEntra(url) && ENTRA_MANY_TENANTS.contains(tenant(url))) {
            throw oneTenant();
        }
        return url;
    }

    private static SettingsException oneTenant() {
        return new SettingsException(
                Setting.PARLEY_OIDC_ISSUER,
                "must be the issuer of one tenant, such as https://login.microsoftonline.com/<tenant id>/v2.0: an issuer "
                        + "of many tenants lets each of them claim any email address.");
    }

    private static List<String> domains(SettingsReader reader, Setting setting) {
        List<String> domains = reader.domains(setting);
        if (domains.contains("*")) {
            throw new SettingsException(setting, "must name each domain, not '*'.");
        }
        return domains;
    }

    private static boolean isOpenToAnyone(URI issuer) {
        return PUBLIC_HOSTS.contains(host(issuer))
                || (isEntra(issuer) && tenant(issuer).equals(ENTRA_CONSUMERS));
    }

    private static boolean isEntra(URI issuer) {
        return ENTRA_HOSTS.contains(host(issuer));
    }

    /** Without the dot that may end a name. */
    private static String host(URI issuer) {
        return issuer.getHost().toLowerCase(Locale.ROOT).replaceAll("\\.$", "");
    }

    /** The first segment of the path that is not empty. */
    private static String tenant(URI issuer) {
        return issuer.getPath().toLowerCase(Locale.ROOT).replaceAll("^/+", "").replaceAll("/.*", "");
    }
}
