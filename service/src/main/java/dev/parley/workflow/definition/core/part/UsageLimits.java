package dev.parley.workflow.definition.core.part;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.NumberValues;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.SchemaParts;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much the models of a task or of an instance may use. Null for no limit.
 *
 * @param tokens input and output tokens together
 * @param cost in the currency of the price settings
 */
public record UsageLimits(
        @Nullable Integer modelCalls,
        @Nullable Integer toolCalls,
        @Nullable Long tokens,
        @Nullable BigDecimal cost) {
    public static final UsageLimits NONE = new UsageLimits(null, null, null, null);

    private static final int MAX_COST = 1_000_000;

    private static final DocumentProperty<Integer> MODEL_CALLS =
            DocumentProperty.integer("model_calls", 1, Integer.MAX_VALUE).optional();
    private static final DocumentProperty<Integer> TOOL_CALLS =
            DocumentProperty.integer("tool_calls", 1, Integer.MAX_VALUE).optional();
    private static final DocumentProperty<Integer> TOKENS =
            DocumentProperty.integer("tokens", 1, Integer.MAX_VALUE).optional();
    private static final DocumentProperty<Object> COST = DocumentProperty.any(
                    "cost", SchemaParts.map("type", "number", "exclusiveMinimum", 0, "maximum", MAX_COST))
            .optional();
    public static final ObjectShape SHAPE = ObjectShape.of(MODEL_CALLS, TOOL_CALLS, TOKENS, COST);
    public static final DocumentProperty<Object> LIMITS =
            DocumentProperty.any("limits", SchemaParts.ref("limits")).optional();

    /** The limits of a task or a workflow; none if they are absent or invalid. */
    public static UsageLimits read(ObjectReader owner) {
        ObjectReader fields = owner.part(LIMITS, SHAPE);
        if (fields == null) {
            return NONE;
        }
        Integer tokens = fields.read(TOKENS);
        return new UsageLimits(
                fields.read(MODEL_CALLS),
                fields.read(TOOL_CALLS),
                tokens == null ? null : tokens.longValue(),
                cost(fields));
    }

    private static @Nullable BigDecimal cost(ObjectReader fields) {
        Object value = fields.read(COST);
        if (value == null) {
            return null;
        }
        BigDecimal cost = value instanceof Number ? NumberValues.decimal(value) : null;
        if (cost == null || cost.signum() <= 0 || cost.compareTo(BigDecimal.valueOf(MAX_COST)) > 0) {
            fields.violations()
                    .invalid(
                            ViolationCode.OUT_OF_RANGE,
                            fields.at().to(COST.name()),
                            "The field 'cost' of %s must be a number above 0, at most %,d."
                                    .formatted(fields.owner(), MAX_COST),
                            Map.of("above", 0, "max", MAX_COST));
            return null;
        }
        return cost;
    }
}
