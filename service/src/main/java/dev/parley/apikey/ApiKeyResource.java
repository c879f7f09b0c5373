package dev.parley.apikey;

import static dev.parley.http.access.Access.Caller.ADMIN;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.OrganizationAccess;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
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
@Access(ADMIN)
public final class ApiKeyResource {
    private static final int MAX_SEARCH_LENGTH = 200;
    private static final int MAX_OVERLAP_MINUTES = 7 * 24 * 60;
    private static final String EXPIRES_AT =
            "The key expires at this time, or at the end of this date in UTC. Must be in the future.";

    private final ApiKeys keys;
    private final ApiKeyStore store;
    private final ApiKeyCache cache;
    private final OrganizationAccess access;
    private final Clock clock;

    ApiKeyResource(ApiKeys keys, Database database, ApiKeyCache cache, OrganizationAccess access, Clock clock) {
        this.keys = keys;
        this.store = database.statements(ApiKeyStore.class);
        this.cache = cache;
        this.access = access;
        this.clock = clock;
    }

    /** A request to create a key. */
    @FurtherChecks
    @Schema(name = "NewApiKey")
    public record NewKeyRequest(
            @NotNull @Name @Schema(examples = "Billing integration")
            String name,

            @Schema(description = "Restricts the key to the conversations of this team", examples = "3") @Nullable
            Integer teamId,

            @Schema(
                    implementation = String.class,
                    description = "Restricts the key to this workflow",
                    examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
            @Nullable
            WorkflowId workflowId,

            @Schema(
                    description = EXPIRES_AT,
                    examples = {"2030-01-31T12:00:00Z", "2030-01-31"})
            @Nullable
            String expiresAt) {}

    /** A request to change a key. */
    @Schema(name = "ApiKeyChange")
    public record KeyChange(
            @NotNull @Name @Schema(examples = "Billing integration")
            String name) {}

    /** A request to roll a key. */
    @FurtherChecks
    @Schema(name = "ApiKeyRoll")
    public record KeyRoll(
            @NotNull
            @Min(0)
            @Max(MAX_OVERLAP_MINUTES)
            @Schema(description = "How long the old key still works; 0 revokes it at once", examples = "1440")
            Integer overlapMinutes,

            @Schema(description = EXPIRES_AT + " null for a new key that never expires.") @Nullable
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
        static CreatedKey of(ApiKeys.NewlyStoredKey created) {
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
            description = "Newest first; never the key itself. Revoked and expired keys are included unless `active` is"
                    + " `true`.")
    public Page<ApiKey> list(
            @BeanParam MemberRequest member,
            @Parameter(
                            description = "Part of the name in any case, or of the visible characters of the key",
                            schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH_LENGTH))
                    @QueryParam("search")
                    @Nullable
                    String search,
            @Parameter(description = "`true`: only keys that are neither revoked nor expired")
                    @QueryParam("active")
                    @Nullable
                    Boolean active,
            @BeanParam PageRequest page) {
        var validator = new RequestValidator();
        var filter = new ApiKeyStore.KeyFilter(
                validator.parameterSearch(search, MAX_SEARCH_LENGTH), Boolean.TRUE.equals(active));
        validator.done();
        return page.page(
                store.list(member.organization(), filter, page.after(ApiKeyId::parse), clock.instant(), page.rows()),
                key -> key.id().text());
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create an API key", description = "The response contains the key, which is not shown again.")
    @APIResponseSchema(value = CreatedKey.class, responseCode = "201", responseDescription = "Created")
    public CreatedKey create(@BeanParam MemberRequest member, NewKeyRequest requested) {
        OrganizationId organization = member.organization();
        return CreatedKey.of(keys.create(organization, checked(organization, requested), member.createdBy()));
    }

    @PATCH
    @Path("/{keyId}")
    @Operation(summary = "Rename an API key")
    public ApiKey rename(@BeanParam MemberRequest member, @PathParam("keyId") ApiKeyId id, KeyChange change) {
        return store.rename(member.organization(), id, change.name()).orElseThrow(() -> ApiProblem.notFound("API key"));
    }

    @POST
    @Path("/{keyId}/roll")
    @ResponseStatus(201)
    @Operation(
            summary = "Roll an API key",
            description =
                    "Creates a key with the same name and restrictions. The old key works for `overlap_minutes` more,"
                            + " at most until it expires.")
    @APIResponseSchema(value = CreatedKey.class, responseCode = "201", responseDescription = "The new key")
    @APIResponse(responseCode = "409", description = "The key is revoked, expired, or was already rolled")
    public CreatedKey roll(@BeanParam MemberRequest member, @PathParam("keyId") ApiKeyId id, KeyRoll requested) {
        var validator = RequestValidator.of(requested);
        Optional<Instant> expires = expiry(requested.expiresAt(), validator);
        validator.done();
        var overlap = Duration.ofMinutes(requested.overlapMinutes());
        ApiKeys.NewlyStoredKey created = keys.roll(member.organization(), id, overlap, expires, member.createdBy());
        cache.invalidate(store.hash(member.organization(), id));
        return CreatedKey.of(created);
    }

    @DELETE
    @Path("/{keyId}")
    @Operation(
            operationId = "revokeApiKey",
            summary = "Revoke an API key",
            description = "Permanent: takes effect here at once and on every node within a second.")
    @APIResponse(responseCode = "204", description = "Revoked")
    public void revoke(@BeanParam MemberRequest member, @PathParam("keyId") ApiKeyId id) {
        cache.invalidate(keys.revoke(member.organization(), id).orElseThrow(() -> ApiProblem.notFound("API key")));
    }

    private NewApiKey checked(OrganizationId organization, NewKeyRequest requested) {
        var validator = RequestValidator.of(requested);
        Optional<Integer> team = Optional.ofNullable(requested.teamId());
        validator.require(
                team.isEmpty() || access.teamExists(organization, team.get()),
                ViolationCode.NOT_FOUND,
                "/team_id",
                "'/team_id' must name a team of the organization.");
        Optional<WorkflowId> workflow = Optional.ofNullable(requested.workflowId());
        validator.require(
                workflow.isEmpty() || store.hasWorkflow(organization, workflow.get()),
                ViolationCode.NOT_FOUND,
                "/workflow_id",
                "'/workflow_id' must name a workflow of the organization.");
        Optional<Instant> expires = expiry(requested.expiresAt(), validator);
        validator.done();
        return new NewApiKey(requested.name(), team, workflow, expires);
    }

    private Optional<Instant> expiry(@Nullable String text, RequestValidator validator) {
        Optional<Instant> expires = validator.timeOrDate(text, "/expires_at");
        validator.require(
                expires.isEmpty() || expires.get().isAfter(clock.instant()),
                ViolationCode.OUT_OF_RANGE,
                "/expires_at",
                "'/expires_at' must be in the future.");
        return expires;
    }
}
