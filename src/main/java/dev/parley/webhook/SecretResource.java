package dev.parley.webhook;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The secret that signs an organization's webhooks: owners and admins only. */
@Path("/dashboard/api/organizations/{orgId}/webhook-secret")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: webhooks")
public final class SecretResource {
    private final WebhookSecrets secrets;
    private final Database database;
    private final OrganizationAccess access;

    SecretResource(WebhookSecrets secrets, Database database, OrganizationAccess access) {
        this.secrets = secrets;
        this.database = database;
        this.access = access;
    }

    /** The secret as text. */
    @Schema(name = "WebhookSecret")
    public record ShownSecret(
            @Schema(examples = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            String secret,

            Instant createdAt,

            @Schema(description = "When the previous secret expires; null if it has expired") @Nullable
            Instant previousExpiresAt) {
        static ShownSecret of(WebhookSecrets.CurrentSecret current) {
            return new ShownSecret(current.secret().text(), current.createdAt(), current.previousExpiresAt());
        }

        @Override
        public String toString() {
            return "ShownSecret[…]";
        }
    }

    @GET
    @Operation(summary = "Read the webhook secret", description = "Owners and admins.")
    public ShownSecret get(@PathParam("orgId") String orgId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return ShownSecret.of(secrets.current(id));
    }

    @POST
    @Path("/rotate")
    @Operation(
            summary = "Rotate the secret",
            description = "Owners and admins. Both secrets sign for 24 hours, so that receivers can switch over.")
    public ShownSecret rotate(@PathParam("orgId") String orgId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return ShownSecret.of(database.transaction(handle -> secrets.rotate(handle, id)));
    }
}
