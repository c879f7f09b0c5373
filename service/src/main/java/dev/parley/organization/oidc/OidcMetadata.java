package dev.parley.organization.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressUrl;
import dev.parley.http.core.SingleLineText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The provider's metadata (OpenID Connect Discovery 1.0).
 *
 * @param issuer as the provider writes it, which may differ from the setting by a slash at the end
 * @param authorizationEndpoint where the browser goes to sign in
 * @param tokenEndpoint where authorization codes are exchanged
 * @param keysUrl the signing keys
 * @param userInfoEndpoint returns claims for an access token; may be an unusable URL
 * @param sendsIssuer whether its redirects name the issuer (RFC 9207)
 * @param acceptsSecretInHeader whether the client secret may go into a header
 * @param acceptsSecretInBody whether the client secret may go into the request body
 * @param hasProfileScope whether the scope {@code profile} may be requested
 */
record OidcMetadata(
        String issuer,
        String authorizationEndpoint,
        String tokenEndpoint,
        String keysUrl,
        Optional<String> userInfoEndpoint,
        boolean sendsIssuer,
        boolean acceptsSecretInHeader,
        boolean acceptsSecretInBody,
        boolean hasProfileScope) {
    private static final int MAX_SHOWN_ISSUER = 200;

    /** Parses a discovery document, which must name this issuer. */
    static OidcMetadata parse(JsonNode document, String issuer) {
        String named = document.path("issuer").asText();
        if (!isSameIssuer(named, issuer)) {
            throw OidcRejection.unavailable(mismatch(SingleLineText.of(named)));
        }
        boolean requiresTls = issuer.startsWith("https://");
        List<String> authMethods = texts(document, "token_endpoint_auth_methods_supported");
        List<String> scopes = texts(document, "scopes_supported");
        return new OidcMetadata(
                named,
                url(document, "authorization_endpoint", requiresTls),
                url(document, "token_endpoint", requiresTls),
                url(document, "jwks_uri", requiresTls),
                Optional.of(document.path("userinfo_endpoint").asText("")).filter(url -> !url.isEmpty()),
                document.path("authorization_response_iss_parameter_supported").asBoolean(false),
                authMethods.isEmpty() || authMethods.contains("client_secret_basic"),
                authMethods.contains("client_secret_post"),
                scopes.isEmpty() || scopes.contains("profile"));
    }

    /** Providers and people write an issuer with or without a slash at the end. */
    static boolean isSameIssuer(String one, String other) {
        return withoutSlash(one).equals(withoutSlash(other));
    }

    static String withoutSlash(String issuer) {
        return issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    }

    private static String mismatch(String named) {
        if (named.contains("{")) {
            return "The provider's issuer is a template for many tenants: set PARLEY_OIDC_ISSUER to that of your own.";
        }
        return named.isEmpty() || named.length() > MAX_SHOWN_ISSUER
                ? "The discovery document names no issuer."
                : "The discovery document names another issuer than PARLEY_OIDC_ISSUER: '" + named + "'.";
    }

    private static List<String> texts(JsonNode document, String member) {
        List<String> texts = new ArrayList<>();
        document.path(member).forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static String url(JsonNode document, String member, boolean requiresTls) {
        return requireUsable(document.path(member).asText(), member, requiresTls);
    }

    /** Returns a URL of the document, or throws {@link OidcRejection} if it must not be called. */
    static String requireUsable(String url, String member, boolean requiresTls) {
        try {
            if (EgressUrl.parse(url).scheme().equals("https") || !requiresTls) {
                return url;
            }
        } catch (EgressException _) {
            // Unusable, too.
        }
        throw OidcRejection.unavailable("The discovery document has no usable '" + member + "'.");
    }
}
