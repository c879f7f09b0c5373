package dev.parley.organization;

import static dev.parley.http.access.Access.Caller.OPERATOR;
import static dev.parley.http.access.Access.Caller.USER;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
@Access(USER)
@Tag(name = "Organizations")
public final class OrganizationResource {
    public static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_MESSAGES_PER_MINUTE = 100_000_000;
    private static final int MAX_ALLOWED_MODELS = 100;
    private static final String ALLOWED_MODEL = "[a-z0-9][a-z0-9.:-]{0,252}(/[\\x21-\\x7E]{1,200})?";

    private final Organizations organizations;
    private final OrganizationAccess access;

    OrganizationResource(Organizations organizations, OrganizationAccess access) {
        this.organizations = organizations;
        this.access = access;
    }

    /** A request to create an organization. */
    @Schema(name = "NewOrganization")
    public record NewOrganization(
            @NotNull @Name @Schema(examples = "Acme") String name) {}

    /** A change; absent fields stay unchanged. */
    @FurtherChecks
    @Schema(name = "OrganizationChange")
    public record OrganizationChange(
            @Name @Schema(examples = "Acme") @Nullable String name,

            @Schema(
                    description = "Operators only; null resets the limit to the installation's default",
                    implementation = Integer.class,
                    minimum = "1",
                    maximum = "100000000",
                    examples = "5000")
            @Nullable
            JsonNode messagesPerMinute,

            @Schema(
                    description =
                            "Operators only: the models that the organization may use, at most 100. default is the "
                                    + "installation's model, a host all models of providers there, host/name one of them; null "
                                    + "allows all models",
                    implementation = String[].class,
                    examples = "[\"default\", \"api.openai.com\"]")
            @Nullable
            JsonNode allowedModels) {}

    @GET
    @Operation(
            summary = "List organizations",
            description = "The organizations of the signed-in user, oldest first; for an operator, all "
                    + "organizations of the installation.")
    public Page<Organization> list(@BeanParam PageRequest page, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        Optional<OrganizationId> after = page.after(OrganizationId::parse);
        List<Organization> found = user.operator()
                ? organizations.all(user.id(), after, page.rows())
                : organizations.ofMember(user.id(), after, page.rows());
        return page.page(found, organization -> organization.id().text());
    }

    @POST
    @Access(OPERATOR)
    @ResponseStatus(201)
    @Operation(summary = "Create an organization", description = "Operators only. The creator becomes its owner.")
    @APIResponseSchema(value = Organization.class, responseCode = "201", responseDescription = "Created")
    public Organization create(NewOrganization requested, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        return found(organizations.create(requested.name(), user.id()), user);
    }

    @GET
    @Path("/{orgId}")
    @Operation(summary = "Read an organization")
    public Organization get(@PathParam("orgId") OrganizationId id, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        return tagged(visible(user, id), request);
    }

    @PATCH
    @Path("/{orgId}")
    @Operation(
            summary = "Rename an organization, or set its limit and its allowed models",
            description = "Name: owners and admins. Message limit and allowed models: operators. Other nodes use a "
                    + "change of the allowed models within seconds.")
    public Organization change(
            @PathParam("orgId") OrganizationId id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            OrganizationChange change,
            @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        visible(user, id);
        if (change.name() != null) {
            access.require(user, id, Role.ADMIN);
        }
        boolean isForOperators = change.messagesPerMinute() != null || change.allowedModels() != null;
        if (isForOperators && !user.operator()) {
            throw AccessFilter.operatorsOnly();
        }
        var validator = RequestValidator.of(change);
        JsonNode limit = change.messagesPerMinute();
        Integer parsed = limit == null ? null : limit(limit, validator);
        JsonNode models = change.allowedModels();
        List<String> allowed = models == null ? null : models(models, validator);
        validator.done();
        var update = new Organizations.OrganizationUpdate(
                Optional.ofNullable(change.name()), limit != null, parsed, models != null, allowed);
        organizations.change(id, update, user.id(), user.createdBy(), IfMatch.of(ifMatch));
        return tagged(found(id, user), request);
    }

    @DELETE
    @Path("/{orgId}")
    @Operation(
            summary = "Delete an organization",
            description = "Owners and operators. Requests with the organization's API keys are answered with 422 "
                    + "from then on.")
    public void delete(@PathParam("orgId") OrganizationId id, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        visible(user, id);
        if (!user.operator()) {
            access.require(user, id, Role.OWNER);
        }
        organizations.delete(id);
    }

    private Organization visible(DashboardUser user, OrganizationId id) {
        if (!user.operator()) {
            access.require(user, id, Role.MEMBER);
        }
        return found(id, user);
    }

    private Organization found(OrganizationId id, DashboardUser user) {
        return organizations.find(id, user.id()).orElseThrow(() -> ApiProblem.notFound("organization"));
    }

    private static Organization tagged(Organization organization, RoutingContext request) {
        IfMatch.addTag(request, organization.revision());
        return organization;
    }

    private static @Nullable Integer limit(JsonNode value, RequestValidator validator) {
        if (value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            validator.add(new Violation(
                            Violation.INVALID_TYPE,
                            ViolationCode.WRONG_TYPE,
                            "/messages_per_minute",
                            "'/messages_per_minute' must be an integer or null.")
                    .with("expected", "integer"));
            return null;
        }
        validator.require(
                value.canConvertToInt() && value.intValue() >= 1 && value.intValue() <= MAX_MESSAGES_PER_MINUTE,
                ViolationCode.OUT_OF_RANGE,
                "/messages_per_minute",
                "'/messages_per_minute' must be from 1 to " + MAX_MESSAGES_PER_MINUTE + ".",
                Map.of("min", 1, "max", MAX_MESSAGES_PER_MINUTE));
        return value.intValue();
    }

    private static @Nullable List<String> models(JsonNode value, RequestValidator validator) {
        if (value.isNull()) {
            return null;
        }
        String path = "/allowed_models";
        if (!value.isArray()) {
            validator.add(new Violation(
                            Violation.INVALID_TYPE,
                            ViolationCode.WRONG_TYPE,
                            path,
                            "'" + path + "' must be an array or null.")
                    .with("expected", "array"));
            return null;
        }
        validator.require(
                value.size() <= MAX_ALLOWED_MODELS,
                ViolationCode.TOO_MANY,
                path,
                "'" + path + "' must have at most " + MAX_ALLOWED_MODELS + " entries.",
                Map.of("max", MAX_ALLOWED_MODELS));
        List<String> allowed = new ArrayList<>();
        for (int i = 0; i < Math.min(value.size(), MAX_ALLOWED_MODELS); i++) {
            String entry = value.get(i).isTextual() ? value.get(i).textValue() : "";
            validator.require(
                    entry.matches(ALLOWED_MODEL),
                    ViolationCode.INVALID_FORMAT,
                    path + "/" + i,
                    "'" + path + "/" + i + "' must be default, a host such as api.openai.com, or host/name.");
            allowed.add(entry);
        }
        return allowed;
    }
}
