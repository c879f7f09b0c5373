package dev.parley.model.api;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.SqlFailure;
import dev.parley.egress.EgressRules;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.id.OrganizationId;
import dev.parley.model.ModelProvider;
import dev.parley.model.ModelProviderStore;
import dev.parley.model.ModelProviderStore.ProviderValues;
import dev.parley.model.ModelProviderStore.StoredProvider;
import dev.parley.model.ModelResolver;
import dev.parley.model.ModelSecrets;
import dev.parley.model.ModelStore;
import dev.parley.model.api.ModelProviderRequest.CheckedProvider;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
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
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Providers of models: members see them, owners and admins change them. */
@Path("/dashboard/api/organizations/{orgId}/model-providers")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Models")
@Access(MEMBER)
public final class ModelProviderResource {
    static final int MAX_PROVIDERS = 20;

    private final Database database;
    private final ModelProviderStore store;
    private final ModelStore models;
    private final OrganizationCounters counters;
    private final ModelResolver resolver;
    private final AeadCipher cipher;
    private final EgressRules rules;
    private final Clock clock;

    ModelProviderResource(
            Database database, ModelResolver resolver, MasterKey masterKey, EgressRules rules, Clock clock) {
        this.database = database;
        this.store = database.statements(ModelProviderStore.class);
        this.models = database.statements(ModelStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.resolver = resolver;
        this.cipher = ModelResolver.cipher(masterKey);
        this.rules = rules;
        this.clock = clock;
    }

    @GET
    @Operation(summary = "List model providers", description = "By id.")
    public Page<ModelProvider> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        List<ModelProvider> found =
                store.list(member.organization(), page.afterNumber().orElse(0), page.rows());
        return page.page(found, provider -> Integer.toString(provider.id()));
    }

    @POST
    @Access(ADMIN)
    @ResponseStatus(201)
    @Operation(
            summary = "Add a model provider",
            description = "The provider is not contacted: test its models for that. At most 20 per organization.")
    @APIResponseSchema(value = ModelProvider.class, responseCode = "201", responseDescription = "Added")
    @APIResponse(responseCode = "409", description = "Another provider has this name, or there are 20")
    public ModelProvider create(@BeanParam MemberRequest member, ModelProviderRequest requested)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        CheckedProvider checked = requested.checked(null, ModelSecrets.NONE, rules);
        int created = database.transaction(() -> {
            int id = counters.next(organization, "model_provider");
            if (store.count(organization) >= MAX_PROVIDERS) {
                throw ApiProblem.of(
                        ProblemKind.LIMIT_REACHED,
                        "An organization has at most " + MAX_PROVIDERS + " model providers.");
            }
            if (!store.insert(organization, id, values(organization, checked), member.createdBy(), clock.instant())) {
                throw nameTaken();
            }
            return id;
        });
        return tagged(member, created);
    }

    @GET
    @Path("/{modelProviderId}")
    @Operation(summary = "Read a model provider")
    public ModelProvider get(@BeanParam MemberRequest member, @PathParam("modelProviderId") int id) {
        return tagged(member, id);
    }

    @PATCH
    @Path("/{modelProviderId}")
    @Access(ADMIN)
    @Operation(
            summary = "Change a model provider",
            description = "Omitted fields stay unchanged. The stored credential and headers are never sent to a host "
                    + "other than the one they were given for: if the scheme, host or port of the base URL changes, "
                    + "they must be given again (400).")
    @APIResponseSchema(value = ModelProvider.class, responseDescription = "The changed provider")
    @APIResponse(responseCode = "409", description = "Another provider has this name, or was changed at the same time")
    public ModelProvider change(
            @BeanParam MemberRequest member,
            @PathParam("modelProviderId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            ModelProviderRequest requested)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        IfMatch expected = IfMatch.of(ifMatch);
        StoredProvider before = store.stored(organization, id).orElseThrow(ModelProviderResource::missing);
        ModelSecrets secrets = resolver.secrets(organization, before);
        CheckedProvider checked = requested.checked(before.provider(), secrets, rules); // May resolve a name.
        try {
            database.change(_ -> {
                ModelProvider now = lock(organization, id, expected);
                if (checked.isSame(before.provider(), secrets)) {
                    return;
                }
                if (now.revision() != before.provider().revision()) {
                    throw ApiProblem.of(ProblemKind.CONFLICT, "Another request changed the provider meanwhile.");
                }
                store.change(organization, id, values(organization, checked), member.createdBy(), clock.instant());
                Database.afterCommit(() -> resolver.forget(organization));
            });
        } catch (JdbiException e) {
            throw SqlFailure.isUniqueViolation(e) ? nameTaken() : e;
        }
        return tagged(member, id);
    }

    @DELETE
    @Path("/{modelProviderId}")
    @Access(ADMIN)
    @Operation(summary = "Delete a model provider", description = "Its credential is deleted.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "It has models, which must be deleted or moved first")
    public void delete(
            @BeanParam MemberRequest member,
            @PathParam("modelProviderId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        IfMatch expected = IfMatch.of(ifMatch);
        database.change(_ -> {
            lock(member.organization(), id, expected);
            List<String> aliases = models.aliases(member.organization(), id);
            if (!aliases.isEmpty()) {
                throw ApiProblem.of(
                        ProblemKind.IN_USE, "Models of this provider exist: " + String.join(", ", aliases) + ".");
            }
            store.delete(member.organization(), id);
        });
    }

    private ModelProvider lock(OrganizationId organization, int id, IfMatch expected) {
        ModelProvider now = store.lock(organization, id).orElseThrow(ModelProviderResource::missing);
        expected.require(now.revision(), now.updatedBy(), now.updatedAt());
        return now;
    }

    private ProviderValues values(OrganizationId organization, CheckedProvider checked) {
        ModelSecrets secrets = checked.secrets();
        return new ProviderValues(
                checked.name(),
                checked.kind(),
                checked.baseUrl(),
                checked.url().host(),
                checked.apiVersion(),
                secrets.encrypted(cipher, organization, checked.url()),
                secrets.credential() != null,
                secrets.headerNames());
    }

    private ModelProvider tagged(MemberRequest member, int id) {
        ModelProvider found = store.find(member.organization(), id).orElseThrow(ModelProviderResource::missing);
        IfMatch.addTag(member.http(), found.revision());
        return found;
    }

    private static ApiProblem nameTaken() {
        return ApiProblem.of(ProblemKind.NAME_TAKEN, "Another model provider has this name.");
    }

    private static ApiProblem missing() {
        return ApiProblem.notFound("model provider");
    }
}
