package dev.parley.console;

import static dev.parley.http.access.Access.Caller.OPERATOR;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.access.Access;
import dev.parley.http.filter.ReadOnlyAddress;
import dev.parley.id.NodeId;
import dev.parley.node.NodeVersion;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** What runs where: the nodes for operators, and this node's release at {@code /health/version}. */
@Path("/dashboard/api/nodes")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Nodes")
@Access(OPERATOR)
public final class NodeResource {
    private static final int AFTER_FILTERS = -10;

    private final NodeStore nodes;
    private final NodeVersion own;

    NodeResource(Database database, NodeVersion own) {
        this.nodes = database.statements(NodeStore.class);
        this.own = own;
    }

    /** A process of the service. */
    @Schema(name = "Node", description = "A process of the service.")
    public record RunningNode(
            NodeId id,

            @Schema(description = "Process and host", examples = "4711@parley-1")
            String name,

            @Schema(description = "The release that it runs; null before 0.1.0", examples = "0.1.0") @Nullable
            String version,

            @Schema(description = "The number of its last migration", examples = "28") @Nullable
            Integer schemaVersion,

            Instant startedAt,

            @Schema(
                    description =
                            "Whether it has renewed its lease in time; another node takes over its work otherwise")
            boolean alive) {}

    @GET
    @Operation(
            summary = "List the nodes of this installation",
            description = "Operators only, oldest first. Also during an upgrade: with the release of each node.")
    public Page<RunningNode> list() {
        return new Page<>(nodes.all(), null);
    }

    void register(@Observes Router router) {
        JsonObject version = new JsonObject().put("version", own.version()).put("schema", own.schema());
        router.route("/health/version").order(AFTER_FILTERS).handler(request -> {
            if (ReadOnlyAddress.isRead(request)) {
                var _ = request.json(version);
            }
        });
    }
}
