package dev.parley.workflow.instance.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceStatusTest {
    /** The status table of docs/reference/instances.md, all 36 pairs. */
    @ParameterizedTest
    @CsvSource({
        "RUNNING, RUNNING PAUSED COMPLETED FAILED CANCELLED TERMINATED",
        "PAUSED, RUNNING CANCELLED TERMINATED",
        "COMPLETED, ''",
        "FAILED, ''",
        "CANCELLED, ''",
        "TERMINATED, ''"
    })
    void allowsExactlyTheDocumentedSteps(InstanceStatus from, String allowed) {
        Set<InstanceStatus> expected = EnumSet.noneOf(InstanceStatus.class);
        if (!allowed.isEmpty()) {
            for (String name : allowed.split(" ", -1)) {
                expected.add(InstanceStatus.valueOf(name));
            }
        }
        for (InstanceStatus to : InstanceStatus.values()) {
            assertThat(from.canBecome(to)).as(from + " to " + to).isEqualTo(expected.contains(to));
        }
        assertThat(from.isTerminal()).isEqualTo(expected.isEmpty());
    }
}
