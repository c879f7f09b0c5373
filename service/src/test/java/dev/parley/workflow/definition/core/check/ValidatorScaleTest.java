package dev.parley.workflow.definition.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.Examples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Validation takes linear time and constant stack; the bound allows for a busy machine. */
class ValidatorScaleTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);
    private static final int TASKS = 10_000;
    private static final int FAN = 5;

    @Test
    void tenThousandTasksWithFiftyThousandConnectionsAreCheckedAtOnce() {
        Map<String, Object> document = document(false);

        ValidationResult validation =
                Assertions.assertTimeout(GENEROUS, () -> DefinitionValidator.validate(document, Examples.KNOWN));

        assertThat(validation.errors()).extracting(Violation::path).containsExactly("/tasks");
        assertThat(validation.errors().getFirst().detail()).contains("1,000", "10,000");
    }

    @Test
    void aCycleThroughAllTasksIsFoundAndReportedBriefly() {
        Map<String, Object> document = document(true);

        ValidationResult validation =
                Assertions.assertTimeout(GENEROUS, () -> DefinitionValidator.validate(document, Examples.KNOWN));

        assertThat(validation.errors())
                .extracting(Violation::kind)
                .containsExactly("Cyclic Dependency", "Invalid Type");
        assertThat(validation.errors().getFirst().detail()).hasSizeLessThan(1_000);
    }

    @Test
    void aHundredThousandFaultsAreReported() {
        List<Object> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(Map.of("id", i, "kind", i, "name", i, "instructions", i, "a", 1, "b", 2, "c", 3, "d", 4));
        }

        ValidationResult validation = Assertions.assertTimeout(
                GENEROUS, () -> DefinitionValidator.validate(Map.of("name", "n", "tasks", tasks), Examples.KNOWN));

        assertThat(validation.errors()).hasSizeGreaterThan(8 * TASKS);
    }

    /** Task i feeds the next five tasks; every task has five inputs. */
    private static Map<String, Object> document(boolean cyclic) {
        List<Object> tasks = new ArrayList<>();
        List<Object> connections = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            List<Object> inputs = new ArrayList<>();
            for (int fan = 1; fan <= FAN; fan++) {
                inputs.add(
                        Map.of("name", "in" + fan, "type", "STRING", "description", "d", "source", "system_generated"));
                int from = task - fan;
                if (from >= 0 || cyclic) {
                    connections.add(Map.of(
                            "from", Map.of("task", "t" + Math.floorMod(from, TASKS), "output", "out"),
                            "to", Map.of("task", "t" + task, "input", "in" + fan)));
                }
            }
            tasks.add(Map.of(
                    "id",
                    "t" + task,
                    "kind",
                    "AI",
                    "name",
                    "Task",
                    "instructions",
                    "Do it.",
                    "input_parameters",
                    inputs,
                    "expected_output",
                    List.of(Map.of("name", "out", "type", "STRING", "description", "d"))));
        }
        return Map.of(
                "name",
                "Large",
                "assignment_rules",
                List.of(Map.of(
                        "rule_type", "Exception",
                        "assignment_type", "User",
                        "assignee_id", Examples.USER.text())),
                "tasks",
                tasks,
                "connections",
                connections);
    }
}
