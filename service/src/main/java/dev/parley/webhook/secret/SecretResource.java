package dev.parley.webhook.secret;

import static dev.parley.http.access.Access.Caller.ADMIN;

import dev.parley.http.access.Access;
import dev.parley.organization.MemberRequest;
import dev.parley.webhook.secret.WebhookSecrets.CurrentSecret;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The secret that signs an organization's webhooks: owners and admins only. */
@Path("/dashboard/api/organizations/{orgId}/webhook-secret")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Webhooks")
@Access(ADMIN)
public final class SecretResource {
    private final WebhookSecrets secrets;

    SecretResource(WebhookSecrets secrets) {
        this.secrets = secrets;
    }

    @GET
    @Operation(summary = "Read the webhook secret")
    public CurrentSecret get(@BeanParam MemberRequest member) {
        return secrets.current(member.organization());
    }

    @POST
    @Path("/rotate")
    @Operation(
            summary = "Rotate the secret",
            description = "Both secrets sign for 24 hours, so that receivers can switch over.")
    public CurrentSecret rotate(@BeanParam MemberRequest member) {
        return secrets.rotate(member.organization());
    }
}
