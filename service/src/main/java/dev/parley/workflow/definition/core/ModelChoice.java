package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.NumberValues;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which model performs an AI task, and how. Null for the organization's default model or the model's own default.
 *
 * @param model the alias of a model of the organization
 * @param fallbacks aliases of models that get the request in order while the others cannot reply
 */
public record ModelChoice(
        @Nullable String model,
        List<String> fallbacks,
        @Nullable BigDecimal temperature,
        @Nullable Integer maxOutputTokens,
        @Nullable String reasoningEffort) {
    public static final ModelChoice DEFAULT = new ModelChoice(null, List.of(), null, null, null);

    private static final int MAX_ALIAS_LENGTH = 100;
    private static final int MAX_FALLBACKS = 5;
    private static final int MAX_TEMPERATURE = 2;
    private static final int MAX_OUTPUT_TOKENS = 100_000_000;

    static final DocumentProperty<String> MODEL =
            DocumentProperty.text("model", MAX_ALIAS_LENGTH).optional();
    static final DocumentProperty<List<?>> FALLBACKS = DocumentProperty.list(
                    "fallbacks",
                    SchemaParts.map(
                            "type",
                            "array",
                            "items",
                            SchemaParts.text(MAX_ALIAS_LENGTH),
                            "maxItems",
                            MAX_FALLBACKS,
                            "uniqueItems",
                            true))
            .optional();
    static final DocumentProperty<Object> TEMPERATURE = DocumentProperty.any(
                    "temperature", SchemaParts.map("type", "number", "minimum", 0, "maximum", MAX_TEMPERATURE))
            .optional();
    static final DocumentProperty<Integer> OUTPUT_TOKENS =
            DocumentProperty.integer("max_output_tokens", 1, MAX_OUTPUT_TOKENS).optional();
    static final DocumentProperty<String> REASONING_EFFORT = DocumentProperty.choice(
                    "reasoning_effort",
                    Stream.of("minimal", "low", "medium", "high")
                            .collect(Collectors.toMap(
                                    word -> word, word -> word, (first, _) -> first, LinkedHashMap::new)))
            .optional();

    public ModelChoice {
        fallbacks = List.copyOf(fallbacks);
    }

    static ModelChoice read(ObjectReader fields, @Nullable KnownReferences known) {
        String model = fields.read(MODEL);
        if (model != null) {
            requireKnown(model, fields.at().to(MODEL.name()), known, fields.violations());
        }
        return new ModelChoice(
                model,
                fallbacks(model, fields, known),
                temperature(fields),
                fields.read(OUTPUT_TOKENS),
                fields.read(REASONING_EFFORT));
    }

    private static List<String> fallbacks(
            @Nullable String model, ObjectReader fields, @Nullable KnownReferences known) {
        ViolationCollector violations = fields.violations();
        JsonPointer at = fields.at().to(FALLBACKS.name());
        List<?> nodes = fields.elements(FALLBACKS);
        if (nodes.size() > MAX_FALLBACKS) {
            violations.invalid(
                    ViolationCode.TOO_MANY,
                    at,
                    "A task may list at most " + MAX_FALLBACKS + " fallbacks.",
                    Map.of("max", MAX_FALLBACKS));
            return List.of();
        }
        List<String> aliases = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (!(nodes.get(i) instanceof String alias) || alias.isBlank() || alias.length() > MAX_ALIAS_LENGTH) {
                violations.invalid(
                        ViolationCode.WRONG_TYPE,
                        at.to(i),
                        "A fallback is named by the alias of a model.",
                        Map.of("expected", "string"));
            } else if (alias.equals(model) || aliases.contains(alias)) {
                violations.invalid(
                        ViolationCode.ALREADY_USED,
                        at.to(i),
                        "The model '" + PlainJson.shown(alias) + "' is named already.",
                        Map.of("value", alias));
            } else {
                aliases.add(alias);
                requireKnown(alias, at.to(i), known, violations);
            }
        }
        return aliases;
    }

    private static void requireKnown(
            String alias, JsonPointer at, @Nullable KnownReferences known, ViolationCollector violations) {
        if (known != null && !known.models().contains(alias)) {
            violations.missing(
                    ViolationCode.NOT_FOUND,
                    at,
                    "There is no model '" + PlainJson.shown(alias) + "' in the organization.",
                    Map.of("id", alias));
        }
    }

    private static @Nullable BigDecimal temperature(ObjectReader fields) {
        Object value = fields.read(TEMPERATURE);
        if (value == null) {
            return null;
        }
        BigDecimal number = value instanceof Number ? NumberValues.decimal(value) : null;
        if (number == null || number.signum() < 0 || number.compareTo(BigDecimal.valueOf(MAX_TEMPERATURE)) > 0) {
            fields.violations()
                    .invalid(
                            ViolationCode.OUT_OF_RANGE,
                            fields.at().to(TEMPERATURE.name()),
                            "The field 'temperature' of %s must be a number from 0 to %d."
                                    .formatted(fields.owner(), MAX_TEMPERATURE),
                            Map.of("min", 0, "max", MAX_TEMPERATURE));
            return null;
        }
        return number;
    }
}
