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
 * The OpenID Connect provider of the settings. Its issuer's host may be private, since the operator named it; what its
 * discovery document names on other hosts is reached by the egress rules of everybody. Nothing is asked of it before
 * somebody wants to sign in, so that it may be down when the service starts.
 */
final class OidcProvider implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final long MOST_BYTES = 256 * 1024;
    private static final int CONNECTIONS = 16;

    private final Settings.Oidc settings;
    private final String issuer;
    private final String redirect;
    private final EgressClient client;
    private final CachedDocument<OidcMetadata> metadata;
    private final IdTokenValidator idTokens;

    /** @param redirect where the provider sends the browser back to */
    OidcProvider(Settings.Oidc settings, String redirect, EgressRules rules, Clock clock) {
        this.settings = settings;
        this.issuer = settings.issuer().toString();
        this.redirect = redirect;
        this.client = new EgressClient(opening(rules, settings.issuer()), CONNECTIONS, 2 * CONNECTIONS);
        this.metadata = new CachedDocument<>(this::discover, clock);
        this.idTokens =
                new IdTokenValidator(issuer, settings.clientId(), new CachedDocument<>(this::keys, clock), clock);
    }

    String issuer() {
        return issuer;
    }

    String name() {
        return settings.name();
    }

    /** Where the browser goes to sign in. */
    String address(OidcAttempt attempt) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", settings.clientId());
        query.put("redirect_uri", redirect);
        query.put("scope", "openid email profile");
        query.put("state", attempt.state());
        query.put("nonce", attempt.nonce());
        query.put("code_challenge", attempt.challenge());
        query.put("code_challenge_method", "S256");
        String endpoint = metadata.get().authorization();
        return endpoint + (endpoint.contains("?") ? "&" : "?") + form(query);
    }

    /** Whether a redirect that names this issuer, or none, can be the provider's (RFC 9207). */
    boolean isFromHere(String named) {
        return named.isEmpty() ? !metadata.get().namesIssuer() : named.equals(issuer);
    }

    /** Exchanges the code for an ID token and checks that. */
    OidcIdentity identity(String code, OidcAttempt attempt) {
        OidcMetadata endpoints = metadata.get();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "authorization_code");
        fields.put("code", code);
        fields.put("redirect_uri", redirect);
        fields.put("code_verifier", attempt.verifier());
        if (endpoints.secretInBody()) {
            fields.put("client_id", settings.clientId());
            fields.put("client_secret", settings.clientSecret());
        }
        EgressRequest request = EgressRequest.post(
                endpoints.token(),
                "application/x-www-form-urlencoded",
                form(fields).getBytes(StandardCharsets.UTF_8));
        EgressResponse answer = send(endpoints.secretInBody() ? request : request.withHeader("Authorization", basic()));
        if (answer.status() == 400 || answer.status() == 401) {
            throw OidcRejection.notTrusted("The provider refused the code, or the client's id or secret, with status "
                    + answer.status() + ".");
        }
        return idTokens.validate(json(answer).path("id_token").asText(), attempt.nonce());
    }

    @Override
    public void close() {
        client.close();
    }

    private OidcMetadata discover() {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return OidcMetadata.read(json(send(EgressRequest.get(base + "/.well-known/openid-configuration"))), issuer);
    }

    private JWKSet keys() {
        EgressResponse answer = send(EgressRequest.get(metadata.get().keys()));
        json(answer);
        try {
            return JWKSet.parse(answer.text());
        } catch (ParseException | IllegalArgumentException malformed) {
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE,
                    "The provider's keys cannot be read.",
                    malformed);
        }
    }

    private EgressResponse send(EgressRequest request) {
        try {
            return client.execute(request.withHeader("Accept", "application/json")
                    .withDeadline(DEADLINE)
                    .withMaxResponseBytes(MOST_BYTES));
        } catch (EgressException failed) {
            throw new OidcRejection(OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, failed.sentence(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE, "The service shuts down.", interrupted);
        }
    }

    private static JsonNode json(EgressResponse answer) {
        if (answer.status() != 200) {
            throw OidcRejection.unavailable("The provider answered with status " + answer.status() + ".");
        }
        try {
            JsonNode json = StrictJson.mapper().readTree(answer.text());
            if (json.isObject()) {
                return json;
            }
        } catch (JacksonException malformed) {
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.PROVIDER_UNAVAILABLE,
                    "The provider's answer is not JSON.",
                    malformed);
        }
        throw OidcRejection.unavailable("The provider's answer is not a JSON object.");
    }

    private String basic() {
        String pair = encoded(settings.clientId()) + ":" + encoded(settings.clientSecret());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static EgressRules opening(EgressRules rules, URI issuer) {
        String host = issuer.getHost().replaceAll("[\\[\\]]", "");
        int usual = issuer.getScheme().equals("https") ? 443 : 80;
        return rules.allowing(host, issuer.getPort() < 0 ? usual : issuer.getPort());
    }
}
