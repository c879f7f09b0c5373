package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The organization that the bench works as, with a message limit that is never reached. Made by the dashboard's API;
 * only the long conversation is filled by SQL, since its messages are to be read and not to be answered.
 *
 * @param conversations conversations that messages are sent to
 * @param withCallback conversations that send their events to the bench's receiver
 * @param longConversation has {@link #LONG} messages
 */
record Tenant(
        String organization,
        String user,
        String key,
        List<String> conversations,
        List<String> withCallback,
        String longConversation) {
    static final int LONG = 10_000;

    private static final int CONVERSATIONS = 64;

    /** Creates an organization with a key and nothing else. */
    static Tenant createEmpty(Api api) {
        api.call("POST", "/dashboard/api/login", Map.of("email", Service.EMAIL, "password", Service.PASSWORD));
        String user = api.call("GET", "/dashboard/api/me", null).get("id").asText();
        String organization = api.call("POST", "/dashboard/api/organizations", Map.of("name", "Bench"))
                .get("id")
                .asText();
        String path = "/dashboard/api/organizations/" + organization;
        api.call("PATCH", path, Map.of("messages_per_minute", 100_000_000));
        String key = api.call("POST", path + "/api-keys", Map.of("name", "bench"))
                .get("key")
                .asText();
        api.key(key);
        return new Tenant(organization, user, key, List.of(), List.of(), "");
    }

    static Tenant create(Api api, DataSource database, String callback) {
        Tenant empty = createEmpty(api);
        List<String> conversations = new ArrayList<>();
        List<String> withCallback = new ArrayList<>();
        for (int i = 0; i < CONVERSATIONS; i++) {
            conversations.add(conversation(api, Map.of()));
            withCallback.add(conversation(api, Map.of("callback_url", callback)));
        }
        String longConversation = conversation(api, Map.of());
        fill(database, empty.organization, longConversation);
        return new Tenant(
                empty.organization,
                empty.user,
                empty.key,
                List.copyOf(conversations),
                List.copyOf(withCallback),
                longConversation);
    }

    /** Publishes one of the example workflows and runs it once; empty while the service does not run workflows yet. */
    Optional<String> workflow(Api api, String example) {
        Optional<String> id = publish(api, Path.of("examples", example));
        if (id.isEmpty()) {
            return id;
        }
        Api.Answer run = api.send("POST", trigger(id.get()), Map.of("human_msg", "Hello"));
        if (run.status() == 404 || run.status() == 405) {
            return Optional.empty();
        }
        if (run.status() >= 300 || !"COMPLETED".equals(run.json().path("status").asText())) {
            throw new BenchException("The workflow " + example + " did not complete: " + run.text());
        }
        return id;
    }

    /** Saves and publishes a workflow document; empty while the service does not run workflows yet. */
    Optional<String> publish(Api api, Path file) {
        String document;
        try {
            document = Files.readString(file).replace("{{user}}", user);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String path = "/dashboard/api/organizations/" + organization + "/workflows";
        Api.Answer created = api.send("POST", path, document);
        if (created.status() == 404 || created.status() == 405) {
            return Optional.empty();
        }
        if (created.status() != 201) {
            throw new BenchException("The workflow " + file + " was refused: " + created.text());
        }
        String id = created.json().get("id").asText();
        api.call("POST", path + "/" + id + "/publish", null);
        return Optional.of(id);
    }

    static String trigger(String workflow) {
        return "/developer/api/workflows/" + workflow + "/trigger/sync";
    }

    static String conversation(Api api, Map<String, String> config) {
        return api.call(
                        "POST",
                        "/developer/api/conversations",
                        Map.of("channel", "API", "usecase", "DEFAULT", "config", config))
                .get("id")
                .asText();
    }

    private static void fill(DataSource database, String organization, String conversation) {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, metadata,
                            status, created_by, created_at, updated_at)
                        SELECT ?, ?, uuidv7(), CASE WHEN n % 2 = 1 THEN 'USER_INPUT' ELSE 'AGENT_RESPONSE' END, 'TEXT',
                            'Message ' || n || ': please look at the invoice of last week, it seems too high.',
                            CASE WHEN n % 2 = 1 THEN '{"order":' || n || ',"source":"bench"}' END,
                            'DELIVERED', 'system', now() + n * interval '1 ms', now() + n * interval '1 ms'
                        FROM generate_series(1, ?) AS n
                        """)) {
            insert.setObject(1, uuid(organization));
            insert.setObject(2, uuid(conversation));
            insert.setInt(3, LONG);
            insert.executeUpdate();
            connection.createStatement().execute("ANALYZE message");
        } catch (SQLException e) {
            throw new BenchException("The long conversation could not be filled: " + e.getMessage());
        }
    }

    static UUID uuid(String text) {
        return UUID.fromString(text.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
    }
}
