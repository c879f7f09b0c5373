package dev.parley.workflow.instance.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.WorkflowId;
import dev.parley.usage.UsageCounters;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
    @Test
    void aHundredWorkflowsHaveALabelOfTheirOwn() {
        try (Database database = TestPostgres.migrated()) {
            var metrics = new RunMetrics(new UsageCounters(database, new TestClock()));
            List<WorkflowId> workflows =
                    Stream.generate(WorkflowId::next).limit(150).toList();

            List<String> labels = workflows.stream().map(metrics::label).toList();

            assertThat(labels.subList(0, 100)).doesNotHaveDuplicates().doesNotContain("other");
            assertThat(labels.subList(100, 150)).containsOnly("other");
            assertThat(workflows.stream().map(metrics::label)).isEqualTo(labels);
        }
    }
}
