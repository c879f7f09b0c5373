package dev.parley.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.egress.ScriptedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scripted endpoints, and models of a new organization at them. */
public final class ModelEndpoints implements AutoCloseable {
    public final Tenant tenant = Tenant.create();
    public final Api owner = tenant.browser();
    public final String path =
            "/dashboard/api/organizations/" + tenant.organization().text();

    private final List<ScriptedServer> servers = new ArrayList<>();

    /** Adds a model whose endpoint follows the script; its provider has the same name. */
    public ScriptedServer add(String alias, ScriptedServer.Script script, Map<String, Object> fields)
            throws IOException {
        ScriptedServer server = serve(script);
        model(alias, provider(alias, server, Map.of()), fields).expect(201);
        return server;
    }

    public ScriptedServer serve(ScriptedServer.Script script) throws IOException {
        ScriptedServer server = new ScriptedServer(script);
        servers.add(server);
        return server;
    }

    public JsonNode provider(String name, ScriptedServer server, Map<String, Object> fields) {
        Map<String, Object> body = new HashMap<>(Map.of("name", name, "kind", "openai", "base_url", server.url("/v1")));
        body.putAll(fields);
        return owner.post(path + "/model-providers")
                .json(body)
                .send()
                .expect(201)
                .json();
    }

    public Api.Answer model(String alias, JsonNode provider, Map<String, Object> fields) {
        Map<String, Object> body = new HashMap<>(
                Map.of("alias", alias, "provider_id", provider.at("/id").asInt(), "name", alias + "-1"));
        body.putAll(fields);
        return owner.post(path + "/models").json(body).send();
    }

    public JsonNode listed(String alias) {
        for (JsonNode model :
                owner.get(path + "/models?limit=100").send().json().at("/items")) {
            if (model.at("/alias").asText().equals(alias)) {
                return model;
            }
        }
        throw new AssertionError("no model " + alias);
    }

    /** A reply with a usage of 1000 input tokens, 400 of them cached, and 300 output tokens, 200 of them reasoning. */
    public static ScriptedServer.Script saying(String text) {
        return ScriptedServer.answering(200, "application/json", """
                {"model": "reported", "choices": [{"message": {"content": "%s"}, "finish_reason": "stop"}],
                 "usage": {"prompt_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 400},
                           "completion_tokens": 300, "completion_tokens_details": {"reasoning_tokens": 200}}}""".formatted(text.replace("\"", "\\\"")));
    }

    public static ScriptedServer.Script failing(int status, String error) {
        return ScriptedServer.answering(status, "application/json", "{\"error\": {\"message\": \"" + error + "\"}}");
    }

    @Override
    public void close() throws IOException {
        for (ScriptedServer server : servers) {
            server.close();
        }
    }
}
