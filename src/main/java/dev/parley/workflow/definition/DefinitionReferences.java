package dev.parley.workflow.definition;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.tool.KnownTools;
import dev.parley.workflow.definition.core.DefinitionValidator;
import dev.parley.workflow.definition.core.DocumentReferences;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.ValidationResult;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.WorkflowSignature;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Validates documents against the entities of an organization. Only referenced entities are looked up, so the cost does
 * not depend on the size of the organization.
 */
@Singleton
public final class DefinitionReferences {
    private final Database database;

    private final KnownTools knownTools;

    public DefinitionReferences(Database database, KnownTools knownTools) {
        this.database = database;
        this.knownTools = knownTools;
    }

    /** Validates a document against workflows as they are published, also the document's own. */
    public ValidationResult validate(OrganizationId organization, Map<String, @Nullable Object> document) {
        return validate(organization, null, document);
    }

    /** @param self the workflow that the document will be the next version of; null for none */
    public ValidationResult validate(
            OrganizationId organization, @Nullable WorkflowId self, Map<String, @Nullable Object> document) {
        return database.with(handle -> validate(handle, organization, self, document));
    }

    /** Validates within a transaction. */
    public ValidationResult validate(
            Handle handle,
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document) {
        return DefinitionValidator.validate(document, known(handle, organization, self, document));
    }

    private KnownReferences known(
            Handle handle,
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document) {
        DocumentReferences named = DocumentReferences.of(document);
        return new KnownReferences(
                members(handle, organization, named.users()),
                teams(handle, organization, named.teams()),
                tools(handle, organization, self, document, named.tools()),
                CodeVersionPins.known(handle, organization, named.codeArtifacts()),
                DataLakeReferences.known(handle, organization, named.dataLakes()));
    }

    private Map<Integer, KnownReferences.KnownTool> tools(
            Handle handle,
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document,
            Set<Integer> named) {
        Map<Integer, KnownReferences.KnownTool> known = new HashMap<>();
        if (!named.isEmpty()) {
            knownTools
                    .find(handle, organization, named)
                    .forEach((id, tool) -> known.put(
                            id,
                            self != null && tool.workflow() && tool.tool().equals(self.text())
                                    ? ofDraft(tool, document)
                                    : new KnownReferences.KnownTool(
                                            tool.provider(),
                                            tool.tool(),
                                            tool.requiredArguments(),
                                            tool.workflow()
                                                    ? new WorkflowSignature(tool.inputSchema(), tool.outputSchema())
                                                    : null,
                                            tool.waits())));
        }
        return known;
    }

    /** The workflow itself as the document makes it; any call is valid until the document has no other violations. */
    private static KnownReferences.KnownTool ofDraft(
            KnownTools.ToolSignature tool, Map<String, @Nullable Object> document) {
        WorkflowDefinition draft = DefinitionValidator.readStored(document).definition();
        WorkflowSignature signature = draft == null ? null : WorkflowSignature.of(draft);
        Set<String> required = signature == null ? Set.of() : KnownTools.requiredArguments(signature.inputSchema());
        return new KnownReferences.KnownTool(tool.provider(), tool.tool(), required, signature, tool.waits());
    }

    private static Set<UserId> members(Handle handle, OrganizationId organization, Set<UUID> named) {
        return handle.createQuery("""
                        SELECT user_id FROM membership
                        WHERE organization_id = :organization AND user_id = ANY (:named)""")
                .bind("organization", organization)
                .bindArray("named", UUID.class, named)
                .mapTo(UserId.class)
                .set();
    }

    private static Set<Integer> teams(Handle handle, OrganizationId organization, Set<Integer> named) {
        return handle.createQuery("""
                        SELECT id FROM team
                        WHERE organization_id = :organization AND id = ANY (:named) AND deleted_at IS NULL""")
                .bind("organization", organization)
                .bindArray("named", Integer.class, named)
                .mapTo(Integer.class)
                .set();
    }
}
