package dev.parley.workflow.definition.core.part;

/**
 * Assigns the tickets of one kind.
 *
 * @param assigneeId a user's id as 32 hex digits, or a team's integer id as text
 */
public record AssignmentRule(RuleType ruleType, AssignmentType assignmentType, String assigneeId) {
    /** The subject of the ticket. */
    public enum RuleType {
        HUMAN_FEEDBACK("Human Feedback"),
        EXCEPTION("Exception");

        private final String text;

        RuleType(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Whether one person or every member of a team is asked. */
    public enum AssignmentType {
        USER("User"),
        TEAM("Team");

        private final String text;

        AssignmentType(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
