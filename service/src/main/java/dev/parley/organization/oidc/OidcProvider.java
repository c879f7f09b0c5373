package dev.parley.organization.oidc;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.http.json.StrictJson;
import dev.parley.settings.Settings;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The configured OpenID Connect provider. The issuer's host may be private, because the operator configured it; other
 * hosts in its metadata are subject to the egress rules. The first sign-in contacts it, so it may be down when the
 * service starts.
 */
final class OidcProvider implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final long MAX_RESPONSE_BYTES = 256 * 1024;
    private static final int MAX_CONNECTIONS = 16;
    private static final Logger LOG = Logger.getLogger(OidcProvider.class);
    private static final TypeReference<Map<String, @Nullable Object>> CLAIMS = new TypeReference<>() {};

    private final Settings.Oidc settings;
    private final String configuredIssuer;
    private final String redirectUri;
    private final EgressClient client;
    private final CachedDocument<OidcMetadata> metadata;
    private final IdTokenValidator idTokens;

    /** @param redirectUri where the provider sends the browser back to */
    OidcProvider(Settings.Oidc settings, String redirectUri, EgressRules rules, Clock clock) {
        this.settings = settings;
        this.configuredIssuer = settings.issuer().toString();
        this.redirectUri = redirectUri;
        this.client = new EgressClient(allowing(settings.issuer(), rules), MAX_CONNECTIONS, 2 * MAX_CONNECTIONS);
        this.metadata = new CachedDocument<>(this::fetchMetadata, clock);
        this.idTokens = new IdTokenValidator(settings.clientId(), new CachedDocument<>(this::fetchKeys, clock), clock);
    }

    /** The display name. */
    String name() {
        return settings.name();
    }

    /** The URL that the browser opens to sign in. */
    String authorizationUrl(OidcAttempt attempt) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", settings.clientId());
        query.put("redirect_uri", redirectUri);
        query.put("scope", metadata.get().hasProfileScope() ? "openid email profile" : "openid email");
        query.put("state", attempt.state());
        query.put("nonce", attempt.nonce());
        query.put("code_challenge", attempt.challenge());
        query.put("code_challenge_method", "S256");
        String endpoint = metadata.get().authorizationEndpoint();
        return endpoint + (endpoint.contains("?") ? "&" : "?") + form(query);
    }

    /**
     * Whether a redirect's issuer is this one (RFC 9207).
     *
     * @param redirectIssuer empty if the redirect names none, which is valid unless the provider always sends it
     */
    boolean isOwnRedirect(String redirectIssuer) {
        return redirectIssuer.isEmpty()
                ? !metadata.get().sendsIssuer()
                : OidcMetadata.isSameIssuer(redirectIssuer, configuredIssuer);
    }

    /** Exchanges the authorization code for tokens, and validates the ID token. */
    OidcTokens exchange(String code, OidcAttempt attempt) {
        OidcMetadata endpoints = metadata.get();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "authorization_code");
        fields.put("code", code);
        fields.put("redirect_uri", redirectUri);
        fields.put("code_verifier", attempt.verifier());
        boolean secretInBody = secretGoesIntoBody(endpoints);
        if (secretInBody) {
            fields.put("client_id", settings.clientId());
            fields.put("client_secret", settings.clientSecret());
        }
        EgressRequest request = EgressRequest.post(
                endpoints.tokenEndpoint(),
                "application/x-www-form-urlencoded",
                form(fields).getBytes(StandardCharsets.UTF_8));
        EgressResponse response =
                send(secretInBody ? request : request.withHeader("Authorization", basicCredentials()));
        if (response.status() == 400 || response.status() == 401) {
            throw OidcRejection.notTrusted("The provider rejected the code or the client credentials with status "
                    + response.status() + errorCode(response) + ".");
        }
        JsonNode tokens = json(response);
        String scope = tokens.path("scope").asText("");
        return new OidcTokens(
                endpoints.issuer(),
                idTokens.validate(tokens.path("id_token").asText(""), endpoints.issuer(), attempt.nonce()),
                tokens.path("access_token").asText(""),
                scope.isEmpty() || Stream.of(scope.split("[ ,]", -1)).anyMatch(granted -> granted.endsWith("email")));
    }

    /**
     * Returns the user with a verified address, for which it asks the userinfo endpoint if the ID token has none. An
     * endpoint that does not respond might deny the address, so the sign-in fails, also in a trusted domain.
     */
    OidcIdentity identify(OidcTokens tokens) {
        var verification = new AddressVerification(tokens.issuer(), settings.trustedDomains());
        Map<String, Object> userInfo = AddressVerification.needsUserInfo(tokens) ? userInfo(tokens) : Map.of();
        return OidcIdentity.of(tokens, verification.verifiedAddress(tokens, userInfo), userInfo);
    }

    /** Empty without an endpoint. The response must be about the ID token's subject. */
    private Map<String, Object> userInfo(OidcTokens tokens) {
        Optional<String> endpoint = metadata.get().userInfoEndpoint();
        if (endpoint.isEmpty()) {
            return Map.of();
        }
        if (tokens.accessToken().isEmpty()) {
            throw OidcRejection.unavailable("The provider returned no access token for its userinfo endpoint.");
        }
        String url = OidcMetadata.requireUsable(
                endpoint.get(), "userinfo_endpoint", configuredIssuer.startsWith("https://"));
        EgressResponse response =
                send(EgressRequest.get(url).withHeader("Authorization", "Bearer " + tokens.accessToken()));
        if (response.status() != 200) {
            throw OidcRejection.unavailable(
                    "The userinfo endpoint of the provider responded with status " + response.status() + ".");
        }
        boolean isSigned = response.header("Content-Type")
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("application/jwt"))
                .isPresent();
        Map<String, Object> claims = OidcTokens.present(
                isSigned
                        ? idTokens.validateUserInfo(response.text().strip(), tokens.issuer())
                        : StrictJson.mapper().convertValue(json(response), CLAIMS));
        if (!tokens.subject().equals(String.valueOf(claims.get("sub")))) {
            throw OidcRejection.notTrusted("The userinfo endpoint returned another subject than the ID token's.");
        }
        return claims;
    }

    /** As the metadata says; if both are offered, credentials that a header would have to encode go into the body. */
    private boolean secretGoesIntoBody(OidcMetadata endpoints) {
        String credentials = settings.clientId() + settings.clientSecret();
        return endpoints.acceptsSecretInBody()
                && (!endpoints.acceptsSecretInHeader()
                        || !formEncoded(credentials).equals(credentials));
    }

    @Override
    public void close() {
        client.close();
    }

    private OidcMetadata fetchMetadata() {
        String url = OidcMetadata.withoutSlash(configuredIssuer) + "/.well-known/openid-configuration";
        return OidcMetadata.parse(json(send(EgressRequest.get(url))), configuredIssuer);
    }

    private JWKSet fetchKeys() {
        EgressResponse response = send(EgressRequest.get(metadata.get().keysUrl()));
        List<JWK> keys = new ArrayList<>();
        for (JsonNode key : json(response).path("keys")) {
            try {
                keys.add(JWK.parse(key.toString()));
            } catch (ParseException | IllegalArgumentException unsupported) {
                LOG.debugf("A key of the OpenID Connect provider is not supported: %s", unsupported.getMessage());
            }
        }
        if (keys.isEmpty()) {
            throw OidcRejection.unavailable("The provider's keys cannot be read.");
        }
        return new JWKSet(keys);
    }

    private EgressResponse send(EgressRequest request) {
        try {
            return client.execute(request.withHeader("Accept", "application/json")
                    .withDeadline(DEADLINE)
                    .withMaxResponseBytes(MAX_RESPONSE_BYTES));
        } catch (EgressException failed) {
            throw OidcRejection.unavailable(failed.detail(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw OidcRejection.unavailable("The service is shutting down.", interrupted);
        }
    }

    private static JsonNode json(EgressResponse response) {
        if (response.status() != 200) {
            throw OidcRejection.unavailable("The provider responded with status " + response.status() + ".");
        }
        try {
            JsonNode json = StrictJson.mapper().readTree(response.text());
            if (json.isObject()) {
                return json;
            }
        } catch (JacksonException malformed) {
            throw OidcRejection.unavailable("The provider's response is not JSON.", malformed);
        }
        throw OidcRejection.unavailable("The provider's response is not a JSON object.");
    }

    /** The provider's error code, such as {@code invalid_client}; nothing if there is none. */
    private static String errorCode(EgressResponse response) {
        try {
            String code =
                    StrictJson.mapper().readTree(response.text()).path("error").asText();
            return code.matches("[A-Za-z_]{1,60}") ? " (" + code + ")" : "";
        } catch (JacksonException malformed) {
            return "";
        }
    }

    private String basicCredentials() {
        String credentials = formEncoded(settings.clientId()) + ":" + formEncoded(settings.clientSecret());
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + formEncoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** Like a form, but in the way that servers read which decode like a URL, or not at all. */
    private static String formEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~");
    }

    private static EgressRules allowing(URI issuer, EgressRules rules) {
        String host = issuer.getHost().replaceAll("[\\[\\]]", "");
        int defaultPort = issuer.getScheme().equals("https") ? 443 : 80;
        return rules.allowing(host, issuer.getPort() < 0 ? defaultPort : issuer.getPort());
    }
}
