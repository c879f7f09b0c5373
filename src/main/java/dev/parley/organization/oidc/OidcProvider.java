package dev.parley.organization.oidc;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWKSet;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.http.StrictJson;
import dev.parley.settings.Settings;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The configured OpenID Connect provider. The issuer's host may be private, because the operator configured it; other
 * hosts in its metadata are subject to the egress rules. The first sign-in contacts it, so it may be down when the
 * service starts.
 */
final class OidcProvider implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final long MAX_RESPONSE_BYTES = 256 * 1024;
    private static final int MAX_CONNECTIONS = 16;

    private final Settings.Oidc settings;
    private final String issuer;
    private final String redirectUri;
    private final EgressClient client;
    private final CachedDocument<OidcMetadata> metadata;
    private final IdTokenValidator idTokens;

    /** @param redirectUri where the provider sends the browser back to */
    OidcProvider(Settings.Oidc settings, String redirectUri, EgressRules rules, Clock clock) {
        this.settings = settings;
        this.issuer = settings.issuer().toString();
        this.redirectUri = redirectUri;
        this.client = new EgressClient(allowing(settings.issuer(), rules), MAX_CONNECTIONS, 2 * MAX_CONNECTIONS);
        this.metadata = new CachedDocument<>(this::fetchMetadata, clock);
        this.idTokens =
                new IdTokenValidator(issuer, settings.clientId(), new CachedDocument<>(this::fetchKeys, clock), clock);
    }

    String issuer() {
        return issuer;
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
        query.put("scope", "openid email profile");
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
        return redirectIssuer.isEmpty() ? !metadata.get().sendsIssuer() : redirectIssuer.equals(issuer);
    }

    /** Exchanges the authorization code for an ID token, and returns the user of the validated token. */
    OidcIdentity exchange(String code, OidcAttempt attempt) {
        OidcMetadata endpoints = metadata.get();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "authorization_code");
        fields.put("code", code);
        fields.put("redirect_uri", redirectUri);
        fields.put("code_verifier", attempt.verifier());
        if (endpoints.acceptsSecretInBodyOnly()) {
            fields.put("client_id", settings.clientId());
            fields.put("client_secret", settings.clientSecret());
        }
        EgressRequest request = EgressRequest.post(
                endpoints.tokenEndpoint(),
                "application/x-www-form-urlencoded",
                form(fields).getBytes(StandardCharsets.UTF_8));
        EgressResponse response = send(
                endpoints.acceptsSecretInBodyOnly()
                        ? request
                        : request.withHeader("Authorization", basicCredentials()));
        if (response.status() == 400 || response.status() == 401) {
            throw OidcRejection.notTrusted(
                    "The provider rejected the code or the client credentials with status " + response.status() + ".");
        }
        return idTokens.validate(json(response).path("id_token").asText(), attempt.nonce());
    }

    @Override
    public void close() {
        client.close();
    }

    private OidcMetadata fetchMetadata() {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return OidcMetadata.parse(json(send(EgressRequest.get(base + "/.well-known/openid-configuration"))), issuer);
    }

    private JWKSet fetchKeys() {
        EgressResponse response = send(EgressRequest.get(metadata.get().keysUrl()));
        json(response);
        try {
            return JWKSet.parse(response.text());
        } catch (ParseException | IllegalArgumentException malformed) {
            throw OidcRejection.unavailable("The provider's keys cannot be read.", malformed);
        }
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

    private String basicCredentials() {
        String credentials = formEncoded(settings.clientId()) + ":" + formEncoded(settings.clientSecret());
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + formEncoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String formEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static EgressRules allowing(URI issuer, EgressRules rules) {
        String host = issuer.getHost().replaceAll("[\\[\\]]", "");
        int defaultPort = issuer.getScheme().equals("https") ? 443 : 80;
        return rules.allowing(host, issuer.getPort() < 0 ? defaultPort : issuer.getPort());
    }
}
