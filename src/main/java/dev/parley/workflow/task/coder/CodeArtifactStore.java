package dev.parley.workflow.task.coder;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.ServiceSize;
import dev.parley.workflow.definition.ReferenceKind;
import dev.parley.workflow.definition.WorkflowReferences;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** The tables {@code code_artifact} and {@code code_artifact_version}. Versions are never updated. */
@Singleton
public final class CodeArtifactStore {
    private static final String COLUMNS = """
            a.id, a.name, a.language, a.updated_at, v.version, v.source, v.inputs, v.outputs, v.created_by,
            v.created_at""";

    /** In the smallest heap. */
    private static final int SOURCE_CHARACTERS_KEPT = 4 << 20;

    private final Database database;
    private final Clock clock;
    private final Cache<ArtifactKey, Code> codes;

    private record ArtifactKey(OrganizationId organization, int artifact, int version) {}

    public CodeArtifactStore(Database database, Clock clock, ServiceSize size) {
        this.database = database;
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
        return database.transaction(handle -> create(handle, organization, language, draft, createdBy));
    }

    /** Creates an artifact within a transaction. */
    public CodeArtifact create(
            Handle handle, OrganizationId organization, CodeLanguage language, ArtifactDraft draft, String createdBy) {
        int id = OrganizationCounters.next(handle, organization, "code_artifact");
        handle.createUpdate("""
                        INSERT INTO code_artifact (organization_id, id, name, language, version, created_by,
                            created_at, updated_at)
                        VALUES (:organization, :id, :name, :language, 0, :by, :now, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", draft.name())
                .bind("language", language.text())
                .bind("by", createdBy)
                .bind("now", clock.instant())
                .execute();
        addVersion(handle, organization, id, 1, draft, createdBy);
        return newest(handle, organization, id).orElseThrow();
    }

    /** Creates the next version, or returns the newest if it is unchanged. Empty if there is no such artifact. */
    public Optional<CodeArtifact> save(
            OrganizationId organization,
            int id,
            @Nullable CodeLanguage language,
            ArtifactDraft draft,
            String createdBy,
            IfMatch ifMatch) {
        return database.transaction(handle -> {
            if (!lock(handle, organization, id)) {
                return Optional.empty();
            }
            CodeArtifact before = newest(handle, organization, id).orElseThrow();
            require(ifMatch, before);
            if (language != null && language != before.language()) {
                throw ApiProblem.of(
                        ProblemKind.CONFLICT,
                        "The code is " + before.language().text() + ". Create another artifact for another language.");
            }
            var same = new ArtifactDraft(
                    before.name(), String.valueOf(before.source()), before.inputs(), before.outputs());
            if (same.equals(draft)) {
                return Optional.of(before);
            }
            addVersion(handle, organization, id, before.version() + 1, draft, createdBy);
            return newest(handle, organization, id);
        });
    }

    private void addVersion(
            Handle handle, OrganizationId organization, int id, int version, ArtifactDraft draft, String createdBy) {
        handle.createUpdate("""
                        INSERT INTO code_artifact_version (organization_id, artifact_id, version, source, inputs,
                            outputs, created_by, created_at)
                        VALUES (:organization, :id, :version, :source, :inputs, :outputs, :by, :now)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("version", version)
                .bind("source", draft.source())
                .bind("inputs", StrictJson.write(draft.inputs()))
                .bind("outputs", StrictJson.write(draft.outputs()))
                .bind("by", createdBy)
                .bind("now", clock.instant())
                .execute();
        handle.createUpdate("""
                        UPDATE code_artifact SET name = :name, version = :version, updated_at = :now
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("name", draft.name())
                .bind("version", version)
                .bind("now", clock.instant())
                .execute();
    }

    public Optional<CodeArtifact> find(OrganizationId organization, int id) {
        return database.with(handle -> newest(handle, organization, id));
    }

    /** In id order. */
    public List<CodeArtifact> list(OrganizationId organization, Optional<Integer> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM code_artifact a JOIN code_artifact_version v
                          ON v.organization_id = a.organization_id AND v.artifact_id = a.id AND v.version = a.version
                        WHERE a.organization_id = :organization AND a.deleted_at IS NULL AND a.id > :after
                        ORDER BY a.id LIMIT :limit""".formatted(COLUMNS.replace("v.source", "NULL AS source")))
                .bind("organization", organization)
                .bind("after", after.orElse(0))
                .bind("limit", limit)
                .map(CodeArtifactStore::read)
                .list());
    }

