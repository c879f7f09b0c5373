package dev.parley.workflow.definition.core.check;

import dev.parley.id.UserId;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.EnumNames;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.ObjectShape;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.AssignmentRule.AssignmentType;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code assignment_rules}. */
final class AssignmentReader {
    private static final DocumentProperty<RuleType> RULE_TYPE =
            DocumentProperty.choice("rule_type", EnumNames.of(RuleType.values(), RuleType::text));
    private static final DocumentProperty<AssignmentType> ASSIGNMENT_TYPE =
            DocumentProperty.choice("assignment_type", EnumNames.of(AssignmentType.values(), AssignmentType::text));
    private static final DocumentProperty<String> ASSIGNEE_ID = DocumentProperty.text(
                    "assignee_id", DefinitionLimits.NAME)
            .with("description", "A user's id, or a team's integer id, as a string.");
    static final ObjectShape RULE = ObjectShape.of(RULE_TYPE, ASSIGNMENT_TYPE, ASSIGNEE_ID);

    static final DocumentProperty<List<?>> RULES = DocumentProperty.list(
                    "assignment_rules", SchemaParts.arrayOf("assignment_rule"))
            .with("minItems", 1);

    private static final Pattern TEAM_ID = Pattern.compile("[1-9][0-9]{0,8}");

    private final @Nullable KnownReferences known;

    AssignmentReader(@Nullable KnownReferences known) {
        this.known = known;
    }

    List<AssignmentRule> read(ObjectReader root) {
        ViolationCollector violations = root.violations().ofAssignment();
        JsonPointer at = root.at().to(RULES.name());
        Object node = root.raw(RULES.name());
        if (node != null && !(node instanceof List<?>)) {
            violations.invalid(
                    ViolationCode.WRONG_TYPE,
                    at,
                    "The assignment rules must be an array, and this is " + PlainJson.described(node) + ".",
                    Map.of("expected", "array"));
            return List.of();
        }
        if (node == null || node.equals(List.of())) {
            violations.missing(
                    ViolationCode.TOO_FEW, at, "A workflow needs at least one assignment rule.", Map.of("min", 1));
            return List.of();
        }
        List<AssignmentRule> rules = new ArrayList<>();
        root.reportingTo(violations).forEach(RULES, "the assignment rule", fields -> {
            AssignmentRule rule = rule(fields);
            if (rule != null) {
                rules.add(rule);
            }
        });
        return rules;
    }

    private @Nullable AssignmentRule rule(ObjectReader fields) {
        fields.refuseOthers(RULE);
        RuleType ruleType = fields.read(RULE_TYPE);
        AssignmentType type = fields.read(ASSIGNMENT_TYPE);
        String id = fields.read(ASSIGNEE_ID);
        String assignee = type == null || id == null ? null : assignee(type, id, fields);
        return ruleType == null || type == null || assignee == null
                ? null
                : new AssignmentRule(ruleType, type, assignee);
    }

    /** The id in canonical form, if the assignee exists. */
    private @Nullable String assignee(AssignmentType type, String id, ObjectReader fields) {
        String canonical =
                switch (type) {
                    case USER ->
                        UserId.parse(id)
                                .filter(user -> known == null || known.users().contains(user))
                                .map(UserId::text)
                                .orElse(null);
                    case TEAM -> isTeam(id) ? id : null;
                };
        if (canonical == null) {
            String what = type == AssignmentType.USER ? "user" : "team";
            fields.violations()
                    .invalid(
                            ViolationCode.NOT_FOUND,
                            fields.at().to("assignee_id"),
                            "There is no %s with the id '%s' in the organization."
                                    .formatted(what, PlainJson.shown(id)));
        }
        return canonical;
    }

    private boolean isTeam(String id) {
        return TEAM_ID.matcher(id).matches() && (known == null || known.teams().contains(Integer.parseInt(id)));
    }
}
