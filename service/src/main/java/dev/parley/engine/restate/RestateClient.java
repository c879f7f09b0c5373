package dev.parley.engine.restate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.EgressRules;
import dev.parley.engine.restate.EngineMessages.FindMessage;
import dev.parley.engine.restate.EngineMessages.FoundState;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.store.InstanceKey;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Calls Restate's ingress and its admin API. */
final class RestateClient implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(RestateClient.class);
    private static final int CONNECTIONS = 256;
    private static final int FIND_ATTEMPTS = 10;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** Restate's own limit of a message is 32 MiB. */
    private static final long MAX_RESPONSE_BYTES = 40L << 20;

    private final Settings.Restate settings;
    private final EgressClient http;

    RestateClient(Settings.Restate settings, EgressRules rules) {
        this.settings = settings;
        this.http = new EgressClient(
                rules.allowing(settings.ingress().getHost(), port(settings.ingress()))
                        .allowing(settings.admin().getHost(), port(settings.admin())),
                CONNECTIONS,
                CONNECTIONS);
    }

    private static int port(URI uri) {
        if (uri.getPort() > 0) {
            return uri.getPort();
        }
        return uri.getScheme().equals("https") ? 443 : 80;
    }

    /**
     * Calls a handler of an instance and returns its reply.
     *
     * @param idempotencyKey null for none
     * @throws ApiProblem 503 if Restate cannot be reached or does not reply in time
     */
    byte[] call(InstanceKey instance, String handler, byte[] message, @Nullable String idempotencyKey) {
        String url = base(settings.ingress()) + "/" + InstanceObject.NAME + "/" + InstanceHeaders.objectKey(instance)
                + "/" + handler;
        EgressRequest request = EgressRequest.post(url, "application/octet-stream", message)
                .withDeadline(CALL_TIMEOUT)
                .withMaxResponseBytes(MAX_RESPONSE_BYTES);
        if (idempotencyKey != null) {
            request = request.withHeader("Idempotency-Key", idempotencyKey);
        }
        EgressResponse response = send(request);
        if (response.head().status() != 200) {
            LOG.warnf(
                    "Restate answered %s with %d: %s",
                    handler, response.head().status(), new String(response.body(), StandardCharsets.UTF_8));
            throw away("answered with status " + response.head().status());
        }
        return response.body();
    }

    /** A state of an instance; empty if its object has none. */
    Optional<FoundState> find(InstanceKey instance, FindMessage wanted) {
        byte[] message = EngineMessages.write(FindMessage.class, wanted);
        for (int attempt = 1; attempt <= FIND_ATTEMPTS; attempt++) {
            byte[] reply = call(instance, InstanceObject.FIND, message, null);
            if (reply.length == 0) {
                return Optional.empty();
            }
            FoundState found = EngineMessages.read(FoundState.class, reply);
            if (!found.isOutdated()) {
                return Optional.of(found);
            }
        }
        throw away("changes the instance too often to read it");
    }

    /**
     * Registers the endpoint, or its new handlers after an upgrade. Invocations stay with the deployment on which they
     * began, so an earlier address of the endpoint is replaced by the current one.
     */
    void register() {
        for (JsonNode deployment : admin(EgressRequest.get(deployments())).path("deployments")) {
            String uri = deployment.path("uri").asText();
            boolean isParley =
                    deployment.path("services").findValuesAsText("name").contains(InstanceObject.NAME);
            if (isParley && !base(URI.create(uri)).equals(base(settings.endpoint()))) {
                LOG.infof("Invocations on %s continue on %s", uri, settings.endpoint());
                var _ = admin(EgressRequest.postJson(
                                deployments() + "/" + deployment.path("id").asText(),
                                StrictJson.write(
                                        Map.of("uri", settings.endpoint().toString(), "overwrite", true)))
                        .withMethod("PATCH"));
            }
        }
        var _ = admin(EgressRequest.postJson(
                deployments(),
                StrictJson.write(Map.of("uri", settings.endpoint().toString(), "force", true))));
    }

    private String deployments() {
        return base(settings.admin()) + "/deployments";
    }

    private JsonNode admin(EgressRequest request) {
        EgressResponse response = send(request);
        String body = new String(response.body(), StandardCharsets.UTF_8);
        if (response.head().status() / 100 != 2) {
            throw away("refused the registration of " + settings.endpoint() + " with status "
                    + response.head().status() + ": " + body);
        }
        try {
            return StrictJson.mapper().readTree(body);
        } catch (IOException _) {
            throw away("did not answer the registration of " + settings.endpoint() + " with JSON");
        }
    }

    private static String base(URI uri) {
        String text = uri.toString();
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private EgressResponse send(EgressRequest request) {
        try {
            return http.execute(request);
        } catch (EgressException e) {
            LOG.debugf("Restate cannot be reached: %s", e.getMessage());
            throw away("cannot be reached");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw away("was not asked, because this node stops");
        }
    }

    private static ApiProblem away(String why) {
        return ApiProblem.unavailable("The workflow engine " + why + ".", RETRY_AFTER);
    }

    @Override
    public void close() {
        http.close();
    }
}
