package dev.parley.model.api;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.id.OrganizationId;
import dev.parley.model.ModelCapabilities;
import dev.parley.model.ModelProviderStore;
import dev.parley.model.ModelResolver;
import dev.parley.model.ModelStore;
import dev.parley.model.ModelStore.ModelAccess;
import dev.parley.model.ModelStore.ModelValues;
import dev.parley.model.OrganizationModel;
import dev.parley.model.api.ModelTester.ModelTestResult;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.OrganizationCounters;
import dev.parley.organization.OrganizationStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Models of an organization: members see them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/models")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Models")
@Access(MEMBER)
public final class ModelResource {
    static final int MAX_MODELS = 100;

    private final Database database;
    private final ModelStore store;
    private final ModelProviderStore providers;
    private final OrganizationCounters counters;
    private final OrganizationStore organizations;
    private final ModelResolver resolver;
    private final Clock clock;

    ModelResource(Database database, ModelResolver resolver, Clock clock) {
        this.database = database;
        this.store = database.statements(ModelStore.class);
        this.providers = database.statements(ModelProviderStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.organizations = database.statements(OrganizationStore.class);
        this.resolver = resolver;
        this.clock = clock;
    }

    @GET
    @Operation(summary = "List models", description = "By id, the installation's model first.")
    public Page<OrganizationModel> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        OrganizationId organization = member.organization();
        int after = page.afterNumber().orElse(0);
        List<OrganizationModel> all = new ArrayList<>();
        if (after < OrganizationModel.INSTALLATION_ID) {
            all.add(resolver.installationModel(organization));
        }
        all.addAll(store.list(organization, after, page.rows()));
        return page.page(all, model -> Integer.toString(model.id()));
    }

    @POST
    @Access(ADMIN)
    @ResponseStatus(201)
    @Operation(summary = "Add a model", description = "At most 100 per organization.")
    @APIResponseSchema(value = OrganizationModel.class, responseCode = "201", responseDescription = "Added")
    @APIResponse(responseCode = "409", description = "Another model has this alias, or there are 100")
    public OrganizationModel create(@BeanParam MemberRequest member, ModelRequest requested) {
        OrganizationId organization = member.organization();
        ModelValues values = requested.checked(null);
        int created = database.transaction(() -> {
            int id = OrganizationModel.FIRST_OWN_ID - 1 + counters.next(organization, "model");
            if (store.count(organization) >= MAX_MODELS) {
                throw ApiProblem.of(
                        ProblemKind.LIMIT_REACHED, "An organization has at most " + MAX_MODELS + " models.");
            }
            Instant now = clock.instant();
            lockDefault(organization, values);
            prepare(organization, id, values, member.createdBy(), now);
            if (!store.insert(organization, id, values, member.createdBy(), now)) {
                throw ApiProblem.of(ProblemKind.NAME_TAKEN, "Another model has this alias.");
            }
            return id;
        });
        return tagged(member, created);
    }

    @GET
    @Path("/{modelId}")
    @Operation(summary = "Read a model")
    public OrganizationModel get(@BeanParam MemberRequest member, @PathParam("modelId") int id) {
        return tagged(member, id);
    }

    @PUT
    @Path("/{modelId}")
    @Access(ADMIN)
    @Operation(summary = "Replace a model", description = "An omitted field gets its default.")
    @APIResponseSchema(value = OrganizationModel.class, responseDescription = "The changed model")
    @APIResponse(responseCode = "409", description = "It is the installation's model")
    public OrganizationModel change(
            @BeanParam MemberRequest member,
            @PathParam("modelId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            ModelRequest requested) {
        OrganizationId organization = member.organization();
        IfMatch expected = IfMatch.of(ifMatch);
        requireOwn(id);
        ModelValues values = requested.checked(store.find(organization, id).orElseThrow(ModelResource::missing));
        database.change(_ -> {
            lockDefault(organization, values);
            lock(organization, id, expected);
            Instant now = clock.instant();
            prepare(organization, id, values, member.createdBy(), now);
            store.change(organization, id, values, member.createdBy(), now);
        });
        return tagged(member, id);
    }

    @DELETE
    @Path("/{modelId}")
    @Access(ADMIN)
    @Operation(summary = "Delete a model", description = "AI tasks and conversations that name it fail from then on.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "It is the installation's model")
    public void delete(
            @BeanParam MemberRequest member,
            @PathParam("modelId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        IfMatch expected = IfMatch.of(ifMatch);
        requireOwn(id);
        database.change(_ -> {
            lock(member.organization(), id, expected);
            store.delete(member.organization(), id);
            Database.afterCommit(() -> resolver.forget(member.organization()));
        });
    }

    @POST
    @Path("/{modelId}/test")
    @Access(ADMIN)
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Test a model",
            description = "Asks the endpoint with small requests, within 30 seconds in all, and stores what the model "
                    + "can do. Their tokens are not recorded.")
    @APIResponseSchema(value = ModelTestResult.class, responseDescription = "What the model can do")
    @APIResponse(responseCode = "409", description = "It is the installation's model")
    public ModelTestResult test(@BeanParam MemberRequest member, @PathParam("modelId") int id)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        requireOwn(id);
        ModelAccess access = store.access(organization, id).orElseThrow(ModelResource::missing);
        if (!access.allowed()) {
            return ModelTestResult.failed("The operator does not allow this organization the model.");
        }
        ModelTestResult result = new ModelTester(resolver.connect(organization, access)).run();
        ModelCapabilities stored = database.transaction(() -> {
            ModelCapabilities before = store.lock(organization, id)
                    .orElseThrow(ModelResource::missing)
                    .capabilities();
            ModelCapabilities after = result.capabilities().or(before);
            if (!after.equals(before)) {
                store.changeCapabilities(organization, id, after, member.createdBy(), clock.instant());
                Database.afterCommit(() -> resolver.forget(organization));
            }
            return after;
        });
        return result.with(stored);
    }

    /** Serialises changes of the default model. Precedes the lock of a model, so that they do not block each other. */
    private void lockDefault(OrganizationId organization, ModelValues values) {
        if (values.isDefault()) {
            organizations.lockExisting(organization);
        }
    }

    /** Checks the provider and clears the previous default, in the transaction that stores the values. */
    private void prepare(OrganizationId organization, int id, ModelValues values, String by, Instant now) {
        if (providers.pin(organization, values.providerId()).isEmpty()) {
            throw ApiProblem.invalid(
                    Violation.invalid(ViolationCode.NOT_FOUND, "/provider_id", "There is no such model provider."));
        }
        if (values.isDefault()) {
            store.clearDefault(organization, id, by, now);
        }
        Database.afterCommit(() -> resolver.forget(organization));
    }

    private void lock(OrganizationId organization, int id, IfMatch expected) {
        OrganizationModel now = store.lock(organization, id).orElseThrow(ModelResource::missing);
        expected.require(now.revision(), now.updatedBy(), Objects.requireNonNull(now.updatedAt()));
    }

    private OrganizationModel tagged(MemberRequest member, int id) {
        OrganizationModel found = id == OrganizationModel.INSTALLATION_ID
                ? resolver.installationModel(member.organization())
                : store.find(member.organization(), id).orElseThrow(ModelResource::missing);
        IfMatch.addTag(member.http(), found.revision());
        return found;
    }

    private static void requireOwn(int id) {
        if (id == OrganizationModel.INSTALLATION_ID) {
            throw ApiProblem.of(ProblemKind.NOT_CHANGEABLE, "The installation's model cannot be changed.");
        }
    }

    private static ApiProblem missing() {
        return ApiProblem.notFound("model");
    }
}
