package dev.parley.workflow.definition.core.part;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.expression.core.ExpressionCompiler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool that the model of an AI task may call.
 *
 * @param id the {@code tool_id}
 * @param when the condition over the arguments under which a person has to approve a call; null for other rules
 */
public record AgentTool(
        int id, ApprovalRule approval, @Nullable String when) {
    /** Whether a person has to approve a call. */
    public enum ApprovalRule {
        NEVER,
        ALWAYS,
        /** If the condition over the arguments holds. */
        WHEN
    }

    private static final DocumentProperty<Integer> ID = DocumentProperty.integer("id", 1, Integer.MAX_VALUE);
    private static final DocumentProperty<ApprovalRule> APPROVAL = DocumentProperty.choice(
                    "approval", EnumNames.lowerCase(ApprovalRule.values()))
            .optional();
    public static final DocumentProperty<String> WHEN =
            DocumentProperty.text("when", ExpressionCompiler.MAX_LENGTH).optional();
    public static final ObjectShape SHAPE = ObjectShape.of(ID, APPROVAL, WHEN);

    /** A tool whose calls need no approval. */
    public static AgentTool of(int id) {
        return new AgentTool(id, ApprovalRule.NEVER, null);
    }

    /** An entry: the id, or an object. Null after a violation. */
    public static @Nullable AgentTool read(@Nullable Object node, JsonPointer at, ViolationCollector violations) {
        if (!(node instanceof Map<?, ?>)) {
            if (node instanceof Integer id && id >= 1) {
                return of(id);
            }
            violations.invalid(
                    ViolationCode.WRONG_TYPE,
                    at,
                    "A tool is named by its id, an integer from 1 to " + Integer.MAX_VALUE
                            + ", or an object with this 'id'.",
                    Map.of("expected", "integer"));
            return null;
        }
        ObjectReader fields = Objects.requireNonNull(ObjectReader.of(node, at, "the tool", violations));
        fields.refuseOthers(SHAPE);
        Integer id = fields.read(ID);
        ApprovalRule approval = fields.read(APPROVAL);
        String when = approval == ApprovalRule.WHEN ? fields.require(WHEN) : fields.read(WHEN);
        if (when != null && approval != ApprovalRule.WHEN) {
            violations.invalid(
                    ViolationCode.NOT_ALLOWED, at.to(WHEN.name()), "A condition requires the approval 'when'.");
        } else if (when != null) {
            ExpressionScopes.check(when, ExpressionScopes.ofArguments(), at.to(WHEN.name()), violations);
        }
        return id == null ? null : new AgentTool(id, approval == null ? ApprovalRule.NEVER : approval, when);
    }

    public static Map<String, @Nullable Object> entrySchema() {
        return SchemaParts.map(
                "anyOf", List.of(SchemaParts.integer(1, Integer.MAX_VALUE), SchemaParts.ref("agent_tool")));
    }
}
