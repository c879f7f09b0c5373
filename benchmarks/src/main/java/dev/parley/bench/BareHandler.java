package dev.parley.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.zaxxer.hikari.HikariDataSource;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;

/**
 * What reading a page of messages costs without a service around it: the same query on the same number of connections,
 * its rows written as the same JSON, and no key, no routing, no checks. Run in a JVM of its own.
 */
public final class BareHandler {
    /** The service's own query, which asks for one row more than the page to know whether another follows. */
    private static final String QUERY = """
            SELECT m.id, m.conversation_id, m.content, m.content_type, m.filename, m.type, m.status, m.metadata,
                m.created_by, m.created_at, m.updated_at, m.file, m.workflow_instance_id, m.ticket_id, s.status,
                s.updated_at, m.found
            FROM (
                SELECT p.*, count(*) OVER () AS found,
                    sum(coalesce(octet_length(p.content), 0)) OVER (ORDER BY p.id DESC)
                        - coalesce(octet_length(p.content), 0) AS newer
                FROM (
                    SELECT * FROM message
                    WHERE organization_id = ? AND conversation_id = ? AND id < ?
                    ORDER BY id DESC LIMIT ?
                ) p
            ) m
            LEFT JOIN message_instance_status s
                ON s.organization_id = m.organization_id AND s.workflow_instance_id = m.workflow_instance_id
            WHERE m.newer < 4194304
            ORDER BY m.id DESC
            """;

    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final JsonFactory JSON = new JsonFactory();
    private static final UUID NEWEST = new UUID(-1, -1);
    private static final int PAGE = 50;

    private final HikariDataSource database;
    private final UUID organization;
    private final UUID conversation;

    private BareHandler(HikariDataSource database, UUID organization, UUID conversation) {
        this.database = database;
        this.organization = organization;
        this.conversation = conversation;
    }

    /** Arguments: port, connections, event loops, organization, conversation; the database in BENCH_JDBC_URL. */
    public static void main(String[] args) {
        var handler = new BareHandler(
                Service.pool(System.getenv("BENCH_JDBC_URL"), Integer.parseInt(args[1])),
                UUID.fromString(args[3]),
                UUID.fromString(args[4]));
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(Integer.parseInt(args[2])));
        vertx.deployVerticle(
                () -> new io.vertx.core.AbstractVerticle() {
                    @Override
                    public void start() {
                        vertx.createHttpServer()
                                .requestHandler(handler::answer)
                                .listen(Integer.parseInt(args[0]), "127.0.0.1");
                    }
                },
                new io.vertx.core.DeploymentOptions().setInstances(Integer.parseInt(args[2])));
    }

    private void answer(HttpServerRequest request) {
        Context loop = Vertx.currentContext();
        Thread.startVirtualThread(() -> {
            try {
                byte[] page = page();
                loop.runOnContext(ignored -> request.response()
                        .putHeader("Content-Type", "application/json;charset=UTF-8")
                        .end(Buffer.buffer(page)));
            } catch (SQLException | IOException e) {
                loop.runOnContext(
                        ignored -> request.response().setStatusCode(500).end(String.valueOf(e)));
            }
        });
    }

    private byte[] page() throws SQLException, IOException {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setObject(1, organization);
            query.setObject(2, conversation);
            query.setObject(3, NEWEST);
            query.setInt(4, PAGE + 1);
            var bytes = new ByteArrayOutputStream(16_384);
            try (ResultSet rows = query.executeQuery();
                    JsonGenerator json = JSON.createGenerator(bytes)) {
                json.writeStartArray();
                for (int i = 0; i < PAGE && rows.next(); i++) {
                    write(rows, json);
                }
                json.writeEndArray();
            }
            return bytes.toByteArray();
        }
    }

    private static void write(ResultSet row, JsonGenerator json) throws SQLException, IOException {
        json.writeStartObject();
        json.writeStringField("id", hex(row.getObject(1, UUID.class)));
        json.writeStringField("conversation_id", hex(row.getObject(2, UUID.class)));
        json.writeStringField("content", row.getString(3));
        json.writeStringField("content_type", row.getString(4));
        if (row.getString(5) != null) {
            json.writeStringField("filename", row.getString(5));
        }
        json.writeStringField("type", row.getString(6));
        json.writeStringField("channel", "API");
        json.writeStringField("status", row.getString(7));
        json.writeFieldName("metadata");
        json.writeRawValue(row.getString(8) == null ? "{}" : row.getString(8));
        json.writeStringField("created_by", row.getString(9));
        json.writeStringField("created_at", MILLIS.format(row.getObject(10, OffsetDateTime.class)));
        json.writeStringField("updated_at", MILLIS.format(row.getObject(11, OffsetDateTime.class)));
        json.writeEndObject();
    }

    private static String hex(UUID id) {
        return id.toString().replace("-", "");
    }
}
