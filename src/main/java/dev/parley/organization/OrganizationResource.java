package dev.parley.organization;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.DashboardUser;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
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
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Organizations. An operator lists all of them, creates them, sets their limits and deletes them, but is not a member
 * and cannot see their contents.
 */
@Path("/dashboard/api/organizations")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Organizations")
public final class OrganizationResource {
    public static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_MESSAGES_PER_MINUTE = 100_000_000;

    private final OrganizationStore store;
    private final OrganizationAccess access;

    OrganizationResource(OrganizationStore store, OrganizationAccess access) {
        this.store = store;
        this.access = access;
    }

    /** A request to create an organization. */
    @Schema(name = "NewOrganization")
    public record NewOrganization(
            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Acme")
            @Nullable
            String name) {}

    /** A change; absent fields stay unchanged. */
    @Schema(name = "OrganizationChange")
    public record OrganizationChange(
            @Schema(minLength = 1, maxLength = MAX_NAME_LENGTH, pattern = SingleLineText.PATTERN, examples = "Acme")
            @Nullable
            String name,

            @Schema(
                    description = "Operators only; null resets the limit to the installation's default",
                    implementation = Integer.class,
                    nullable = true,
                    minimum = "1",
                    maximum = "100000000",
                    examples = "5000")
            @Nullable
            JsonNode messagesPerMinute) {}

    @GET
    @Operation(
            summary = "List organizations",
            description = "The organizations of the signed-in user, oldest first; for an operator, all "
                    + "organizations of the installation.")
    public Page<Organization> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        int max = Page.limit(limit);
        Optional<OrganizationId> from = Page.after(after, OrganizationId::parse);
        List<Organization> found =
                person.operator() ? store.all(person.id(), from, max + 1) : store.ofMember(person.id(), from, max + 1);
        return Page.of(found, max, organization -> organization.id().text());
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create an organization", description = "Operators only. The creator becomes its owner.")
    @APIResponseSchema(value = Organization.class, responseCode = "201", responseDescription = "Created")
    public Organization create(NewOrganization requested, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        requireOperator(person);
        var validator = new RequestValidator();
        String name = validator.name(requested.name(), "/name", MAX_NAME_LENGTH);
        validator.done();
        return found(store.create(name, person.id()), person);
    }

    @GET
    @Path("/{orgId}")
    @Operation(summary = "Read an organization")
    public Organization get(@PathParam("orgId") String orgId, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        return tagged(found(visible(person, orgId), person), request);
    }

    @PATCH
    @Path("/{orgId}")
    @Operation(
            summary = "Rename an organization or set its limit",
            description = "Name: owners and admins. Message limit: operators.")
    public Organization change(
            @PathParam("orgId") String orgId,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            OrganizationChange change,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = visible(person, orgId);
        if (change.name() != null) {
            access.require(person, id, Role.ADMIN);
        }
        if (change.messagesPerMinute() != null) {
            requireOperator(person);
        }
        var validator = new RequestValidator();
        Optional<String> name =
                Optional.ofNullable(change.name()).map(text -> validator.name(text, "/name", MAX_NAME_LENGTH));
        JsonNode limit = change.messagesPerMinute();
        Integer parsed = limit == null ? null : limit(limit, validator);
        validator.done();
        var update = new OrganizationStore.OrganizationUpdate(name, limit != null, parsed);
        store.change(id, update, person.id(), person.createdBy(), IfMatch.of(ifMatch));
        return tagged(found(id, person), request);
    }

    @DELETE
    @Path("/{orgId}")
    @Operation(
            summary = "Delete an organization",
            description = "Owners and operators. Requests with the organization's API keys are answered with 422 "
                    + "from then on.")
    public void delete(@PathParam("orgId") String orgId, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = visible(person, orgId);
        if (!person.operator()) {
            access.require(person, id, Role.OWNER);
        }
        store.delete(id);
    }

    private OrganizationId visible(DashboardUser person, String orgId) {
        OrganizationId id = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        if (!person.operator()) {
            access.require(person, id, Role.MEMBER);
        }
        found(id, person);
        return id;
    }

    private Organization found(OrganizationId id, DashboardUser person) {
        return store.find(id, person.id()).orElseThrow(() -> ApiProblem.notFound("organization"));
    }

    private static Organization tagged(Organization organization, RoutingContext request) {
        IfMatch.addTag(request, organization.revision());
        return organization;
    }

    private static void requireOperator(DashboardUser person) {
        if (!person.operator()) {
            throw ApiProblem.of(ProblemKind.FORBIDDEN, "Only an operator of the installation may do this.");
        }
    }

    private static @Nullable Integer limit(JsonNode value, RequestValidator validator) {
        if (value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            validator.add(new Violation(
                    Violation.INVALID_TYPE,
                    "/messages_per_minute",
                    "'/messages_per_minute' must be an integer or null."));
            return null;
        }
        validator.require(
                value.canConvertToInt() && value.intValue() >= 1 && value.intValue() <= MAX_MESSAGES_PER_MINUTE,
                "/messages_per_minute",
                "'/messages_per_minute' must be from 1 to " + MAX_MESSAGES_PER_MINUTE + ".");
        return value.intValue();
    }
}
