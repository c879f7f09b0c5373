package dev.parley.organization.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressUrl;
import java.util.ArrayList;
import java.util.List;

/**
 * The provider's metadata (OpenID Connect Discovery 1.0).
 *
 * @param authorizationEndpoint where the browser goes to sign in
 * @param tokenEndpoint where authorization codes are exchanged
 * @param keysUrl the signing keys
 * @param sendsIssuer whether its redirects name the issuer (RFC 9207)
 * @param acceptsSecretInBodyOnly whether the client secret goes into the request body and not into a header
 */
record OidcMetadata(
        String authorizationEndpoint,
        String tokenEndpoint,
        String keysUrl,
        boolean sendsIssuer,
        boolean acceptsSecretInBodyOnly) {
    /** Parses a discovery document, which must name this issuer. */
    static OidcMetadata parse(JsonNode document, String issuer) {
        if (!document.path("issuer").asText().equals(issuer)) {
            throw OidcRejection.unavailable("The discovery document does not name the issuer in PARLEY_OIDC_ISSUER.");
        }
        boolean requiresTls = issuer.startsWith("https://");
        List<String> authMethods = new ArrayList<>();
        document.path("token_endpoint_auth_methods_supported").forEach(method -> authMethods.add(method.asText()));
        return new OidcMetadata(
                url(document, "authorization_endpoint", requiresTls),
                url(document, "token_endpoint", requiresTls),
                url(document, "jwks_uri", requiresTls),
                document.path("authorization_response_iss_parameter_supported").asBoolean(false),
                authMethods.contains("client_secret_post") && !authMethods.contains("client_secret_basic"));
    }

    private static String url(JsonNode document, String member, boolean requiresTls) {
        String url = document.path(member).asText();
        try {
            if (EgressUrl.parse(url).scheme().equals("https") || !requiresTls) {
                return url;
            }
        } catch (EgressException malformed) {
            // Rejected below, like a URL without TLS.
        }
        throw OidcRejection.unavailable("The discovery document has no usable '" + member + "'.");
    }
}