    /** Newest first. */
    public List<CodeArtifact.Version> versions(
            OrganizationId organization, int id, Optional<Integer> after, int limit) {
        return database.with(handle -> handle.createQuery("""
                        SELECT version, created_by, created_at FROM code_artifact_version
                        WHERE organization_id = :organization AND artifact_id = :id
                          AND (:after::integer IS NULL OR version < :after::integer)
                        ORDER BY version DESC LIMIT :limit""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(CodeArtifact.Version.class)
                .list());
    }

    public Optional<CodeArtifact> version(OrganizationId organization, int id, int version) {
        return database.with(handle -> handle.createQuery("""
                        SELECT %s FROM code_artifact a JOIN code_artifact_version v
                          ON v.organization_id = a.organization_id AND v.artifact_id = a.id
                        WHERE a.organization_id = :organization AND a.id = :id AND a.deleted_at IS NULL
                          AND v.version = :version""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .bind("version", version)
                .map(CodeArtifactStore::read)
                .findOne());
    }

    /**
     * Deletes it for new workflows and versions; instances that were started before keep their code. A 409 while the
     * published version of a workflow uses it.
     */
    public boolean delete(OrganizationId organization, int id, IfMatch ifMatch) {
        return database.transaction(handle -> {
            if (!lock(handle, organization, id)) {
                return false;
            }
            require(ifMatch, newest(handle, organization, id).orElseThrow());
            WorkflowReferences.requireUnpublished(
                    handle, organization, ReferenceKind.CODE_ARTIFACT, Integer.toString(id));
            handle.createUpdate("""
                            UPDATE code_artifact SET deleted_at = :now
                            WHERE organization_id = :organization AND id = :id""")
                    .bind("organization", organization)
                    .bind("id", id)
                    .bind("now", clock.instant())
                    .execute();
            return true;
        });
    }

    /**
     * The code of a task: the version pinned by the workflow's version, and for a test run of a draft (version 0) the
     * newest. Empty if there is none.
     */
    public Optional<Code> codeFor(OrganizationId organization, WorkflowId workflow, int workflowVersion, int artifact) {
        return database.with(handle -> handle.createQuery("""
                                SELECT p.artifact_version FROM workflow_version_code p
                                WHERE p.organization_id = :organization AND p.workflow_id = :workflow
                                  AND p.workflow_version = :version AND p.artifact_id = :artifact
                                UNION ALL
                                SELECT a.version FROM code_artifact a
                                WHERE :version = 0 AND a.organization_id = :organization AND a.id = :artifact
                                  AND a.deleted_at IS NULL""")
                        .bind("organization", organization)
                        .bind("workflow", workflow)
                        .bind("version", workflowVersion)
                        .bind("artifact", artifact)
                        .mapTo(Integer.class)
                        .findOne())
                .flatMap(version -> code(new ArtifactKey(organization, artifact, version)));
    }

    private Optional<Code> code(ArtifactKey key) {
        return Optional.ofNullable(codes.get(
                key,
                wanted -> database.with(handle -> handle.createQuery("""
                                SELECT a.language, v.source FROM code_artifact a JOIN code_artifact_version v
                                  ON v.organization_id = a.organization_id AND v.artifact_id = a.id
                                WHERE a.organization_id = :organization AND a.id = :id AND v.version = :version""")
                        .bind("organization", wanted.organization)
                        .bind("id", wanted.artifact)
                        .bind("version", wanted.version)
                        .mapTo(Code.class)
                        .findOne()
                        .orElse(null))));
    }

    private static void require(IfMatch ifMatch, CodeArtifact newest) {
        ifMatch.require(newest.version(), newest.createdBy(), newest.updatedAt());
    }

    private static boolean lock(Handle handle, OrganizationId organization, int id) {
        return handle.createQuery("""
                        SELECT id FROM code_artifact
                        WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL FOR UPDATE""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    private static Optional<CodeArtifact> newest(Handle handle, OrganizationId organization, int id) {
        return handle.createQuery("""
                        SELECT %s FROM code_artifact a JOIN code_artifact_version v
                          ON v.organization_id = a.organization_id AND v.artifact_id = a.id AND v.version = a.version
                        WHERE a.organization_id = :organization AND a.id = :id
                          AND a.deleted_at IS NULL""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(CodeArtifactStore::read)
                .findOne();
    }

    private static CodeArtifact read(RowView row) {
        return new CodeArtifact(
                row.getColumn("id", Integer.class),
                row.getColumn("name", String.class),
                row.getColumn("language", CodeLanguage.class),
                row.getColumn("version", Integer.class),
                row.getColumn("source", String.class),
                List.of(StrictJson.readTrusted(row.getColumn("inputs", String.class), CodeArtifact.CodeInput[].class)),
                List.of(StrictJson.readTrusted(
                        row.getColumn("outputs", String.class), CodeArtifact.CodeOutput[].class)),
                row.getColumn("created_by", String.class),
                row.getColumn("created_at", Instant.class),
                row.getColumn("updated_at", Instant.class));
    }
}
