package dev.parley.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.EgressRules;
import dev.parley.http.DashboardUser;
import dev.parley.http.IfMatch;
import dev.parley.http.LargeBody;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
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

/** Providers of tools: members see them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/tool-providers")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Tools")
public final class ToolProviderResource {
    private static final String UNREACHABLE =
            "false refuses a provider whose tools cannot be discovered (400), instead of storing it with status FAILED";

    private final ToolProviders providers;
    private final ToolProviderStore store;
    private final OrganizationAccess access;
    private final EgressRules rules;
    private final Settings.McpPrograms mcp;

    ToolProviderResource(
            ToolProviders providers,
            ToolProviderStore store,
            OrganizationAccess access,
            EgressRules rules,
            Settings.McpPrograms mcp) {
        this.providers = providers;
        this.store = store;
        this.access = access;
        this.rules = rules;
        this.mcp = mcp;
    }

    @GET
    @Operation(summary = "List tool providers", description = "By id, the built-in provider first.")
    public Page<ToolProvider> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        int from = Page.after(after, ToolResource::cursor).orElse(0);
        List<ToolProvider> all = new ArrayList<>();
        if (from < BuiltInToolId.PROVIDER_ID) {
            all.add(ToolProvider.BUILT_IN);
        }
        all.addAll(store.list(id, from, max + 1));
        return Page.of(all.subList(0, Math.min(all.size(), max + 1)), max, provider -> Integer.toString(provider.id()));
    }

    @POST
    @ResponseStatus(201)
    @Operation(
            summary = "Add a tool provider",
            description = "Owners and admins. Discovers the provider's tools at once; an unreachable provider is "
                    + "kept with status FAILED and the reason, unless allow_unreachable is false.")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "201", responseDescription = "Added")
    @APIResponse(responseCode = "409", description = "Another provider has this name")
    public ToolProvider create(
            @PathParam("orgId") String orgId,
            @Parameter(description = UNREACHABLE, schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "true"))
                    @QueryParam("allow_unreachable")
                    @Nullable
                    String allowUnreachable,
            ProviderRequest requested,
            @Context RoutingContext request)
            throws InterruptedException {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        boolean mayFail = mayFail(allowUnreachable);
        ProviderAccess checked = requested.checked(id, rules, mcp.commands().keySet());
        ToolProvider created = providers.create(
                checked, Optional.ofNullable(requested.description()).orElse(""), person.createdBy(), mayFail);
        IfMatch.addTag(request, created.revision());
        return created;
    }

    @GET
    @Path("/{providerId}")
    @Operation(summary = "Read a tool provider")
    public ToolProvider get(
            @PathParam("orgId") String orgId,
            @PathParam("providerId") String providerId,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        ToolProvider found = providers.find(id, RequestValidator.pathInt(providerId, "tool provider"));
        IfMatch.addTag(request, found.revision());
        return found;
    }

    @PATCH
    @Path("/{providerId}")
    @Operation(
            summary = "Change a tool provider",
            description = "Owners and admins. Omitted fields stay unchanged; the tools of an enabled provider are "
                    + "discovered again. "
                    + "Stored credentials are never sent to a server other than the one they were given for: "
                    + "if the scheme, host or port changes, or the description that defines them, the "
                    + "credentials must be given again (400).")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "200", responseDescription = "The changed provider")
    @APIResponse(
            responseCode = "409",
            description = "The provider is built in, or another request changed it at the same time")
    public ToolProvider change(
            @PathParam("orgId") String orgId,
            @PathParam("providerId") String providerId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Parameter(description = UNREACHABLE, schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "true"))
                    @QueryParam("allow_unreachable")
                    @Nullable
                    String allowUnreachable,
            ProviderRequest requested,
            @Context RoutingContext request)
            throws InterruptedException {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        ProviderAccess before = providers.own(id, RequestValidator.pathInt(providerId, "tool provider"));
        IfMatch expected = IfMatch.of(ifMatch);
        boolean mayFail = mayFail(allowUnreachable);
        ProviderAccess after = requested.changed(before, rules, mcp.commands().keySet());
        if (requested.credentials() == null) {
            providers.requireSameDestinations(before, after);
        }
        ToolProvider changed =
                providers.change(before, after, requested.description(), person.createdBy(), expected, mayFail);
        IfMatch.addTag(request, changed.revision());
        return changed;
    }

    @DELETE
    @Path("/{providerId}")
    @Operation(
            summary = "Delete a tool provider",
            description = "Owners and admins. Its credentials are deleted; App tasks that use its tools fail.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "The provider is built in")
    public void delete(
            @PathParam("orgId") String orgId,
            @PathParam("providerId") String providerId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        int provider = providers
                .own(id, RequestValidator.pathInt(providerId, "tool provider"))
                .id();
        if (!store.delete(id, provider, IfMatch.of(ifMatch))) {
            throw ApiProblem.notFound("tool provider");
        }
    }

    @POST
    @Path("/{providerId}/refresh")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Refresh the tools of a provider",
            description = "Owners and admins. A tool keeps its id while its name is offered; a removed tool "
                    + "becomes unavailable.")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "200", responseDescription = "The refreshed provider")
    @APIResponse(
            responseCode = "409",
            description = "The provider is not enabled, or another request changed it at the same time")
    public ToolProvider refresh(
            @PathParam("orgId") String orgId,
            @PathParam("providerId") String providerId,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return providers.refresh(id, RequestValidator.pathInt(providerId, "tool provider"));
    }

    /** An OpenAPI description, with the credentials for its address. */
    @LargeBody
    @Schema(name = "OpenApiDescription")
    public record DescriptionRequest(
            @Schema(nullable = true, description = "Of the OpenAPI description") @Nullable
            String url,

            @Schema(
                    nullable = true,
                    description = "The description: an object, or its JSON or YAML text; instead of the URL",
                    implementation = Object.class)
            @Nullable
            JsonNode document,

            @Schema(nullable = true, description = "For reading the URL")
            ProviderRequest.@Nullable CredentialsRequest credentials) {}

    @POST
    @Path("/operations")
    @Operation(
            summary = "List the operations of an OpenAPI description",
            description = "Owners and admins. Reads the description and stores nothing. The first 5,000 operations; a "
                    + "provider has at most 500 tools, chosen by `operations` and `tags`.")
    @APIResponseSchema(
            value = OfferedOperations.class,
            responseCode = "200",
            responseDescription = "In the order of the description")
    public OfferedOperations operations(
            @PathParam("orgId") String orgId, DescriptionRequest described, @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var unnamed = new ProviderAccess(
                id, 0, 0, ProviderKind.OPENAPI, "", null, null, null, null, ToolCredentials.NONE, true, null);
        return new OfferedOperations(providers.operations(
                ProviderRequest.ofDescription(described.url(), described.document(), described.credentials())
                        .changed(unnamed, rules, mcp.commands().keySet())));
    }

    @GET
    @Path("/{providerId}/operations")
    @Operation(
            summary = "List the operations of a tool provider",
            description = "Owners and admins. Reads the provider's OpenAPI description again. Empty for other kinds.")
    @APIResponseSchema(
            value = OfferedOperations.class,
            responseCode = "200",
            responseDescription = "In the order of the description")
    @APIResponse(responseCode = "409", description = "The provider is built in or not enabled")
    public OfferedOperations operations(
            @PathParam("orgId") String orgId,
            @PathParam("providerId") String providerId,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return new OfferedOperations(
                providers.operations(providers.own(id, RequestValidator.pathInt(providerId, "tool provider"))));
    }

    /** The operations of a description. */
    @Schema(name = "OfferedOperations")
    public record OfferedOperations(List<OfferedOperation> operations) {
        public OfferedOperations {
            operations = List.copyOf(operations);
        }
    }

    private static boolean mayFail(@Nullable String allowUnreachable) {
        var validator = new RequestValidator();
        validator.requireParameter(
                allowUnreachable == null || allowUnreachable.equals("true") || allowUnreachable.equals("false"),
                "allow_unreachable",
                "'allow_unreachable' must be true or false.");
        validator.done();
        return !"false".equals(allowUnreachable);
    }
}
