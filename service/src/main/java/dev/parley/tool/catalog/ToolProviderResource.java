package dev.parley.tool.catalog;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.db.Database;
import dev.parley.egress.EgressRules;
import dev.parley.http.IfMatch;
import dev.parley.http.LargeBody;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.organization.MemberRequest;
import dev.parley.settings.Settings;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCredentials;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
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
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
@Access(MEMBER)
public final class ToolProviderResource {
    private static final String UNREACHABLE =
            "false refuses a provider whose tools cannot be discovered (400), instead of storing it with status FAILED";

    private final ToolProviders providers;
    private final ToolProviderStore store;
    private final EgressRules rules;
    private final Set<String> commands;

    ToolProviderResource(ToolProviders providers, Database database, EgressRules rules, Settings.McpPrograms mcp) {
        this.providers = providers;
        this.store = database.statements(ToolProviderStore.class);
        this.rules = rules;
        this.commands = mcp.commands().keySet();
    }

    @GET
    @Operation(summary = "List tool providers", description = "By id, the built-in provider first.")
    public Page<ToolProvider> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        int from = page.afterNumber().orElse(0);
        List<ToolProvider> all = new ArrayList<>();
        if (from < BuiltInToolId.PROVIDER_ID) {
            all.add(ToolProvider.BUILT_IN);
        }
        all.addAll(store.list(member.organization(), from, page.rows()));
        return page.page(all, provider -> Integer.toString(provider.id()));
    }

    @POST
    @Access(ADMIN)
    @ResponseStatus(201)
    @Operation(
            summary = "Add a tool provider",
            description = "Discovers the provider's tools at once; an unreachable provider is "
                    + "kept with status FAILED and the reason, unless allow_unreachable is false.")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "201", responseDescription = "Added")
    @APIResponse(responseCode = "409", description = "Another provider has this name")
    public ToolProvider create(
            @BeanParam MemberRequest member,
            @Parameter(description = UNREACHABLE, schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "true"))
                    @QueryParam("allow_unreachable")
                    @Nullable
                    Boolean allowUnreachable,
            ProviderRequest requested)
            throws InterruptedException {
        ProviderAccess checked = requested.checked(member.organization(), rules, commands);
        ToolProvider created = providers.create(
                checked,
                Optional.ofNullable(requested.description()).orElse(""),
                member.createdBy(),
                !Boolean.FALSE.equals(allowUnreachable));
        IfMatch.addTag(member.http(), created.revision());
        return created;
    }

    @GET
    @Path("/{providerId}")
    @Operation(summary = "Read a tool provider")
    public ToolProvider get(@BeanParam MemberRequest member, @PathParam("providerId") int id) {
        ToolProvider found = providers.find(member.organization(), id);
        IfMatch.addTag(member.http(), found.revision());
        return found;
    }

    @PATCH
    @Path("/{providerId}")
    @Access(ADMIN)
    @Operation(
            summary = "Change a tool provider",
            description = "Omitted fields stay unchanged; the tools of an enabled provider are "
                    + "discovered again. "
                    + "Stored credentials are never sent to a server other than the one they were given for: "
                    + "if the scheme, host or port changes, or the description that defines them, the "
                    + "credentials must be given again (400).")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "200", responseDescription = "The changed provider")
    @APIResponse(
            responseCode = "409",
            description = "The provider is built in, or another request changed it at the same time")
    public ToolProvider change(
            @BeanParam MemberRequest member,
            @PathParam("providerId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            @Parameter(description = UNREACHABLE, schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "true"))
                    @QueryParam("allow_unreachable")
                    @Nullable
                    Boolean allowUnreachable,
            ProviderRequest requested)
            throws InterruptedException {
        ProviderAccess before = providers.own(member.organization(), id);
        IfMatch expected = IfMatch.of(ifMatch);
        ProviderAccess after = requested.changed(before, rules, commands);
        if (requested.credentials() == null) {
            providers.requireSameDestinations(before, after);
        }
        ToolProvider changed = providers.change(
                before,
                after,
                requested.description(),
                member.createdBy(),
                expected,
                !Boolean.FALSE.equals(allowUnreachable));
        IfMatch.addTag(member.http(), changed.revision());
        return changed;
    }

    @DELETE
    @Path("/{providerId}")
    @Access(ADMIN)
    @Operation(
            summary = "Delete a tool provider",
            description = "Its credentials are deleted; App tasks that use its tools fail.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "The provider is built in")
    public void delete(
            @BeanParam MemberRequest member,
            @PathParam("providerId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        providers.delete(member.organization(), id, IfMatch.of(ifMatch));
    }

    @POST
    @Path("/{providerId}/refresh")
    @Access(ADMIN)
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Refresh the tools of a provider",
            description = "A tool keeps its id while its name is offered; a removed tool " + "becomes unavailable.")
    @APIResponseSchema(value = ToolProvider.class, responseCode = "200", responseDescription = "The refreshed provider")
    @APIResponse(
            responseCode = "409",
            description = "The provider is not enabled, or another request changed it at the same time")
    public ToolProvider refresh(@BeanParam MemberRequest member, @PathParam("providerId") int id)
            throws InterruptedException {
        return providers.refresh(member.organization(), id);
    }

    /** An OpenAPI description, with the credentials for its address. */
    @LargeBody
    @FurtherChecks
    @Schema(name = "OpenApiDescription")
    public record DescriptionRequest(
            @Schema(description = "Of the OpenAPI description") @Nullable
            String url,

            @Schema(
                    description = "The description: an object, or its JSON or YAML text; instead of the URL",
                    implementation = Object.class)
            @Nullable
            JsonNode document,

            @Schema(nullable = true, description = "For reading the URL") @Nullable
            ToolCredentials credentials) {}

    /** The operations of a description. */
    @Schema(name = "OfferedOperations")
    public record OfferedOperations(List<OfferedOperation> operations) {}

    @POST
    @Path("/operations")
    @Access(ADMIN)
    @Operation(
            operationId = "discoverOperations",
            summary = "List the operations of an OpenAPI description",
            description = "Reads the description and stores nothing. The first 5,000 operations; a "
                    + "provider has at most 500 tools, chosen by `operations` and `tags`.")
    @APIResponseSchema(
            value = OfferedOperations.class,
            responseCode = "200",
            responseDescription = "In the order of the description")
    public OfferedOperations operations(@BeanParam MemberRequest member, DescriptionRequest described)
            throws InterruptedException {
        var requested = new ProviderRequest(
                null,
                null,
                null,
                described.url,
                null,
                null,
                described.document,
                described.credentials,
                null,
                null,
                null);
        ProviderAccess unnamed = ProviderAccess.unstored(member.organization(), ProviderKind.OPENAPI, "");
        return new OfferedOperations(providers.operations(requested.changed(unnamed, rules, commands)));
    }

    @GET
    @Path("/{providerId}/operations")
    @Access(ADMIN)
    @Operation(
            summary = "List the operations of a tool provider",
            description = "Reads the provider's OpenAPI description again. Empty for other kinds.")
    @APIResponseSchema(
            value = OfferedOperations.class,
            responseCode = "200",
            responseDescription = "In the order of the description")
    @APIResponse(responseCode = "409", description = "The provider is built in or not enabled")
    public OfferedOperations operations(@BeanParam MemberRequest member, @PathParam("providerId") int id)
            throws InterruptedException {
        return new OfferedOperations(providers.operations(providers.own(member.organization(), id)));
    }
}
