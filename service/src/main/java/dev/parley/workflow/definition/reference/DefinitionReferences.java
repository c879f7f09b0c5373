package dev.parley.workflow.definition.reference;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.parley.datalake.core.ColumnType;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.model.ModelStore;
import dev.parley.tool.catalog.KnownTools;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.WorkflowSignature;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.definition.core.check.DocumentReferences;
import dev.parley.workflow.definition.core.check.ValidationResult;
import dev.parley.workflow.definition.reference.ReferencedEntityStore.CodeInputs;
import dev.parley.workflow.definition.reference.ReferencedEntityStore.LakeColumns;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Validates documents against the entities of an organization, also within a transaction. Only referenced entities are
 * looked up, so the cost does not depend on the size of the organization.
 */
@Singleton
public final class DefinitionReferences {
    private final ReferencedEntityStore entities;
    private final KnownTools knownTools;
    private final ModelStore models;

    public DefinitionReferences(Database database, KnownTools knownTools) {
        this.entities = database.statements(ReferencedEntityStore.class);
        this.knownTools = knownTools;
        this.models = database.statements(ModelStore.class);
    }

    /** Validates a document against workflows as they are published, also the document's own. */
    public ValidationResult validate(OrganizationId organization, Map<String, @Nullable Object> document) {
        return validate(organization, null, document);
    }

    /** @param self the workflow that the document will be the next version of; null for none */
    public ValidationResult validate(
            OrganizationId organization, @Nullable WorkflowId self, Map<String, @Nullable Object> document) {
        DocumentReferences named = DocumentReferences.of(document);
        var known = new KnownReferences(
                entities.members(organization, named.users()),
                entities.teams(organization, named.teams()),
                named.tools().isEmpty() ? Map.of() : tools(organization, self, document, named.tools()),
                named.codeArtifacts().isEmpty() ? Map.of() : code(organization, named.codeArtifacts()),
                named.dataLakes().isEmpty() ? Map.of() : dataLakes(organization, named.dataLakes()),
                named.models().isEmpty() ? Set.of() : models.known(organization, named.models()));
        return DefinitionValidator.validate(document, known);
    }

    private Map<Integer, KnownTool> tools(
            OrganizationId organization,
            @Nullable WorkflowId self,
            Map<String, @Nullable Object> document,
            Set<Integer> named) {
        Map<Integer, KnownTool> known = new HashMap<>();
        knownTools
                .find(organization, named)
                .forEach((id, tool) -> known.put(
                        id,
                        self != null && tool.workflow() && tool.tool().equals(self.text())
                                ? ofDraft(tool, document)
                                : new KnownTool(
                                        tool.provider(),
                                        tool.tool(),
                                        tool.requiredArguments(),
                                        tool.workflow()
                                                ? new WorkflowSignature(tool.inputSchema(), tool.outputSchema())
                                                : null,
                                        tool.waits())));
        return known;
    }

    /** The workflow itself as the document makes it; any call is valid until the document has no other violations. */
    private static KnownTool ofDraft(KnownTools.ToolSignature tool, Map<String, @Nullable Object> document) {
        WorkflowDefinition draft = DefinitionValidator.readStored(document).definition();
        WorkflowSignature signature = draft == null ? null : WorkflowSignature.of(draft);
        Set<String> required = signature == null ? Set.of() : KnownTools.requiredArguments(signature.inputSchema());
        return new KnownTool(tool.provider(), tool.tool(), required, signature, tool.waits());
    }

    /** The names of the inputs that are not marked as optional. */
    private Map<Integer, Set<String>> code(OrganizationId organization, Set<Integer> named) {
        return entities.code(organization, named).stream().collect(toMap(CodeInputs::id, code -> code.inputs().stream()
                .filter(input -> !Boolean.FALSE.equals(input.get("required")))
                .map(input -> String.valueOf(input.get("name")))
                .collect(toSet())));
    }

    /** The columns by the id as the document has it. */
    private Map<String, Map<String, ColumnType>> dataLakes(OrganizationId organization, Map<UUID, Set<String>> named) {
        Map<String, Map<String, ColumnType>> known = new HashMap<>();
        for (LakeColumns lake : entities.dataLakes(organization, named.keySet())) {
            Map<String, ColumnType> columns = lake.columns().stream()
                    .collect(toMap(
                            column -> String.valueOf(column.get("name")),
                            column -> ColumnType.of(String.valueOf(column.get("type"))),
                            (_, last) -> last));
            named.getOrDefault(lake.id(), Set.of()).forEach(id -> known.put(id, columns));
        }
        return known;
    }
}
