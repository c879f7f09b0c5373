package dev.parley.budget;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.budget.BudgetStore.PeriodBounds;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
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
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Budgets of an organization: members read them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/budgets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Budgets")
@Access(ADMIN)
public final class BudgetResource {
    /** The highest limit: a billion units of the currency. */
    private static final long MAX_LIMIT = 1_000_000_000_000_000L;

    private static final String LIMIT = "Millionths of the currency for COST, tokens for TOKENS";

    private final Database database;
    private final BudgetStore store;
    private final OrganizationCounters counters;
    private final BudgetLimiter budgetLimiter;
    private final Clock clock;

    BudgetResource(Database database, BudgetLimiter budgetLimiter, Clock clock) {
        this.database = database;
        this.store = database.statements(BudgetStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.budgetLimiter = budgetLimiter;
        this.clock = clock;
    }

    /** A request to create a budget. */
    @FurtherChecks
    @Schema(name = "NewBudget")
    public record NewBudget(
            @NotNull BudgetScope scope,

            @Schema(description = "The API key or the workflow; absent for ORGANIZATION") @Nullable
            String scopeId,

            @NotNull BudgetPeriod period,
            @NotNull BudgetUnit unit,

            @NotNull @Min(1) @Max(MAX_LIMIT) @Schema(description = LIMIT, examples = "50000000")
            Long limit) {}

    /** A request to change a budget. */
    @Schema(name = "BudgetChange")
    public record BudgetChange(
            @NotNull @Min(1) @Max(MAX_LIMIT) @Schema(description = LIMIT, examples = "80000000")
            Long limit) {}

    @GET
    @Access(MEMBER)
    @Operation(summary = "List budgets", description = "By id, with their use in the current period.")
    public Page<Budget> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        int after = page.afterNumber().orElse(0);
        return page.page(
                store.list(member.organization(), bounds(), after, page.rows()),
                budget -> Integer.toString(budget.id()));
    }

    @POST
    @ResponseStatus(201)
    @Operation(
            summary = "Create a budget",
            description = "It counts the calls of models that begin after the response, on other nodes within two"
                    + " seconds. Days and months are those of UTC.")
    @APIResponseSchema(value = Budget.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(
            responseCode = "409",
            description = "There is a budget of this scope, period and unit, or the maximum number of budgets")
    public Budget create(@BeanParam MemberRequest member, NewBudget requested) {
        OrganizationId organization = member.organization();
        UUID scopeId = checkedScope(organization, requested);
        Budget created = database.transaction(() -> {
            int id = counters.next(organization, "budget"); // Serialises the creations of an organization.
            if (store.count(organization) >= BudgetStore.MAX_PER_ORGANIZATION) {
                throw ApiProblem.of(
                        ProblemKind.LIMIT_REACHED,
                        "An organization may have " + BudgetStore.MAX_PER_ORGANIZATION + " budgets.");
            }
            if (!store.insert(
                    organization,
                    id,
                    requested.scope,
                    scopeId,
                    requested.period,
                    requested.unit,
                    requested.limit,
                    member.createdBy(),
                    clock.instant())) {
                throw ApiProblem.of(
                        ProblemKind.CONFLICT, "There is a budget of this scope, period and unit. Change its limit.");
            }
            return find(organization, id);
        });
        budgetLimiter.invalidate(organization);
        IfMatch.addTag(member.http(), created.revision());
        return created;
    }

    @GET
    @Path("/{budgetId}")
    @Access(MEMBER)
    @Operation(summary = "Read a budget")
    public Budget get(@BeanParam MemberRequest member, @PathParam("budgetId") int id) {
        Budget found = find(member.organization(), id);
        IfMatch.addTag(member.http(), found.revision());
        return found;
    }

    @PATCH
    @Path("/{budgetId}")
    @Operation(
            summary = "Change the limit of a budget",
            description =
                    "Takes effect with the next call of a model. Tasks that wait for the budget go on if it allows"
                            + " their calls. A budget below 80 % of its new limit warns again.")
    public Budget change(
            @BeanParam MemberRequest member,
            @PathParam("budgetId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            BudgetChange change) {
        OrganizationId organization = member.organization();
        IfMatch expected = IfMatch.of(ifMatch);
        Budget changed = database.transaction(() -> {
            PeriodBounds bounds = bounds();
            Budget before = store.lock(organization, id, bounds).orElseThrow(BudgetResource::noBudget);
            expected.require(before.revision(), before.updatedBy(), before.updatedAt());
            if (before.limit() == change.limit) {
                return before;
            }
            store.update(organization, id, change.limit, member.createdBy(), clock.instant());
            store.rearm(organization, id, change.limit, bounds);
            return find(organization, id);
        });
        IfMatch.addTag(member.http(), changed.revision());
        return changed;
    }

    @DELETE
    @Path("/{budgetId}")
    @Operation(summary = "Delete a budget", description = "Tasks that wait for it go on.")
    @APIResponse(responseCode = "204", description = "Deleted")
    public void delete(@BeanParam MemberRequest member, @PathParam("budgetId") int id) {
        if (!store.delete(member.organization(), id)) {
            throw noBudget();
        }
        budgetLimiter.invalidate(member.organization());
    }

    private Budget find(OrganizationId organization, int id) {
        return store.find(organization, id, bounds()).orElseThrow(BudgetResource::noBudget);
    }

    private PeriodBounds bounds() {
        return PeriodBounds.of(clock.instant());
    }

    private @Nullable UUID checkedScope(OrganizationId organization, NewBudget requested) {
        var validator = RequestValidator.of(requested);
        UUID id = requested.scopeId == null
                ? null
                : UuidV7.parse(requested.scopeId).orElse(null);
        if (requested.scope == BudgetScope.ORGANIZATION) {
            validator.require(
                    requested.scopeId == null,
                    ViolationCode.NOT_ALLOWED,
                    "/scope_id",
                    "'/scope_id' is not allowed with the scope ORGANIZATION.");
        } else if (requested.scope != null) {
            validator.require(
                    id != null && store.hasScope(organization, requested.scope, id),
                    ViolationCode.NOT_FOUND,
                    "/scope_id",
                    "'/scope_id' must name "
                            + (requested.scope == BudgetScope.API_KEY ? "an API key" : "a workflow")
                            + " of the organization.");
        }
        validator.done();
        return id;
    }

    private static ApiProblem noBudget() {
        return ApiProblem.notFound("budget");
    }
}
