package dev.parley.workflow.task.coder;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.definition.reference.ReferenceKind;
import dev.parley.workflow.definition.reference.WorkflowReferences;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, saves and deletes code artifacts, also within a transaction, and caches the code that tasks run. */
@Singleton
public final class CodeArtifacts {
    /** In the smallest heap. */
    private static final int SOURCE_CHARACTERS_KEPT = 4 << 20;

    private final Database database;
    private final CodeArtifactStore store;
    private final OrganizationCounters counters;
    private final WorkflowReferences references;
    private final Clock clock;
    private final Cache<ArtifactKey, Code> codes;

    private record ArtifactKey(OrganizationId organization, int artifact, int version) {}

    public CodeArtifacts(Database database, Clock clock, ServiceSize size) {
        this.database = database;
        this.store = database.statements(CodeArtifactStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.references = new WorkflowReferences(database);
        this.clock = clock;
        this.codes = Caffeine.newBuilder()
                .maximumWeight(size.byHeap(SOURCE_CHARACTERS_KEPT))
                .weigher((ArtifactKey _, Code code) -> code.source().length() + 100)
                .build();
    }

    /** The code to run. */
    public record Code(CodeLanguage language, String source) {}

    /** A new version before it is stored. */
    public record ArtifactDraft(
            String name, String source, List<CodeArtifact.CodeInput> inputs, List<CodeArtifact.CodeOutput> outputs) {}

    public CodeArtifact create(
            OrganizationId organization, CodeLanguage language, ArtifactDraft draft, String createdBy) {
        return database.transaction(() -> {
            Instant now = clock.instant();
            int id = counters.next(organization, "code_artifact");
            store.insert(organization, id, draft.name(), language.text(), createdBy, now);
            store.insertVersion(organization, id, 1, draft, createdBy, now);
            return store.find(organization, id).orElseThrow();
        });
    }

    /** Creates the next version, or returns the newest if it is unchanged. Empty if there is no such artifact. */
    Optional<CodeArtifact> save(
            OrganizationId organization,
            int id,
            @Nullable CodeLanguage language,
            ArtifactDraft draft,
            String createdBy,
            IfMatch ifMatch) {
        return database.transaction(() -> lock(organization, id, ifMatch).flatMap(before -> {
            if (language != null && language != before.language()) {
                throw ApiProblem.of(
                        ProblemKind.NOT_CHANGEABLE,
                        "The code is " + before.language().text() + ". Create another artifact for another language.");
            }
            var same = new ArtifactDraft(
                    before.name(), String.valueOf(before.source()), before.inputs(), before.outputs());
            if (same.equals(draft)) {
                return Optional.of(before);
            }
            Instant now = clock.instant();
            store.insertVersion(organization, id, before.version() + 1, draft, createdBy, now);
            store.update(organization, id, draft.name(), before.version() + 1, now);
            return store.find(organization, id);
        }));
    }

    /**
     * Deletes it for new workflows and versions; instances that were started before keep their code. A 409 while the
     * published version of a workflow uses it.
     */
    boolean delete(OrganizationId organization, int id, IfMatch ifMatch) {
        return database.transaction(() -> {
            boolean found = lock(organization, id, ifMatch).isPresent();
            if (found) {
                references.requireUnpublished(organization, ReferenceKind.CODE_ARTIFACT, Integer.toString(id));
                store.delete(organization, id, clock.instant());
            }
            return found;
        });
    }

    /**
     * The code of a task: the version pinned by the workflow's version, and for a test run of a draft (version 0) the
     * newest. Empty if there is none.
     */
    Optional<Code> codeFor(OrganizationId organization, WorkflowId workflow, int workflowVersion, int artifact) {
        return store.versionFor(organization, workflow, workflowVersion, artifact)
                .flatMap(version -> Optional.ofNullable(codes.get(
                        new ArtifactKey(organization, artifact, version),
                        _ -> store.code(organization, artifact, version).orElse(null))));
    }

    /** The newest version, with the artifact's row locked until the transaction ends. */
    private Optional<CodeArtifact> lock(OrganizationId organization, int id, IfMatch ifMatch) {
        Optional<CodeArtifact> newest = store.lock(organization, id).flatMap(_ -> store.find(organization, id));
        newest.ifPresent(code -> ifMatch.require(code.version(), code.createdBy(), code.updatedAt()));
        return newest;
    }
}
