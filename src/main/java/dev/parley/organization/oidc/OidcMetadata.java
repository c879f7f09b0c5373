package dev.parley.organization.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressUrl;
import java.util.ArrayList;
import java.util.List;

/**
 * What the provider says of itself (OpenID Connect Discovery 1.0).
 *
 * @param authorization where the browser goes
 * @param token where codes are exchanged
 * @param keys where the keys of its signatures are
 * @param namesIssuer whether its redirects name the issuer, as RFC 9207 wants
 * @param secretInBody whether the client's secret goes into the body of requests and not into a header
 */
record OidcMetadata(String authorization, String token, String keys, boolean namesIssuer, boolean secretInBody) {
    /** Reads the document of an issuer; one of another issuer is no use, whoever sent it. */
    static OidcMetadata read(JsonNode document, String issuer) {
        if (!document.path("issuer").asText().equals(issuer)) {
            throw OidcRejection.unavailable("The discovery document is not of the issuer in PARLEY_OIDC_ISSUER.");
        }
        boolean tls = issuer.startsWith("https://");
        List<String> methods = new ArrayList<>();
        document.path("token_endpoint_auth_methods_supported").forEach(method -> methods.add(method.asText()));
        return new OidcMetadata(
                url(document, "authorization_endpoint", tls),
                url(document, "token_endpoint", tls),
                url(document, "jwks_uri", tls),
                document.path("authorization_response_iss_parameter_supported").asBoolean(false),
                methods.contains("client_secret_post") && !methods.contains("client_secret_basic"));
    }

    private static String url(JsonNode document, String member, boolean tls) {
        String url = document.path(member).asText();
        try {
            if (EgressUrl.parse(url).scheme().equals("https") || !tls) {
                return url;
            }
        } catch (EgressException malformed) {
            // Told below, together with what is not encrypted.
        }
        throw OidcRejection.unavailable("The discovery document has no usable '" + member + "'.");
    }
}
