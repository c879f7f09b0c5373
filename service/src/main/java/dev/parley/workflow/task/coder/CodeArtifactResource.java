package dev.parley.workflow.task.coder;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.http.filter.RequestFilter;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.task.coder.CodeArtifact.CodeInput;
import dev.parley.workflow.task.coder.CodeArtifact.CodeOutput;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of code artifacts. Members read it and test its code; owners and admins, who are responsible for the
 * code that runs, change it.
 */
@Path("/dashboard/api/organizations/{orgId}/code-artifacts")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Code artifacts")
@Access(ADMIN)
public final class CodeArtifactResource {
    private static final int MAX_SOURCE_LENGTH = 256 << 10;
    private static final int MAX_PARAMETERS = 100;

    private final CodeArtifacts artifacts;
    private final CodeArtifactStore store;
    private final DryRun dryRun;
    private final Sandbox sandbox;
    private final SyntaxCheck syntax;

    CodeArtifactResource(
            CodeArtifacts artifacts, Database database, DryRun dryRun, Sandbox sandbox, SyntaxCheck syntax) {
        this.artifacts = artifacts;
        this.store = database.statements(CodeArtifactStore.class);
        this.dryRun = dryRun;
        this.sandbox = sandbox;
        this.syntax = syntax;
    }

    /** New code. */
    @FurtherChecks
    @Schema(name = "NewCodeArtifact")
    public record NewArtifact(
            @NotNull @Name @Schema(examples = "Convert currencies")
            String name,

            @Schema(
                    description = "Required for a new artifact, and cannot be changed.",
                    implementation = String.class,
                    enumeration = {"javascript", "python"})
            @Nullable
            CodeLanguage language,

            @NotNull
            @Text(min = 1, max = MAX_SOURCE_LENGTH)
            @Schema(examples = "export default function main(inputs) { return { total: inputs.a + inputs.b }; }")
            String source,

            @Size(max = MAX_PARAMETERS) @Nullable List<@NotNull @Valid CodeInput> inputs,
            @Size(max = MAX_PARAMETERS) @Nullable List<@NotNull @Valid CodeOutput> outputs) {
        /** @param isNew whether it needs a language */
        CodeArtifacts.ArtifactDraft checked(boolean isNew) {
            var validator = RequestValidator.of(this);
            if (isNew && language == null) {
                validator.add(Violation.missing("/language"));
            }
            CodeChecks.inputs(inputs, validator);
            CodeChecks.outputs(outputs, validator);
            validator.done();
            return new CodeArtifacts.ArtifactDraft(
                    name, source, inputs == null ? List.of() : inputs, outputs == null ? List.of() : outputs);
        }
    }

    /** A dry run of stored code. */
    @Schema(name = "CodeTrial")
    public record DryRunRequest(
            @Schema(type = SchemaType.OBJECT, description = "Values by input name.") @Nullable
            Map<String, @Nullable Object> inputs,

            @Schema(description = "Default: the newest version.") @Nullable
            Integer version) {}

    /** A dry run of unsaved code. */
    @FurtherChecks
    @Schema(name = "CodeDraftTrial")
    public record DraftTrial(
            @NotNull
            @Schema(
                    implementation = String.class,
                    enumeration = {"javascript", "python"})
            CodeLanguage language,

            @NotNull @Text(min = 1, max = MAX_SOURCE_LENGTH) String source,

            @Schema(type = SchemaType.OBJECT, description = "Values by input name.") @Nullable
            Map<String, @Nullable Object> inputs,

            @Size(max = MAX_PARAMETERS)
            @Schema(description = "The outputs that the result must have. Omitted or empty: any.")
            @Nullable
            List<@NotNull @Valid CodeOutput> outputs) {}

