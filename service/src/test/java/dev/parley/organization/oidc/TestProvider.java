package dev.parley.organization.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** An OpenID provider on loopback that behaves correctly unless a test changes it. Its codes are valid once. */
public final class TestProvider implements AutoCloseable {
    public static final String CLIENT = "parley";
    public static final String SECRET = "s: cret+";

    static final RSAKey KEY = rsa("first");
    static final RSAKey NEXT_KEY = rsa("second");
    static final ECKey EC_KEY = ec();

    private final ScriptedServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, ScriptedServer.Script> instead = new ConcurrentHashMap<>();
    private final Set<String> accessTokens = ConcurrentHashMap.newKeySet();

    /** The person who signs in next. */
    volatile Map<String, Object> person = Map.of();

    volatile UnaryOperator<JWTClaimsSet.Builder> claims = honest -> honest;
    volatile Function<JWTClaimsSet, String> sign = claims -> signed(KEY, claims);
    volatile List<? extends JWK> published = List.of(KEY, EC_KEY);
    volatile UnaryOperator<Map<String, Object>> discovery = honest -> honest;

    /** The response of the userinfo endpoint; empty for a provider without one. */
    volatile Map<String, Object> userInfo = Map.of();

    volatile boolean sendsAccessToken = true;

    /** Members of the token response in addition to the tokens. */
    volatile Map<String, Object> tokenResponse = Map.of("token_type", "Bearer");

    public TestProvider() throws IOException {
        server = new ScriptedServer(this::answer);
    }

    public String issuer() {
        return server.url("");
    }

    /** Answers a path with a script. */
    void instead(String path, ScriptedServer.Script script) {
        instead.put(path, script);
    }

    /** Restores the correct behaviour of a path. */
    void again(String path) {
        instead.remove(path);
    }

    public void person(String subject, String email, boolean verified) {
        person = Map.of("sub", subject, "email", email, "email_verified", verified, "name", "Ada Lovelace");
    }

    /** The number of requests for a path. */
    long asked(String path) {
        return server.received().stream()
                .filter(request -> request.line().split(" ", 3)[1].equals(path))
                .count();
    }

    ScriptedServer.Received lastRequest(String path) {
        return server.received().reversed().stream()
                .filter(request -> request.line().split(" ", 3)[1].equals(path))
                .findFirst()
                .orElseThrow();
    }

    /** The person's steps at the provider; returns the query of the redirect back. */
    Map<String, String> authorize(String address) {
        Map<String, String> asked = form(URI.create(address).getRawQuery());
        String code = UUID.randomUUID().toString();
        codes.put(code, asked);
        return Map.of("code", code, "state", asked.get("state"));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void answer(ScriptedServer.Received request, OutputStream out) throws IOException, InterruptedException {
        String path = request.line().split(" ", 3)[1];
        ScriptedServer.Script script = instead.get(path);
        if (script != null) {
            script.answer(request, out);
            return;
        }
        switch (path) {
            case "/.well-known/openid-configuration" -> json(out, 200, discovery.apply(document()));
            case "/keys" ->
                json(
                        out,
                        200,
                        new JWKSet(List.copyOf(published)).toPublicJWKSet().toJSONObject());
            case "/token" -> token(request, out);
            case "/userinfo" -> {
                boolean known =
                        accessTokens.contains(request.header("Authorization").replaceFirst("^Bearer ", ""));
                json(out, known ? 200 : 401, known ? userInfo : Map.of());
            }
            default -> json(out, 404, Map.of());
        }
    }

    private Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("issuer", issuer());
        document.put("authorization_endpoint", issuer() + "/authorize?tenant=a");
        document.put("token_endpoint", issuer() + "/token");
        document.put("jwks_uri", issuer() + "/keys");
        if (!userInfo.isEmpty()) {
            document.put("userinfo_endpoint", issuer() + "/userinfo");
        }
        return document;
    }

    private void token(ScriptedServer.Received request, OutputStream out) throws IOException {
        Map<String, String> sent = form(request.body());
        Map<String, String> asked = codes.remove(sent.getOrDefault("code", ""));
        boolean client = List.of(CLIENT, SECRET).equals(basic(request.header("Authorization")))
                || SECRET.equals(sent.get("client_secret"));
        if (asked == null
                || !client
                || !asked.get("redirect_uri").equals(sent.get("redirect_uri"))
                || !asked.get("code_challenge").equals(challenge(sent.getOrDefault("code_verifier", "")))) {
            json(out, 400, Map.of("error", "invalid_grant"));
            return;
        }
        var honest = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(asked.get("client_id"))
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .claim("nonce", asked.get("nonce"));
        person.forEach(honest::claim);
        String accessToken = UUID.randomUUID().toString();
        accessTokens.add(accessToken);
        Map<String, Object> tokens = new LinkedHashMap<>(tokenResponse);
        if (sendsAccessToken) {
            tokens.put("access_token", accessToken);
        }
        tokens.put("id_token", sign.apply(claims.apply(honest).build()));
        json(out, 200, tokens);
    }

    /** The form-encoded credentials of RFC 6749, section 2.3.1. */
    private static List<String> basic(String header) {
        byte[] credentials = Base64.getDecoder().decode(header.replaceFirst("^Basic ", ""));
        return Arrays.stream(new String(credentials, StandardCharsets.UTF_8).split(":", -1))
                .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
                .toList();
    }

    static String signed(JWK key, JWTClaimsSet claims) {
        boolean rsa = key instanceof RSAKey;
        var header = new JWSHeader.Builder(rsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256).keyID(key.getKeyID());
        var jwt = new SignedJWT(header.build(), claims);
        try {
            jwt.sign(rsa ? new RSASSASigner(key.toRSAKey()) : new ECDSASigner(key.toECKey()));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void json(OutputStream out, int status, Object body) throws IOException {
        ScriptedServer.write(out, status, "application/json", StrictJson.write(body));
    }

    static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    private static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ECKey ec() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
