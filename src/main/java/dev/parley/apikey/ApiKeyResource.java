package dev.parley.apikey;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** API keys in the dashboard: owners and admins only. */
@Path("/dashboard/api/organizations/{orgId}/api-keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "API keys")
public final class ApiKeyResource {
    private static final int MAX_NAME_LENGTH = 100;

    private final ApiKeyStore store;
    private final ApiKeyCache cache;
    private final OrganizationAccess access;
    private final Instance<WorkflowLookup> workflows;
    private final Clock clock;

    ApiKeyResource(
            ApiKeyStore store,
            ApiKeyCache cache,
            OrganizationAccess access,
            Instance<WorkflowLookup> workflows,
            Clock clock) {
        this.store = store;
        this.cache = cache;
        this.access = access;
        this.workflows = workflows;
        this.clock = clock;
    }

    /** A request to create a key. */
    @Schema(name = "NewApiKey")
    public record NewKeyRequest(
            @Schema(required = true, maxLength = MAX_NAME_LENGTH, examples = "Billing integration") @Nullable
            String name,

            @Schema(
                    description = "Restricts the key to the conversations of this team",
                    nullable = true,
                    examples = "3")
            @Nullable
            Integer teamId,

            @Schema(
                    description = "Restricts the key to this workflow",
                    nullable = true,
                    examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            @Nullable
            String workflowId,

            @Schema(
                    description =
                            "The key expires at this time, or at the end of this date in UTC. Must be in the future.",
                    nullable = true,
                    examples = {"2030-01-31T12:00:00Z", "2030-01-31"})
            @Nullable
            String expiresAt) {}

    /** A new key, with the key itself. */
    @Schema(name = "CreatedApiKey")
    public record CreatedKey(
            ApiKeyId id,

            @Schema(
                    description = "The key; returned only here",
                    examples = "sk-8Xa2Lq0000000000000000000000000000000000Bq1")
            String key,

            String name,
            String prefix,
            String lastFour,
            @Schema(nullable = true) @Nullable Integer teamId,
            @Schema(nullable = true) @Nullable WorkflowId workflowId,
            @Schema(nullable = true) @Nullable Instant expiresAt,
            String createdBy,
            Instant createdAt) {
        static CreatedKey of(ApiKeyStore.NewlyStoredKey created) {
            ApiKey key = created.apiKey();
            return new CreatedKey(
                    key.id(),
                    created.key(),
                    key.name(),
                    key.prefix(),
                    key.lastFour(),
                    key.teamId(),
                    key.workflowId(),
                    key.expiresAt(),
                    key.createdBy(),
                    key.createdAt());
        }

        @Override
        public String toString() {
            return "Created[" + id + "]";
        }
    }

    @GET
    @Operation(
            summary = "List API keys",
            description = "Newest first, including revoked and expired ones; never the key itself.")
    public Page<ApiKey> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        int max = Page.limit(limit);
        return Page.of(store.list(id, Page.after(after, ApiKeyId::parse), max + 1), max, key -> key.id()
                .text());
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create an API key", description = "The response contains the key, which is not shown again.")
    @APIResponseSchema(value = CreatedKey.class, responseCode = "201", responseDescription = "Created")
    public CreatedKey create(
            @PathParam("orgId") String orgId, NewKeyRequest requested, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        return CreatedKey.of(store.create(id, checked(id, requested), person.createdBy()));
    }

    @DELETE
    @Path("/{keyId}")
    @Operation(
            summary = "Revoke an API key",
            description = "Permanent: takes effect here at once and on every node within a second.")
    @APIResponse(responseCode = "204", description = "Revoked")
    public void revoke(
            @PathParam("orgId") String orgId, @PathParam("keyId") String keyId, @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        ApiKeyId key = RequestValidator.pathId(keyId, "API key", ApiKeyId::parse);
        cache.invalidate(store.revoke(id, key).orElseThrow(() -> ApiProblem.notFound("API key")));
    }

    private NewApiKey checked(OrganizationId organization, NewKeyRequest requested) {
        var checks = new RequestValidator();
        String name = checks.name(requested.name(), "/name", MAX_NAME_LENGTH);
        Optional<Integer> team = Optional.ofNullable(requested.teamId());
        checks.require(
                team.isEmpty() || access.teamExists(organization, team.get()),
                "/team_id",
                "'/team_id' must name a team of the organization.");
        Optional<WorkflowId> workflow = checks.id(requested.workflowId(), "/workflow_id", WorkflowId::parse);
        checks.require(
                workflow.isEmpty() || workflows.stream().anyMatch(port -> port.exists(organization, workflow.get())),
                "/workflow_id",
                "'/workflow_id' must name a workflow of the organization.");
        Optional<Instant> expires = checks.timeOrDate(requested.expiresAt(), "/expires_at");
        checks.require(
                expires.isEmpty() || expires.get().isAfter(clock.instant()),
                "/expires_at",
                "'/expires_at' must be in the future.");
        checks.done();
        return new NewApiKey(name, team, workflow, expires);
    }
}