    @GET
    @Access(MEMBER)
    @Operation(summary = "List code artifacts", description = "By id, without the sources.")
    public Page<CodeArtifact> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        return page.page(
                store.list(member.organization(), page.afterNumber().orElse(0), page.rows()),
                artifact -> Integer.toString(artifact.id()));
    }

    @POST
    @ResponseStatus(201)
    @Operation(summary = "Create a code artifact")
    @APIResponse(
            responseCode = "201",
            description = "Created, with version 1",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = CodeArtifact.class)))
    public CodeArtifact create(@BeanParam MemberRequest member, NewArtifact artifact) {
        CodeArtifacts.ArtifactDraft draft = artifact.checked(true);
        CodeLanguage language = Objects.requireNonNull(artifact.language);
        syntax.require(member.organization(), language, draft.source());
        CodeArtifact created = artifacts.create(member.organization(), language, draft, member.createdBy());
        sandbox.expect(language);
        String location = RequestFilter.path(member.http()) + "/" + created.id();
        member.http().response().putHeader(HttpHeaders.LOCATION, location);
        return created;
    }

    @GET
    @Path("/{artifactId}")
    @Access(MEMBER)
    @Operation(summary = "Read the newest version of a code artifact")
    public CodeArtifact get(@BeanParam MemberRequest member, @PathParam("artifactId") int id) {
        CodeArtifact found = find(member, id);
        IfMatch.addTag(member.http(), found.version());
        // A dry run often follows.
        sandbox.expect(found.language());
        return found;
    }

    @PUT
    @Path("/{artifactId}")
    @Operation(
            summary = "Save code as the next version",
            description = "Code that does not parse is rejected, with the line. Saving unchanged code"
                    + " creates no version. Published workflows keep the version that they were published with.")
    @APIResponse(responseCode = "200", description = "Saved")
    @APIResponse(responseCode = "409", description = "The artifact has another language")
    public CodeArtifact save(
            @BeanParam MemberRequest member,
            @PathParam("artifactId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch,
            NewArtifact artifact) {
        CodeArtifacts.ArtifactDraft draft = artifact.checked(false);
        CodeLanguage language = artifact.language;
        IfMatch expected = IfMatch.of(ifMatch);
        CodeArtifact newest = find(member, id);
        if (!draft.source().equals(newest.source()) && (language == null || language == newest.language())) {
            syntax.require(member.organization(), newest.language(), draft.source());
        }
        CodeArtifact saved = artifacts
                .save(member.organization(), id, language, draft, member.createdBy(), expected)
                .orElseThrow(CodeArtifactResource::unknown);
        IfMatch.addTag(member.http(), saved.version());
        sandbox.expect(saved.language());
        return saved;
    }

    @DELETE
    @Path("/{artifactId}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Delete a code artifact",
            description = "Instances that were started with its code continue to run it.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "A published workflow uses it")
    public void delete(
            @BeanParam MemberRequest member,
            @PathParam("artifactId") int id,
            @HeaderParam(IfMatch.HEADER) @Nullable String ifMatch) {
        if (!artifacts.delete(member.organization(), id, IfMatch.of(ifMatch))) {
            throw unknown();
        }
    }

    @GET
    @Path("/{artifactId}/versions")
    @Access(MEMBER)
    @Operation(summary = "List the versions of a code artifact, newest first")
    public Page<CodeArtifact.Version> versions(
            @BeanParam MemberRequest member, @PathParam("artifactId") int id, @BeanParam PageRequest page) {
        CodeArtifact artifact = find(member, id);
        return page.page(
                store.versions(member.organization(), artifact.id(), page.afterNumber(), page.rows()),
                version -> Integer.toString(version.version()));
    }

    @GET
    @Path("/{artifactId}/versions/{version}")
    @Access(MEMBER)
    @Operation(summary = "Read a version of a code artifact")
    public CodeArtifact version(
            @BeanParam MemberRequest member, @PathParam("artifactId") int id, @PathParam("version") int version) {
        return store.version(member.organization(), id, version).orElseThrow(() -> ApiProblem.notFound("version"));
    }

    @POST
    @Path("/{artifactId}/dry-run")
    @Access(MEMBER)
    @Operation(
            summary = "Run a code artifact with given inputs",
            description = "Runs in the sandbox like a Coder task; nothing is stored.")
    public DryRun.ShownValue tryOut(
            @BeanParam MemberRequest member, @PathParam("artifactId") int id, DryRunRequest trial) {
        CodeArtifact newest = find(member, id);
        Integer version = trial.version();
        CodeArtifact code = version == null
                ? newest
                : store.version(member.organization(), id, version)
                        .orElseThrow(() -> ApiProblem.invalid(Violation.invalid(
                                        ViolationCode.NOT_FOUND, "/version", "There is no version " + version + ".")
                                .with("id", version)));
        return dryRun.run(
                member.organization(),
                code.language(),
                String.valueOf(code.source()),
                code.inputs(),
                code.outputs(),
                trial.inputs == null ? Map.of() : trial.inputs);
    }

    @POST
    @Path("/dry-run")
    @Operation(
            operationId = "dryRunCode",
            summary = "Run unsaved code with given inputs",
            description = "Runs in the sandbox like a Coder task; nothing is stored.")
    public DryRun.ShownValue tryOutDraft(@BeanParam MemberRequest member, DraftTrial trial) {
        var validator = RequestValidator.of(trial);
        CodeChecks.outputs(trial.outputs, validator);
        validator.done();
        return dryRun.run(
                member.organization(),
                trial.language,
                trial.source,
                List.of(),
                trial.outputs == null ? List.of() : trial.outputs,
                trial.inputs == null ? Map.of() : trial.inputs);
    }

    private CodeArtifact find(MemberRequest member, int id) {
        return store.find(member.organization(), id).orElseThrow(CodeArtifactResource::unknown);
    }

    private static ApiProblem unknown() {
        return ApiProblem.notFound("code artifact");
    }
}
