package dev.parley.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.organization.member.TestOrganizations;
import java.util.HashMap;
import java.util.Map;

/** The tool catalogue of a new organization, through its dashboard routes. */
public final class ToolCatalogClient {
    private final TestOrganizations.Tenant tenant;
    private int made;

    public ToolCatalogClient(TestOrganizations organizations) {
        this.tenant = organizations.create();
    }

    public TestOrganizations.Tenant tenant() {
        return tenant;
    }

    /** Adds a provider and waits until it is ready. */
    public JsonNode add(String kind, Map<String, Object> fields) {
        JsonNode provider = tryAdd(kind, fields).expect(201).json();
        if (!provider.at("/status").asText().equals("READY")) {
            throw new AssertionError("not ready: " + provider);
        }
        return provider;
    }

    public Api.Answer tryAdd(String kind, Map<String, Object> fields) {
        Map<String, Object> body = new HashMap<>(Map.of("name", kind + ++made, "kind", kind));
        body.putAll(fields);
        return tenant.owner()
                .browser()
                .post(tenant.path() + "/tool-providers")
                .json(body)
                .send();
    }

    public JsonNode refresh(JsonNode provider) {
        return tenant.owner()
                .browser()
                .post(path(provider) + "/refresh")
                .send()
                .expect(200)
                .json();
    }

    public String path(JsonNode provider) {
        return tenant.path() + "/tool-providers/" + provider.at("/id").asInt();
    }

    /** All tools of a provider, by name. */
    public Map<String, JsonNode> tools(JsonNode provider) {
        Map<String, JsonNode> tools = new HashMap<>();
        tenant.member()
                .browser()
                .get(tenant.path() + "/tools?limit=100&provider_id="
                        + provider.at("/id").asInt())
                .send()
                .expect(200)
                .json()
                .at("/items")
                .forEach(tool -> tools.put(tool.at("/tool_name").asText(), tool));
        return tools;
    }

    public int tool(JsonNode provider, String name) {
        JsonNode tool = tools(provider).get(name);
        if (tool == null) {
            throw new AssertionError(
                    "no tool " + name + " among " + tools(provider).keySet());
        }
        return tool.at("/tool_id").asInt();
    }

    /** The outcome of a test call. */
    public JsonNode call(int tool, Map<String, Object> arguments) {
        return attempt(tool, arguments).expect(200).json();
    }

    public Api.Answer attempt(int tool, Map<String, Object> arguments) {
        return tenant.admin()
                .browser()
                .post(tenant.path() + "/tools/" + tool + "/try")
                .json(Map.of("arguments", arguments))
                .send();
    }
}
